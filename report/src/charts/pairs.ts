// Hardware beside software: the same code with the CPU's features and without, and how many times as fast it is with them.

import type { Pair } from "../data";
import { bytes, figure, interval, logAxis } from "../figures";
import { type Drawing, Frame } from "./frame";
import { type Mark, bars, colour, dots, logScale, rules, tip, told } from "./marks";
import { type Directed, cell } from "./plots";
import { rowAxis } from "./published";

export function pairs(plot: Directed): Frame | undefined {
  const sizes = plot.sizes.filter((size) => plot.pairs.some((pair) => pair.size === size)).reverse();
  if (sizes.length === 0) return undefined;
  const options: [string, string][] = sizes.map((size) => [String(size), bytes(size)]);
  const note = "The figure at the right says how many times as fast it is with the CPU's features.";
  return new Frame("Hardware beside software", note, [{ label: "Message of", options }], ([size]) => drawing(plot, Number(size)));
}

function drawing(plot: Directed, size: number): Drawing {
  const hardware = [...new Set(plot.pairs.map((pair) => pair.hardware))];
  const software = [...new Set(plot.pairs.map((pair) => pair.software))];
  const several = software.length > 1;
  const rows = plot.algorithms.flatMap((algorithm) => plot.pairs.filter((pair) => pair.size === size && pair.algorithm === algorithm));
  const labels = rows.map((pair) => (several ? `${pair.algorithm}, ${pair.software}` : pair.algorithm));
  const sets = [...hardware.map((name, index) => ({ name, mark: { index }, side: "hardware" as const })), ...software.map((name, index) => ({ name, mark: { index: hardware.length + index }, side: "software" as const }))];
  const rate = (pair: Pair, side: "hardware" | "software") => cell(plot, pair[side], pair.algorithm, size)?.gigabytes_per_second;
  const rates = rows.map((pair) => ({ pair, hardware: rate(pair, "hardware"), software: rate(pair, "software") }));
  const x = logAxis(rates.flatMap((row) => [row.hardware, row.software]).flatMap((rate) => (rate ? [rate.low, rate.high] : [])));
  const points = (set: { name: string; mark: Mark; side: "hardware" | "software" }) =>
    rates.flatMap((row, place) => {
      const found = row[set.side];
      return found && row.pair[set.side] === set.name ? [{ at: place, spread: found, pair: row.pair }] : [];
    });
  return {
    height: 74 + 19 * Math.max(rows.length, 3),
    keys: sets,
    option: (shown, theme) => ({
      grid: { left: 8 + 6.6 * Math.max(...labels.map((label) => label.length)), right: 64, top: 12, bottom: 46 },
      xAxis: { ...logScale(x, "GB/s", theme), nameGap: 28 },
      yAxis: [rowAxis(labels, theme), { ...rowAxis(rows.map((pair) => `× ${figure(pair.ratio.value)}`), theme), position: "right", splitLine: { show: false } }],
      series: [
        rules(x.ticks, "x", theme),
        ...rates.filter(({ pair }) => shown(pair.hardware) && shown(pair.software)).map((row) => joined(row, rates.indexOf(row as (typeof rates)[number]), theme.muted)),
        ...sets.filter((set) => shown(set.name)).flatMap((set) => [
          { type: "scatter", name: set.name, ...dots(set.mark, theme), data: points(set).map(({ at, spread, pair }) => ({ value: [spread.value, at], tip: tip(set.name, [pair.algorithm, told(spread, "GB/s"), `${interval(pair.ratio)} times as fast with the CPU's features`]) })) },
          bars(points(set), "x", colour(set.mark, theme)),
        ]),
        { type: "scatter", yAxisIndex: 1, silent: true, data: [] },
      ],
    }),
  };
}

/** A line from one dot of a pair to the other. */
function joined({ hardware, software }: { hardware?: { value: number }; software?: { value: number } }, row: number, stroke: string): object {
  const data = hardware && software ? [[software.value, row], [hardware.value, row]] : [];
  return { type: "line", silent: true, symbol: "none", z: 1, lineStyle: { color: stroke, width: 1 }, data };
}
