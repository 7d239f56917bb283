// Bars: whole files by digest and tool, ciphers by mode with and without the CPU's instructions.

import type { Bar, Bars, Mark } from "../data";
import { figure, tick } from "../figures";
import type { Theme } from "../theme";
import { type Drawing, Frame } from "./frame";
import { colour, shape, tip } from "./marks";
import { room } from "./rows";

export function bars(chart: Bars): Frame {
  const beyond = chart.sets.some(
    (set) => set.on !== null && set.bars.some((bar) => bar.value.value > chart.most),
  );
  const note =
    `${chart.unit}. ${chart.note}` +
    (beyond ? " ›: the published figure lies beyond the axis." : "");
  return new Frame(chart.title, note, [], () => drawing(chart));
}

type Api = { value: (index: number) => number; coord: (point: number[]) => [number, number] };
type Set = Bars["sets"][number];

/** Pixels of a bar with the room to the next. */
const PITCH = 13;
/** Few sets are named by the legend, many each at its bar. */
const few = (chart: Bars) => chart.sets.filter((set) => set.on === null).length <= 3;

/** Where each row begins, and its end: it has room for the bars that it has. */
function tops(chart: Bars): number[] {
  const all = [0];
  chart.rows.forEach((_, row) =>
    all.push(all[row]! + Math.max(1, slots(chart, row, chart.sets.length)) * PITCH + 8),
  );
  return all;
}

/** How many of the first sets have room in a row: a bar, or a published dot without one. */
function slots(chart: Bars, row: number, sets: number): number {
  const here = (set: Set) => set.bars.some((bar) => bar.row === row);
  const dots = (place: number) => chart.sets.some((set) => set.on === place && here(set));
  return chart.sets
    .slice(0, sets)
    .filter((set, place) => set.on === null && (here(set) || dots(place))).length;
}

function drawing(chart: Bars): Drawing {
  const places = tops(chart);
  const most = places.at(-1)!;
  const key = ({ name, mark, on }: Set) => ({
    name,
    mark: on === null ? { ...mark, shape: 1 } : mark,
  });
  // Published rounds are a set each, on the bars of theirs, and have one name.
  const keys = chart.sets
    .filter((set) => set.bars.length > 0)
    .map(key)
    .filter(({ name }, place, all) => all.findIndex((other) => other.name === name) === place);
  const middle = (row: number) => (places[row]! + places[row + 1]!) / 2;
  return {
    height: most + 54,
    keys,
    option: (shown, theme, width) => {
      const left = room(chart.rows, width);
      const ends = 7 * Math.max(0, ...chart.ends.map((end) => end.length));
      const longest = Math.max(
        0,
        ...chart.sets.flatMap((set) => set.bars.map((bar) => bar.end?.length ?? 0)),
      );
      const right = 12 + ends + (longest > 0 ? 6 * longest : few(chart) ? 42 : 112);
      const names = {
        type: "custom",
        silent: true,
        clip: false,
        data: chart.rows.map((_, row) => [0, middle(row)]),
        encode: { x: 0, y: 1 },
        renderItem: (
          where: { dataIndex: number; coordSys: { x: number; width: number } },
          api: Api,
        ) => {
          const y = api.coord([0, middle(where.dataIndex)])[1];
          const name = written(
            chart.rows[where.dataIndex]!,
            where.coordSys.x - 8,
            y,
            theme.ink,
            "right",
            11,
            left - 10,
          );
          const end = chart.ends[where.dataIndex];
          return {
            type: "group",
            children: end
              ? [
                  name,
                  written(
                    end,
                    where.coordSys.x + where.coordSys.width + right - 4,
                    y,
                    theme.ink,
                    "right",
                  ),
                ]
              : [name],
          };
        },
      };
      return {
        grid: { left, right, top: 8, bottom: 46 },
        xAxis: {
          type: "value",
          min: 0,
          max: chart.most,
          name: chart.unit,
          nameLocation: "middle",
          nameGap: 28,
          nameTextStyle: { color: theme.muted, fontSize: 12 },
          axisLabel: {
            color: theme.muted,
            fontSize: 11,
            formatter: tick,
            showMaxLabel: false,
            hideOverlap: true,
          },
          axisLine: { show: false },
          axisTick: { show: false },
          splitLine: { lineStyle: { color: theme.rule } },
        },
        yAxis: { type: "value", inverse: true, min: 0, max: most, show: false },
        series: [
          ...chart.sets
            .filter((set) => shown(set.name))
            .map((set) =>
              set.on === null
                ? measured(chart, set, theme, places)
                : printed(chart, set, theme, places),
            ),
          names,
        ],
      };
    },
  };
}

/** The middle of a set's bar in a row, from the top. */
function middle(chart: Bars, set: Set, row: number, places: number[]): number {
  return places[row]! + 4 + (slots(chart, row, chart.sets.indexOf(set)) + 0.5) * PITCH;
}

function measured(chart: Bars, set: Set, theme: Theme, places: number[]): object {
  const half = PITCH / 2 - 1;
  const item = (bar: Bar, api: Api) => {
    const mark = bar.mark ?? set.mark;
    const own = colour(mark, theme);
    const at = (value: number) => api.coord([Math.min(value, chart.most), 0])[0];
    const y = api.coord([0, middle(chart, set, bar.row, places)])[1];
    const rect = (from: number, to: number, style: object) => ({
      type: "rect",
      shape: { x: from, y: y - half, width: Math.max(1, to - from), height: 2 * half - 1 },
      style,
    });
    const whole =
      bar.parts === null
        ? [rect(at(0), at(bar.value.value), { fill: own })]
        : parted(bar.parts, at(0), at(bar.value.value), own, theme, rect);
    const spread = line([at(bar.value.low), y], [at(bar.value.high), y], theme.ink);
    const words = bar.end ?? `${figure(bar.value.value)}${few(chart) ? "" : ` ${set.name}`}`;
    return {
      type: "group",
      children: [
        ...whole,
        spread,
        written(
          words,
          dotsEnd(chart, set, bar.row, at(bar.value.high), at) + 4,
          y,
          theme.muted,
          "left",
        ),
      ],
    };
  };
  return series(set, item, 2);
}

/** Its outline, and in it what is not waiting: user time, and system time in a paler colour. */
function parted(
  [user, sys]: [number, number],
  from: number,
  to: number,
  own: string,
  theme: Theme,
  rect: (from: number, to: number, style: object) => object,
): object[] {
  const at = (part: number) => from + (to - from) * part;
  return [
    rect(from, to, { fill: theme.paper, stroke: own, lineWidth: 1 }),
    ...(sys > 0 ? [rect(at(user), at(user + sys), { fill: own, opacity: 0.4 })] : []),
    ...(user > 0 ? [rect(from, at(user), { fill: own })] : []),
  ];
}

/** The right end of the published dots on a bar that lie where its figure would stand. */
function dotsEnd(
  chart: Bars,
  set: Set,
  row: number,
  end: number,
  at: (value: number) => number,
): number {
  const dots = chart.sets
    .filter((other) => other.on === chart.sets.indexOf(set))
    .flatMap((other) =>
      other.bars.filter((bar) => bar.row === row && bar.value.value <= chart.most),
    );
  const near = dots.map((bar) => at(bar.value.value)).filter((x) => x > end - 6 && x < end + 44);
  return Math.max(end, ...near.map((x) => x + 6));
}

function printed(chart: Bars, set: Set, theme: Theme, places: number[]): object {
  const item = (bar: Bar, api: Api) => {
    const beyond = bar.value.value > chart.most;
    const [x, y] = api.coord([
      beyond ? chart.most : bar.value.value,
      middle(chart, chart.sets[set.on!]!, bar.row, places),
    ]);
    if (beyond) return written("›", x + 2, y, theme.ink, "left", 15);
    return {
      ...outline(set.mark, x, y),
      style: { fill: theme.paper, stroke: theme.ink, lineWidth: 1.3 },
    };
  };
  return series(set, item, 3);
}

function series(set: Set, item: (bar: Bar, api: Api) => object, z: number): object {
  return {
    type: "custom",
    name: set.name,
    z,
    data: set.bars.map((bar) => ({
      value: [bar.value.value, bar.row],
      tip: tip(set.name, [bar.words]),
    })),
    encode: { x: 0, y: 1 },
    clip: false,
    renderItem: (where: { dataIndex: number }, api: Api) => item(set.bars[where.dataIndex]!, api),
  };
}

function outline(mark: Mark, x: number, y: number): object {
  const points = {
    rect: [
      [-3.5, -3.5],
      [3.5, -3.5],
      [3.5, 3.5],
      [-3.5, 3.5],
    ],
    triangle: [
      [0, -4.5],
      [4.5, 4],
      [-4.5, 4],
    ],
    diamond: [
      [0, -5],
      [5, 0],
      [0, 5],
      [-5, 0],
    ],
  };
  const name = shape(mark);
  if (name === "circle") return { type: "circle", shape: { cx: x, cy: y, r: 4 } };
  return { type: "polygon", shape: { points: points[name].map(([dx, dy]) => [x + dx!, y + dy!]) } };
}

function line(
  [x1, y1]: [number, number],
  [x2, y2]: [number, number],
  stroke: string,
  lineWidth = 1,
): object {
  return { type: "line", shape: { x1, y1, x2, y2 }, style: { stroke, lineWidth } };
}

function written(
  text: string,
  x: number,
  y: number,
  fill: string,
  align: "left" | "right",
  fontSize = 11,
  width?: number,
): object {
  return {
    type: "text",
    x,
    y,
    style: { text, fill, fontSize, align, verticalAlign: "middle", width, overflow: "truncate" },
  };
}
