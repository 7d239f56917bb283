// Hardware beside software: the same code with the CPU's features and without, and how many times
// as fast it is with them.

import type { Pair } from "../data";
import { bytes, interval, logAxis } from "../figures";
import { type Unit, unit } from "../units";
import { type Drawing, Frame } from "./frame";
import { type Mark, bars, colour, dots, logScale, rules, tip, told } from "./marks";
import { type Directed, cell, marked } from "./plots";
import { times } from "./published";
import { room, rowAxis } from "./rows";

export function pairs(plot: Directed): Frame | undefined {
  const sizes = plot.sizes
    .filter((size) => plot.pairs.some((pair) => pair.size === size))
    .reverse();
  if (sizes.length === 0) return undefined;
  const options: [string, string][] = sizes.map((size) => [String(size), bytes(size)]);
  const note = "The figure at the right says how many times as fast it is with the CPU's features.";
  return new Frame("Hardware beside software", note, [{ label: "Message of", options }], ([size]) =>
    drawing(plot, Number(size), unit(plot, "GB/s")),
  );
}

interface Side {
  name: string;
  mark: Mark;
}

function drawing(plot: Directed, size: number, unit: Unit): Drawing {
  const several = new Set(plot.pairs.map((pair) => pair.software)).size > 1;
  const rows = plot.algorithms.flatMap((algorithm) =>
    plot.pairs.filter((pair) => pair.size === size && pair.algorithm === algorithm),
  );
  const labels = rows.map((pair) =>
    several ? `${pair.algorithm}, ${pair.software}` : pair.algorithm,
  );
  const sets: Side[] = marked(plot).filter(({ name }) =>
    plot.pairs.some((pair) => pair.hardware === name || pair.software === name),
  );
  const value = (pair: Pair, source: string) => {
    const found = cell(plot, source, pair.algorithm, size);
    return found && unit.of(found);
  };
  const values = rows.map((pair) => ({
    pair,
    hardware: value(pair, pair.hardware),
    software: value(pair, pair.software),
  }));
  const x = logAxis(
    values
      .flatMap((row) => [row.hardware, row.software])
      .flatMap((rate) => (rate ? [rate.low, rate.high] : [])),
  );
  const points = ({ name }: Side) =>
    values.flatMap(({ pair, hardware, software }, place) => {
      const found =
        pair.hardware === name ? hardware : pair.software === name ? software : undefined;
      return found ? [{ at: place, spread: found, pair }] : [];
    });
  return {
    height: 74 + 19 * Math.max(rows.length, 3),
    keys: sets,
    option: (shown, theme, width) => ({
      grid: { left: room(labels, width), right: 64, top: 12, bottom: 46 },
      xAxis: { ...logScale(x, unit.name, theme), nameGap: 28 },
      yAxis: [
        rowAxis(labels, theme, room(labels, width)),
        {
          ...rowAxis(
            rows.map((pair) => times(pair.ratio.value)),
            theme,
            64,
          ),
          position: "right",
          splitLine: { show: false },
        },
      ],
      series: [
        rules(x.ticks, "x", theme),
        ...values.flatMap((row, place) =>
          shown(row.pair.hardware) && shown(row.pair.software)
            ? [joined(row, place, theme.muted)]
            : [],
        ),
        ...sets
          .filter((set) => shown(set.name))
          .flatMap((set) => [
            {
              type: "scatter",
              name: set.name,
              ...dots(set.mark, theme),
              data: points(set).map(({ at, spread, pair }) => ({
                value: [spread.value, at],
                tip: tip(set.name, [
                  pair.algorithm,
                  told(spread, unit.name),
                  `${interval(pair.ratio)} times as fast with the CPU's features`,
                ]),
              })),
            },
            bars(points(set), "x", colour(set.mark, theme)),
          ]),
        { type: "scatter", yAxisIndex: 1, silent: true, data: [] },
      ],
    }),
  };
}

/** A line from one dot of a pair to the other. */
function joined(
  { hardware, software }: { hardware?: { value: number }; software?: { value: number } },
  row: number,
  stroke: string,
): object {
  const data =
    hardware && software
      ? [
          [software.value, row],
          [hardware.value, row],
        ]
      : [];
  return {
    type: "line",
    silent: true,
    symbol: "none",
    z: 1,
    lineStyle: { color: stroke, width: 1 },
    data,
  };
}
