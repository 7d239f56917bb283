// The scoreboard: a row for each length of message, a dot for each algorithm, further right where
// hashdyno is further ahead.

import type { Strip, StripDot } from "../data";
import { logAxis } from "../figures";
import { type Drawing, Frame } from "./frame";
import { type Mark, colour, logScale, rules, shape, tip } from "./marks";

const STANDINGS: Record<StripDot["standing"], Mark> = {
  win: { hue: 0, shape: 0, dashed: false, hollow: false },
  tie: { hue: 2, shape: 1, dashed: false, hollow: false },
  loss: { hue: 1, shape: 3, dashed: false, hollow: false },
};
/** Pixels from dot to dot of a heap, of a row's words, and about them. */
const STEP = 7;
const WORDS = 20;

export function strip(board: Strip): Frame {
  const note =
    "Time of the best other provider / time of hashdyno, a dot for each algorithm. " +
    "Right of 1 hashdyno is faster.";
  return new Frame("hashdyno against the best of the others", note, [], () => drawing(board));
}

function drawing(board: Strip): Drawing {
  const reach = (row: Strip["rows"][number]) =>
    5 + STEP * Math.max(0, ...row.dots.map((dot) => Math.abs(dot.up)));
  let top = 0;
  const rows = board.rows.map((row) => {
    const words = top + WORDS / 2;
    const middle = top + WORDS + reach(row);
    top = middle + reach(row) + 8;
    return { ...row, words, middle };
  });
  const x = logAxis([
    ...board.rows.flatMap((row) => row.dots.map((dot) => dot.ratio.value)),
    0.95,
    1.05,
  ]);
  const standings = (Object.keys(STANDINGS) as StripDot["standing"][]).filter((name) =>
    board.rows.some((row) => row.dots.some((dot) => dot.standing === name)),
  );
  const count = (name: string) =>
    board.rows.reduce(
      (sum, row) => sum + row.dots.filter((dot) => dot.standing === name).length,
      0,
    );
  const name = (standing: string) => `${standing}: ${count(standing)}`;
  return {
    height: top + 54,
    keys: standings.map((standing) => ({ name: name(standing), mark: STANDINGS[standing] })),
    option: (shown, theme) => ({
      grid: { left: 12, right: 12, top: 4, bottom: 46 },
      xAxis: {
        ...logScale(x, "times as long as hashdyno", theme),
        nameGap: 28,
        axisLine: { show: false },
      },
      yAxis: { type: "value", inverse: true, min: 0, max: top, show: false },
      series: [
        rules(x.ticks, "x", theme),
        rules([1], "x", { ...theme, rule: theme.ink }),
        {
          type: "custom",
          silent: true,
          data: rows.map((row) => [x.min, row.words]),
          renderItem: (
            where: { dataIndex: number },
            api: { coord: (point: number[]) => [number, number] },
          ) => {
            const row = rows[where.dataIndex]!;
            const [left, y] = api.coord([x.min, row.words]);
            const [win, tie, loss] = row.counts;
            const text = `${row.name}: ${win} win, ${tie} tie, ${loss} loss`;
            return {
              type: "text",
              x: left + 2,
              y,
              style: {
                text,
                fill: theme.ink,
                fontSize: 12,
                verticalAlign: "middle",
                stroke: theme.paper,
                lineWidth: 3,
              },
            };
          },
        },
        ...standings
          .filter((standing) => shown(name(standing)))
          .map((standing) => ({
            type: "scatter",
            name: standing,
            symbol: shape(STANDINGS[standing]),
            symbolSize: shape(STANDINGS[standing]) === "diamond" ? 8 : 6,
            itemStyle: { color: colour(STANDINGS[standing], theme) },
            data: rows.flatMap((row) =>
              row.dots
                .filter((dot) => dot.standing === standing)
                .map((dot) => ({
                  value: [dot.ratio.value, row.middle - STEP * dot.up],
                  tip: tip(`${dot.name}, ${row.name}`, [dot.words]),
                })),
            ),
          })),
      ],
    }),
  };
}
