// How the core behaved while it was measured: clean samples, frequency, instructions per cycle.

import type { Moment } from "../data";
import { bytes, figure } from "../figures";
import { type Drawing, Frame } from "./frame";
import { tip } from "./marks";

export function behaviour(moments: Moment[]): Frame | undefined {
  if (moments.length < 2) return undefined;
  const timed = moments.every((moment) => moment.began_ms !== null);
  const note = timed
    ? "From the run's beginning, a dot for each group that was measured in turn."
    : "In the order of the study: this record does not say when.";
  return new Frame("The core while it was measured", note, [], () => drawing(moments, timed));
}

const LINES: { name: string; of: (moment: Moment) => number; least: number }[] = [
  { name: "clean samples, %", of: (moment) => (100 * moment.clean) / moment.total, least: 0 },
  { name: "GHz", of: (moment) => moment.ghz, least: NaN },
  { name: "instructions per cycle", of: (moment) => moment.ipc, least: 0 },
];

function drawing(moments: Moment[], timed: boolean): Drawing {
  const at = (moment: Moment, place: number) => (timed ? moment.began_ms! / 1000 : place + 1);
  return {
    height: 360,
    keys: [],
    option: (_, { muted, rule, colours }) => ({
      grid: LINES.map((_, index) => ({ left: 52, right: 16, top: 26 + 106 * index, height: 70 })),
      xAxis: LINES.map((_, index) => ({
        type: "value",
        gridIndex: index,
        max: "dataMax",
        min: timed ? 0 : 1,
        name: index === 2 ? (timed ? "seconds" : "group") : "",
        nameLocation: "middle",
        nameGap: 24,
        nameTextStyle: { color: muted },
        axisLabel: { show: index === 2, color: muted, fontSize: 11, showMaxLabel: false },
        axisLine: { lineStyle: { color: rule } },
        splitLine: { show: false },
      })),
      yAxis: LINES.map(({ name, least }, index) => ({
        type: "value",
        gridIndex: index,
        scale: Number.isNaN(least),
        min: Number.isNaN(least) ? undefined : least,
        max: index === 0 ? 100 : undefined,
        splitNumber: 2,
        name,
        nameTextStyle: { color: muted, align: "left", padding: [0, 0, 0, -40] },
        nameGap: 8,
        axisLabel: { color: muted, fontSize: 11 },
        splitLine: { lineStyle: { color: rule } },
      })),
      series: LINES.map(({ name, of }, index) => ({
        type: "line",
        xAxisIndex: index,
        yAxisIndex: index,
        symbol: "circle",
        symbolSize: 4,
        itemStyle: { color: colours[0] },
        lineStyle: { width: 1, opacity: 0.5 },
        data: moments.map((moment, place) => ({
          value: [at(moment, place), of(moment)],
          tip: tip(`${moment.algorithm}, ${bytes(moment.size)}`, [
            `${name}: ${figure(of(moment))}`,
            `${moment.clean} of ${moment.total} samples clean`,
          ]),
        })),
      })),
    }),
  };
}
