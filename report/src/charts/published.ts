// Published beside measured: a row for each algorithm, filled dots from here, hollow ones from the
// document.

import type { Interval } from "../data";
import { bytes, figure, logAxis } from "../figures";
import { type Unit, unit } from "../units";
import { type Drawing, Frame } from "./frame";
import { type Mark, bars, colour, dots, logScale, ofDocument, rules, tip, told } from "./marks";
import { type Directed, cell, marked } from "./plots";
import { room, rowAxis } from "./rows";

export function published(plot: Directed): Frame | undefined {
  const printed = plot.published
    .flatMap((block) => block.figures)
    .filter((point) => point.value !== null);
  const inside = (size: number) =>
    (plot.published.length > 0 ? printed : plot.measured).some((point) => point.size === size);
  const sizes = plot.sizes.filter(inside).reverse();
  if (sizes.length === 0) return undefined;
  const options: [string, string][] = sizes.map((size) => [String(size), bytes(size)]);
  const title = plot.published.length > 0 ? "Published beside measured" : "All side by side";
  return new Frame(title, "Fastest first.", [{ label: "Message of", options }], ([size]) =>
    drawing(plot, Number(size), unit(plot, "")),
  );
}

export interface Dots {
  name: string;
  mark: Mark;
  points: { row: number; spread: Interval; words: string[]; exact: boolean }[];
}

function drawing(plot: Directed, size: number, unit: Unit): Drawing {
  const rows = ordered(plot, size, unit);
  const here = marked(plot).map(({ name, mark }) => ({
    name,
    mark,
    points: rows.flatMap((algorithm, row) => {
      const found = cell(plot, name, algorithm, size);
      const value = found && unit.of(found);
      return value
        ? [
            {
              row,
              spread: value,
              words: [
                algorithm,
                told(value, unit.name),
                found.implementation && `by ${found.implementation}`,
              ],
              exact: false,
            },
          ]
        : [];
    }),
  }));
  const there = plot.published.map(({ id, machine, figures }, place) => ({
    name: `published ${id}`,
    mark: ofDocument(place),
    points: figures.flatMap((figure) => {
      const row = rows.indexOf(figure.algorithm);
      const value = unit.printed(figure);
      const words = [figure.algorithm, `${figure.printed}, ${machine}`];
      return figure.size === size && row >= 0 && value !== undefined
        ? [{ row, spread: { value, low: value, high: value }, words, exact: true }]
        : [];
    }),
  }));
  const note = `${unit.name}, ${unit.rate ? "more" : "less"} is faster; fastest first.`;
  return dotted(
    rows,
    [...there, ...here].filter((dots) => dots.points.length > 0),
    unit.name,
    note,
  );
}

/**
 * A dot plot: rows of names, a logarithmic axis of figures. Published figures far beyond every
 * measured one stand at its ends.
 */
export function dotted(
  rows: string[],
  sets: Dots[],
  unit: string,
  note: string,
  ends: string[] = [],
): Drawing {
  const ofSets = (exact: boolean) =>
    sets.flatMap((set) =>
      set.points
        .filter((point) => point.exact === exact)
        .flatMap(({ spread }) => [spread.low, spread.high]),
    );
  const [measured, printed] = [ofSets(false), ofSets(true)];
  const near = (value: number) =>
    measured.length === 0 ||
    (value >= Math.min(...measured) / FAR && value <= Math.max(...measured) * FAR);
  const x = logAxis([...measured, ...printed.filter(near)]);
  const beyond = printed.some((value) => !near(value));
  const clamped = (value: number) => Math.min(x.max, Math.max(x.min, value));
  const aside = (value: number) =>
    near(value) ? {} : { symbol: "arrow", symbolSize: 9, symbolRotate: value > x.max ? -90 : 90 };
  return {
    height: 74 + 17 * Math.max(rows.length, 3),
    keys: sets,
    note: beyond ? `${note} An arrow: a published figure beyond the axis.` : note,
    option: (shown, theme, width) => ({
      grid: { left: room(rows, width), right: ends.length > 0 ? 64 : 20, top: 12, bottom: 46 },
      xAxis: { ...logScale(x, unit, theme), nameGap: 28 },
      yAxis: [
        rowAxis(rows, theme, room(rows, width)),
        ...(ends.length > 0
          ? [{ ...rowAxis(ends, theme, 64), position: "right", splitLine: { show: false } }]
          : []),
      ],
      series: [
        rules(x.ticks, "x", theme),
        ...sets
          .filter((set) => shown(set.name))
          .flatMap((set) => [
            {
              type: "scatter",
              name: set.name,
              ...dots(set.mark, theme),
              z: set.mark.hollow ? 3 : 2,
              data: set.points.map(({ row, spread, words }) => ({
                value: [clamped(spread.value), row],
                tip: tip(set.name, words),
                ...aside(spread.value),
              })),
            },
            bars(
              set.points
                .filter((point) => !point.exact)
                .map(({ row, spread }) => ({ at: row, spread })),
              "x",
              colour(set.mark, theme),
            ),
          ]),
        ...(ends.length > 0 ? [{ type: "scatter", yAxisIndex: 1, silent: true, data: [] }] : []),
      ],
    }),
  };
}

/** A published figure this many times beyond every measured one lies outside of the axis. */
const FAR = 5;

/** Fastest first, by the source that the table is about; what it lacks comes last. */
function ordered(plot: Directed, size: number, unit: Unit): string[] {
  const order = (algorithm: string) => {
    const found = cell(plot, plot.main, algorithm, size);
    const value = found && unit.of(found)?.value;
    return value === undefined ? Infinity : unit.rate ? -value : value;
  };
  const printed = new Set(
    plot.published
      .flatMap((block) => block.figures)
      .filter((figure) => figure.size === size)
      .map((figure) => figure.algorithm),
  );
  const shown = plot.algorithms.filter((name) =>
    printed.size > 0
      ? printed.has(name)
      : plot.sources.some((source) => cell(plot, source, name, size)),
  );
  return shown
    .map((name): [string, number] => [name, order(name)])
    .sort((a, b) => (a[1] === b[1] ? 0 : a[1] - b[1]))
    .map(([name]) => name);
}

/** `× 4.200` at the right of a row. */
export function times(ratio: number): string {
  return `× ${figure(ratio)}`;
}
