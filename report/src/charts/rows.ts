// Rows of names beside a chart.

import type { Theme } from "../theme";

/** Pixels for the names, on a narrow page at most two fifths. */
export function room(rows: string[], width: number): number {
  return Math.min(
    12 + 7.2 * Math.max(...rows.map((row) => row.length)),
    Math.max(110, 0.4 * width),
  );
}

/** A row for each name, the first at the top, each with a faint line to follow. */
export function rowAxis(rows: string[], { ink, rule }: Theme, room: number): object {
  return {
    type: "category",
    inverse: true,
    data: rows,
    axisLine: { show: false },
    axisTick: { show: false },
    axisLabel: { interval: 0, color: ink, fontSize: 11, width: room - 8, overflow: "truncate" },
    splitLine: { show: true, interval: 0, lineStyle: { color: rule, opacity: 0.5 } },
  };
}
