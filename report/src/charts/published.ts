// Published beside measured: a row for each algorithm, filled dots from here, hollow ones from the document.

import type { Interval } from "../data";
import { bytes, logAxis } from "../figures";
import { type Drawing, Frame } from "./frame";
import { type Mark, bars, colour, dots, logScale, rules, tip, told } from "./marks";
import { type Directed, cell } from "./plots";

export function published(plot: Directed): Frame | undefined {
  const printed = plot.published.flatMap((block) => block.figures).filter((point) => point.value !== null);
  const inside = (size: number) => (plot.published.length > 0 ? printed : plot.measured).some((point) => point.size === size);
  const sizes = plot.sizes.filter(inside).reverse();
  if (sizes.length === 0) return undefined;
  const options: [string, string][] = sizes.map((size) => [String(size), bytes(size)]);
  const note = `${plot.unit}, ${plot.rate ? "more" : "less"} is faster; fastest first.`;
  return new Frame(plot.published.length > 0 ? "Published beside measured" : "All side by side", note, [{ label: "Message of", options }], ([size]) => drawing(plot, Number(size)));
}

interface Dots {
  name: string;
  mark: Mark;
  points: { row: number; spread: Interval; words: string[]; exact: boolean }[];
}

function drawing(plot: Directed, size: number): Drawing {
  const rows = ordered(plot, size);
  const here = plot.sources.map((source, index) => ({
    name: source,
    mark: { index },
    points: rows.flatMap((algorithm, row) => {
      const found = cell(plot, source, algorithm, size);
      return found ? [{ row, spread: found.value, words: [algorithm, told(found.value, plot.unit), found.implementation && `by ${found.implementation}`], exact: false }] : [];
    }),
  }));
  const there = plot.published.map(({ id, machine, figures }, index) => ({
    name: `published ${id}`,
    mark: { index, hollow: true },
    points: figures.flatMap((figure) => {
      const row = rows.indexOf(figure.algorithm);
      const value = figure.value!;
      const words = [figure.algorithm, `${figure.printed}, ${machine}`];
      return figure.size === size && row >= 0 && figure.value !== null ? [{ row, spread: { value, low: value, high: value }, words, exact: true }] : [];
    }),
  }));
  return dotted(rows, [...there, ...here].filter((dots) => dots.points.length > 0), plot.unit);
}

/** A dot plot: rows of names, a logarithmic axis of figures. */
function dotted(rows: string[], sets: Dots[], unit: string): Drawing {
  const x = logAxis(sets.flatMap((set) => set.points.flatMap(({ spread }) => [spread.low, spread.high])));
  return {
    height: 74 + 17 * Math.max(rows.length, 3),
    keys: sets,
    option: (shown, theme) => ({
      grid: { left: 8 + 6.6 * Math.max(...rows.map((row) => row.length)), right: 20, top: 12, bottom: 46 },
      xAxis: { ...logScale(x, unit, theme), nameGap: 28 },
      yAxis: rowAxis(rows, theme),
      series: [
        rules(x.ticks, "x", theme),
        ...sets.filter((set) => shown(set.name)).flatMap((set) => [
          { type: "scatter", name: set.name, ...dots(set.mark, theme), z: set.mark.hollow ? 3 : 2, data: set.points.map(({ row, spread, words }) => ({ value: [spread.value, row], tip: tip(set.name, words) })) },
          bars(set.points.filter((point) => !point.exact).map(({ row, spread }) => ({ at: row, spread })), "x", colour(set.mark, theme)),
        ]),
      ],
    }),
  };
}

/** A row for each name, the first at the top, each with a faint line to follow. */
export function rowAxis(rows: string[], { ink, rule }: { ink: string; rule: string }): object {
  return {
    type: "category",
    inverse: true,
    data: rows,
    axisLine: { show: false },
    axisTick: { show: false },
    axisLabel: { interval: 0, color: ink, fontSize: 11 },
    splitLine: { show: true, interval: 0, lineStyle: { color: rule, opacity: 0.5 } },
  };
}

/** Fastest first, by the source that the table is about; what it lacks comes last. */
function ordered(plot: Directed, size: number): string[] {
  const order = (algorithm: string) => {
    const value = cell(plot, plot.main, algorithm, size)?.value.value;
    return value === undefined ? Infinity : plot.rate ? -value : value;
  };
  const printed = new Set(plot.published.flatMap((block) => block.figures).filter((figure) => figure.size === size).map((figure) => figure.algorithm));
  const shown = plot.algorithms.filter((name) => (printed.size > 0 ? printed.has(name) : plot.sources.some((source) => cell(plot, source, name, size))));
  return shown.map((name): [string, number] => [name, order(name)]).sort((a, b) => (a[1] === b[1] ? 0 : a[1] - b[1])).map(([name]) => name);
}

