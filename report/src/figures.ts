// How figures are written.

import type { Interval } from "./data";

/** Four significant digits, as the program's other formats write them. */
export function figure(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  return value.toFixed(Math.max(0, Math.min(12, 3 - Math.floor(Math.log10(Math.abs(value))))));
}

/** `4.225 (4.221 to 4.230)`. */
export function interval({ value, low, high }: Interval): string {
  return `${figure(value)} (${figure(low)} to ${figure(high)})`;
}

/** Half the interval's width, in percent of the value. */
export function spread({ value, low, high }: Interval): string {
  return `±${((50 * (high - low)) / value).toFixed(1)}%`;
}

/** `5 bytes`, `16 KiB`; of many messages `1000x5 bytes`. */
export function bytes(size: number | string): string {
  if (typeof size === "string") return `${size} bytes`;
  const units: [number, string][] = [
    [2 ** 30, "GiB"],
    [2 ** 20, "MiB"],
    [2 ** 10, "KiB"],
  ];
  const [unit, name] = units.find(([unit]) => size >= 4 * unit && size % unit === 0) ?? [
    1,
    "bytes",
  ];
  return `${size / unit} ${name}`;
}

/** A tick of an axis, short: `0.05`, `2k`, `1M`. */
export function tick(value: number): string {
  const units: [number, string][] = [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ];
  const [unit, name] = units.find(([unit]) => value >= unit) ?? [1, ""];
  return Number((value / unit).toPrecision(3)) + name;
}

/**
 * Ticks of a log axis over `values`, and its ends: 1, 2, 5 in each decade, or the decades where
 * there are many.
 */
export function logAxis(values: number[]): { min: number; max: number; ticks: number[] } {
  const shown = values.filter((value) => value > 0 && Number.isFinite(value));
  if (shown.length === 0) return { min: 0.1, max: 10, ticks: [0.1, 1, 10] };
  const [low, high] = [Math.min(...shown), Math.max(...shown)];
  const room = Math.max(1.05, (high / low) ** 0.04);
  const [min, max] = [low / room, high * room];
  const decades = Math.log10(max / min);
  const steps =
    decades > 4
      ? [1]
      : decades > 1
        ? [1, 2, 5]
        : decades > 0.3
          ? [1, 1.5, 2, 3, 4, 5, 6, 8]
          : [...Array(90).keys()].map((step) => 1 + step / 10);
  const first = Math.floor(Math.log10(min));
  const all = [...Array(Math.ceil(decades) + 2).keys()].flatMap((decade) =>
    steps.map((step) => Number((step * 10 ** (first + decade)).toPrecision(3))),
  );
  return { min, max, ticks: all.filter((tick) => tick >= min && tick <= max) };
}
