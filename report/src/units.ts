// The unit that the reader chose for every chart; without a choice each chart has its own.

import type { Interval, Measured, Plot, Printed } from "./data";

export type UnitName = "" | "ns" | "cycles/byte" | "GB/s" | "messages/s";

export const UNITS: [UnitName, string][] = [
  ["", "of each chart"],
  ["ns", "ns per message"],
  ["cycles/byte", "cycles/byte"],
  ["GB/s", "GB/s"],
  ["messages/s", "messages/s"],
];

/** How figures are said in a unit. */
export interface Unit {
  name: string;
  /** More is faster. */
  rate: boolean;
  of: (cell: Measured) => Interval | undefined;
  /** Of a published figure, where it can be said in this unit. */
  printed: (figure: Printed) => number | undefined;
}

let chosen: UnitName = "";

export function chooseUnit(name: string): void {
  chosen = name as UnitName;
}

/** The reader's unit, or a chart's own: "" is the document's. */
export function unit(plot: Plot, own: UnitName): Unit {
  const name = chosen || own;
  if (name === "")
    return {
      name: plot.unit,
      rate: plot.rate,
      of: (cell) => shown(cell.value),
      printed: (figure) => figure.value || undefined,
    };
  return {
    name: name === "ns" ? "ns per message" : name,
    rate: name === "GB/s" || name === "messages/s",
    of: (cell) => shown(measured(name, cell)),
    printed: (figure) => printed(name, figure) || undefined,
  };
}

/** Every axis is logarithmic: a message of no bytes has no rate on it, and no cost of a byte. */
function shown(found: Interval | undefined): Interval | undefined {
  return found && found.value > 0 ? found : undefined;
}

function measured(name: UnitName, { ns, cycles, size }: Measured): Interval | undefined {
  if (name === "ns") return ns;
  if (name === "cycles/byte")
    return cycles.value === null || size === 0
      ? undefined
      : each(cycles as Interval, (value) => value / size);
  return each(ns, name === "GB/s" ? (value) => size / value : (value) => 1e9 / value);
}

/** The interval of a function of a value, which a rate turns around. */
function each({ value, low, high }: Interval, of: (value: number) => number): Interval {
  const [one, other] = [of(low), of(high)];
  return { value: of(value), low: Math.min(one, other), high: Math.max(one, other) };
}

function printed(name: UnitName, { ns, cycles, size }: Printed): number | undefined {
  if (name === "cycles/byte") return cycles === null || size === 0 ? undefined : cycles / size;
  if (ns === null) return undefined;
  return name === "ns" ? ns : name === "GB/s" ? size / ns : 1e9 / ns;
}
