// Throughput by message size: a line for each provider of one algorithm, or for each algorithm of
// one provider.

import type { Measured } from "../data";
import { bytes, logAxis } from "../figures";
import type { Theme } from "../theme";
import { type Unit, unit } from "../units";
import { type Drawing, Frame } from "./frame";
import { type Mark, bars, byPlace, colour, dots, logScale, rules, tip, told } from "./marks";
import { type Directed, marked } from "./plots";

export function throughput(plot: Directed): Frame | undefined {
  const sizes = new Set(plot.measured.map((cell) => cell.size).filter((size) => size > 0));
  if (sizes.size < 2) return undefined;
  const algorithms = plot.algorithms.filter((name) =>
    plot.measured.some((cell) => cell.algorithm === name),
  );
  const sources = marked(plot);
  const bySource: [string, string][] = sources.map(({ name }) => [
    `source ${name}`,
    `each algorithm, ${name}`,
  ]);
  const providers = (name: string) =>
    new Set(plot.measured.filter((cell) => cell.algorithm === name).map((cell) => cell.source))
      .size;
  const byAlgorithm: [string, string][] = [...algorithms]
    .sort((a, b) => providers(b) - providers(a))
    .map((name) => [`algorithm ${name}`, `each provider, ${name}`]);
  const main = bySource.filter(([key]) => key === `source ${plot.main}`);
  const rest = bySource.filter((option) => !main.includes(option));
  const few = algorithms.length > 1 && algorithms.length <= MANY;
  const options = few ? [...main, ...rest, ...byAlgorithm] : [...byAlgorithm, ...main, ...rest];
  const title = plot.many
    ? "Throughput of many messages by their size"
    : "Throughput by message size";
  return new Frame(
    title,
    "Both axes are logarithmic; a bar over a dot is its interval.",
    [{ label: "A line for", options }],
    ([chosen]) => {
      const cut = chosen!.indexOf(" ");
      const [kind, name] = [chosen!.slice(0, cut), chosen!.slice(cut + 1)];
      const own = plot.measured.filter(
        (cell) => (kind === "source" ? cell.source : cell.algorithm) === name,
      );
      const all =
        kind === "source"
          ? algorithms.map((name) => ({ name, mark: byPlace(plot.algorithms.indexOf(name)) }))
          : sources;
      const lines = all.map((line) => ({
        ...line,
        cells: own
          .filter((cell) => (kind === "source" ? cell.algorithm : cell.source) === line.name)
          .sort((a, b) => a.size - b.size),
      }));
      return drawing(
        lines.filter((line) => line.cells.length > 0),
        unit(plot, "GB/s"),
      );
    },
  );
}

/** More lines than this are not shown at once. */
const MANY = 16;
/** Up to this number of lines, each has its name at its end. */
const NAMED = 8;

interface Line {
  name: string;
  mark: Mark;
  cells: Measured[];
}

function drawing(lines: Line[], unit: Unit): Drawing {
  // No logarithmic axis has a place for a message of no bytes.
  const values = (line: Line) =>
    line.cells
      .filter((cell) => cell.size > 0)
      .flatMap((cell) => (unit.of(cell) ? [{ cell, value: unit.of(cell)! }] : []));
  const all = lines.flatMap(values);
  const sizes = [...new Set(all.map(({ cell }) => cell.size))].sort((a, b) => a - b);
  const x = { ...logAxis(sizes), ticks: sizes };
  const y = logAxis(all.flatMap(({ value }) => [value.low, value.high]));
  return {
    height: 380,
    keys: lines,
    first: MANY,
    option: (shown, theme, width) => {
      const drawn = lines.filter((line) => shown(line.name));
      const named = drawn.length <= NAMED && width > 500;
      const right = named
        ? Math.min(150, 16 + 6.8 * Math.max(4, ...drawn.map((line) => line.name.length)))
        : 16;
      return {
        grid: { left: 62, right, top: 12, bottom: 46 },
        xAxis: { ...logScale(x, "message, bytes", theme, String), nameGap: 28 },
        yAxis: { ...logScale(y, unit.name, theme), nameGap: 44 },
        series: [
          rules(y.ticks, "y", theme),
          ...drawn.flatMap((line) => [
            {
              type: "line",
              name: line.name,
              ...dots(line.mark, theme),
              lineStyle: { width: 1.5, type: line.mark.dashed ? "dashed" : "solid" },
              emphasis: { focus: "series" },
              data: values(line).map(({ cell, value }) => ({
                value: [cell.size, value.value],
                tip: tip(line.name, facts(cell, told(value, unit.name))),
              })),
            },
            bars(
              values(line).map(({ cell, value }) => ({ at: cell.size, spread: value })),
              "y",
              colour(line.mark, theme),
            ),
          ]),
          ...(named
            ? [
                labels(
                  drawn.flatMap((line) => ends(line, values(line).at(-1))),
                  theme,
                  right - 12,
                ),
              ]
            : []),
        ],
      };
    },
  };
}

interface End {
  line: Line;
  at: [number, number];
}

function ends(line: Line, last: { cell: Measured; value: { value: number } } | undefined): End[] {
  return last ? [{ line, at: [last.cell.size, last.value.value] }] : [];
}

/** The names at the lines' ends, moved apart where they would lie on each other. */
function labels(ends: End[], theme: Theme, width: number): object {
  type Api = { coord: (point: [number, number]) => [number, number] };
  const placed = (api: Api, bottom: number) => {
    const all = ends.map((end) => ({ ...end, y: api.coord(end.at)[1] })).sort((a, b) => a.y - b.y);
    all.forEach((end, place) => place > 0 && (end.y = Math.max(end.y, all[place - 1]!.y + LINE)));
    all
      .reverse()
      .forEach(
        (end, place) => (end.y = Math.min(end.y, place > 0 ? all[place - 1]!.y - LINE : bottom)),
      );
    return all;
  };
  return {
    type: "custom",
    silent: true,
    clip: false,
    data: ends.length > 0 ? [ends[0]!.at] : [],
    renderItem: (
      where: { coordSys: { x: number; y: number; width: number; height: number } },
      api: Api,
    ) => {
      const { x, y, width: wide, height } = where.coordSys;
      const text = ({ line, y }: End & { y: number }) => ({
        type: "text",
        x: x + wide + 8,
        y,
        style: {
          text: line.name,
          fill: theme.ink,
          fontSize: 11,
          verticalAlign: "middle",
          width,
          overflow: "truncate",
        },
      });
      return { type: "group", children: placed(api, y + height).map(text) };
    },
  };
}

/** Pixels from name to name. */
const LINE = 13;

function facts({ size, implementation, few }: Measured, figure: string): string[] {
  return [
    bytes(size),
    figure,
    implementation && `by ${implementation}`,
    few ? "too few clean samples" : "",
  ];
}
