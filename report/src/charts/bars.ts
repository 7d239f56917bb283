// Bars: whole files by digest and tool, ciphers by mode with and without the CPU's instructions.

import type { Bar, Bars, Mark } from "../data";
import { figure, tick } from "../figures";
import type { Theme } from "../theme";
import { type Drawing, Frame } from "./frame";
import { colour, shape, tip } from "./marks";
import { room, rowAxis } from "./rows";

export function bars(chart: Bars): Frame {
  const beyond = chart.sets.some((set) => set.on !== null && set.bars.some((bar) => bar.value.value > chart.most));
  const note = `${chart.unit}. ${chart.note}${beyond ? " ›: the published figure lies beyond the axis." : ""}`;
  return new Frame(chart.title, note, [], () => drawing(chart));
}

type Api = { value: (index: number) => number; coord: (point: number[]) => [number, number]; size: (size: number[]) => [number, number] };
type Set = Bars["sets"][number];

/** Pixels of a bar with the room to the next: few bars have their figure at their end. */
const pitch = (chart: Bars) => (slots(chart) <= 3 ? 13 : 8);
const slots = (chart: Bars) => chart.sets.filter((set) => set.on === null).length;
const slot = (chart: Bars, set: Set) => chart.sets.slice(0, chart.sets.indexOf(set)).filter((other) => other.on === null).length;

function drawing(chart: Bars): Drawing {
  const high = slots(chart) * pitch(chart) + 8;
  const key = ({ name, mark, on }: Set) => ({ name, mark: on === null ? { ...mark, shape: 1, hollow: false, outlined: mark.hollow } : mark });
  return {
    height: 60 + high * chart.rows.length,
    keys: chart.sets.map(key),
    option: (shown, theme, width) => {
      const left = room(chart.rows, width);
      const right = Math.max(20, slots(chart) <= 3 ? 46 : 20, 8 + 7 * Math.max(0, ...chart.ends.map((end) => end.length)) + (slots(chart) <= 3 ? 40 : 0));
      const ends = { type: "custom", silent: true, data: chart.ends.map((_, row) => [0, row]), encode: { x: 0, y: 1 }, renderItem: (where: { coordSys: { x: number; width: number } }, api: Api) => written(chart.ends[api.value(1)]!, where.coordSys.x + where.coordSys.width + right - 4, api.coord([0, api.value(1)])[1], theme.ink, "right") };
      return {
        grid: { left, right, top: 8, bottom: 46 },
        xAxis: { type: "value", min: 0, max: chart.most, name: chart.unit, nameLocation: "middle", nameGap: 28, nameTextStyle: { color: theme.muted, fontSize: 12 }, axisLabel: { color: theme.muted, fontSize: 11, formatter: tick, showMaxLabel: false, hideOverlap: true }, splitLine: { lineStyle: { color: theme.rule } } },
        yAxis: { ...rowAxis(chart.rows, theme, left), splitLine: { show: false } },
        series: [...chart.sets.filter((set) => shown(set.name)).map((set) => (set.on === null ? measured(chart, set, theme) : printed(chart, set, theme))), ends],
      };
    },
  };
}

function measured(chart: Bars, set: Set, theme: Theme): object {
  const half = pitch(chart) / 2 - 1;
  const item = (bar: Bar, api: Api) => {
    const mark = bar.mark ?? set.mark;
    const own = colour({ ...mark, hollow: false }, theme);
    const at = (value: number) => api.coord([value, bar.row])[0];
    const y = middle(chart, slot(chart, set), api.coord([0, bar.row])[1]);
    const whole = { type: "rect", shape: { x: at(0), y: y - half, width: Math.max(1, at(bar.value.value) - at(0)), height: 2 * half }, style: mark.hollow ? { fill: theme.paper, stroke: own, lineWidth: 1.3 } : { fill: own } };
    const spread = line([at(bar.value.low), y], [at(bar.value.high), y], theme.ink);
    const within = bar.within === null ? [] : [line([at(0), y + half + 1.5], [at(Math.min(bar.within, chart.most)), y + half + 1.5], own, 2)];
    const end = Math.max(at(bar.value.high), bar.within === null ? 0 : at(Math.min(bar.within, chart.most)));
    const words = slots(chart) <= 3 ? [written(figure(bar.value.value), end + 4, y, theme.muted, "left")] : [];
    return { type: "group", children: [whole, spread, ...within, ...words] };
  };
  return series(set, (bar, api) => item(bar, api), 2);
}

function printed(chart: Bars, set: Set, theme: Theme): object {
  const item = (bar: Bar, api: Api) => {
    const beyond = bar.value.value > chart.most;
    const [x, row] = api.coord([beyond ? chart.most : bar.value.value, bar.row]);
    const y = middle(chart, slot(chart, chart.sets[set.on!]!), row);
    if (beyond) return written("›", x + 2, y, theme.ink, "left", 15);
    return { ...outline(set.mark, x, y), style: { fill: theme.paper, stroke: theme.ink, lineWidth: 1.3 } };
  };
  return series(set, item, 3);
}

function series(set: Set, item: (bar: Bar, api: Api) => object, z: number): object {
  return {
    type: "custom",
    name: set.name,
    z,
    data: set.bars.map((bar) => ({ value: [bar.value.value, bar.row], tip: tip(set.name, [bar.words]) })),
    encode: { x: 0, y: 1 },
    clip: false,
    renderItem: (where: { dataIndex: number }, api: Api) => item(set.bars[where.dataIndex]!, api),
  };
}

/** The middle of a bar, from that of its row. */
function middle(chart: Bars, slot: number, row: number): number {
  return row + (slot - (slots(chart) - 1) / 2) * pitch(chart);
}

function outline(mark: Mark, x: number, y: number): object {
  const points = { rect: [[-3.5, -3.5], [3.5, -3.5], [3.5, 3.5], [-3.5, 3.5]], triangle: [[0, -4.5], [4.5, 4], [-4.5, 4]], diamond: [[0, -5], [5, 0], [0, 5], [-5, 0]] };
  const name = shape(mark);
  if (name === "circle") return { type: "circle", shape: { cx: x, cy: y, r: 4 } };
  return { type: "polygon", shape: { points: points[name].map(([dx, dy]) => [x + dx!, y + dy!]) } };
}

function line([x1, y1]: [number, number], [x2, y2]: [number, number], stroke: string, lineWidth = 1): object {
  return { type: "line", shape: { x1, y1, x2, y2 }, style: { stroke, lineWidth } };
}

function written(text: string, x: number, y: number, fill: string, align: "left" | "right", fontSize = 11): object {
  return { type: "text", x, y, style: { text, fill, fontSize, align, verticalAlign: "middle" } };
}
