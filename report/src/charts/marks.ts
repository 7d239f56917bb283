// Dots, lines and error bars.

import type { Interval, Mark as Given } from "../data";
import { interval, spread, tick } from "../figures";
import type { Theme } from "../theme";

/** How a set of dots looks; `outlined` is of another machine than the first. */
export interface Mark extends Given {
  outlined?: boolean;
}

/** What is no source, such as an algorithm, looks by its place in its table. */
export function byPlace(place: number): Mark {
  return {
    hue: place % 8,
    shape: (place + Math.floor(place / 8)) % 4,
    dashed: false,
    hollow: false,
  };
}

/** What a document printed, by its place in the table. */
export function ofDocument(place: number): Mark {
  return { hue: 0, shape: (3 + place) % 4, dashed: false, hollow: true };
}

const SHAPES = ["circle", "rect", "triangle", "diamond"] as const;
const OUTLINES = {
  circle: '<circle cx="6" cy="6" r="4"/>',
  rect: '<rect x="2.5" y="2.5" width="7" height="7"/>',
  triangle: '<path d="M6 1.5 10.5 10h-9Z"/>',
  diamond: '<path d="M6 .8 11 6l-5 5.2L1 6Z"/>',
};

export function colour({ hue, hollow }: Mark, theme: Theme): string {
  return hollow ? theme.ink : theme.colours[hue % theme.colours.length]!;
}

export function shape({ shape }: Mark): (typeof SHAPES)[number] {
  return SHAPES[shape % SHAPES.length]!;
}

/** What ECharts calls the mark. */
export function dots(mark: Mark, theme: Theme): object {
  const own = colour(mark, theme);
  const itemStyle =
    mark.hollow || mark.outlined
      ? { color: theme.paper, borderColor: own, borderWidth: 1.5 }
      : { color: own };
  return { symbol: shape(mark), symbolSize: shape(mark) === "rect" ? 7 : 8, itemStyle };
}

/** The mark as a small picture for the legend. */
export function swatch(mark: Mark, theme: Theme): SVGElement {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const own = colour(mark, theme);
  const style =
    mark.hollow || mark.outlined
      ? `fill="${theme.paper}" stroke="${own}" stroke-width="1.5"`
      : `fill="${own}"`;
  picture.setAttribute("viewBox", "0 0 12 12");
  picture.setAttribute("aria-hidden", "true");
  picture.innerHTML = `<g ${style}>${OUTLINES[shape(mark)]}</g>`;
  return picture;
}

/**
 * The spread: a bar from low to high with its ends, over every dot; along x if the values lie on x.
 */
export function bars(
  points: { at: number; spread: Interval }[],
  along: "x" | "y",
  stroke: string,
): object {
  const end = along === "x" ? [0, 3] : [3, 0];
  const point = (at: number, value: number) => (along === "x" ? [value, at] : [at, value]);
  type Api = { value: (index: number) => number; coord: (point: number[]) => [number, number] };
  const line = ([x1, y1]: number[], [x2, y2]: number[]) => ({
    type: "line",
    shape: { x1, y1, x2, y2 },
    style: { stroke, lineWidth: 1 },
  });
  const cap = ([x, y]: [number, number]) =>
    line([x - end[1]!, y - end[0]!], [x + end[1]!, y + end[0]!]);
  return {
    type: "custom",
    silent: true,
    z: 1,
    data: points.map(({ at, spread }) => [at, spread.low, spread.high]),
    encode: along === "x" ? { x: [1, 2], y: 0 } : { x: 0, y: [1, 2] },
    renderItem: (_: unknown, api: Api) => {
      const [low, high] = [
        api.coord(point(api.value(0), api.value(1))),
        api.coord(point(api.value(0), api.value(2))),
      ];
      return { type: "group", children: [line(low, high), cap(low), cap(high)] };
    },
  };
}

/** Names in bold, then a line for each fact. */
export function tip(name: string, facts: string[]): string {
  const safe = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<b>${safe(name)}</b>${facts
    .filter((fact) => fact)
    .map((fact) => `<br>${safe(fact)}`)
    .join("")}`;
}

/** A figure with its spread and unit for a tip. */
export function told(value: Interval, unit: string): string {
  return `${interval(value)} ${unit}, ${spread(value)}`;
}

/** A log axis with these ticks, the same on x and y. */
export function logScale(
  ends: { min: number; max: number; ticks: number[] },
  name: string,
  { muted, rule }: Theme,
  label = tick,
): object {
  return {
    type: "log",
    name,
    nameLocation: "middle",
    nameTextStyle: { color: muted, fontSize: 12 },
    min: ends.min,
    max: ends.max,
    axisLine: { show: true, lineStyle: { color: rule } },
    axisTick: { customValues: ends.ticks, lineStyle: { color: rule } },
    axisLabel: {
      customValues: ends.ticks,
      color: muted,
      fontSize: 11,
      hideOverlap: true,
      formatter: label,
    },
    splitLine: { show: false },
  };
}

/** Thin lines at the ticks, which ECharts draws at its own ticks only. */
export function rules(ticks: number[], along: "x" | "y", { rule }: Theme): object {
  return {
    type: "custom",
    silent: true,
    z: 0,
    data: ticks.map((tick) => [tick]),
    encode: along === "x" ? { x: 0 } : { y: 0 },
    renderItem: (
      where: { coordSys: { x: number; y: number; width: number; height: number } },
      api: { value: (i: number) => number; coord: (p: (number | null)[]) => number[] },
    ) => {
      const { x, y, width, height } = where.coordSys;
      const at =
        along === "x" ? api.coord([api.value(0), null])[0]! : api.coord([null, api.value(0)])[1]!;
      const shape =
        along === "x"
          ? { x1: at, x2: at, y1: y, y2: y + height }
          : { x1: x, x2: x + width, y1: at, y2: at };
      return { type: "line", shape, style: { stroke: rule, lineWidth: 1 } };
    },
  };
}
