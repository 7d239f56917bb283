// A plot as the charts want it: a table of ciphers is two, encryption and decryption.

import { direction } from "../algorithm";
import type { Measured, Plot } from "../data";

/** A plot of one direction; `heading` says which, algorithms go without it. */
export interface Directed extends Plot {
  heading: string;
}

export function directed(plot: Plot): Directed[] {
  const ways = [...new Set(plot.algorithms.map((algorithm) => direction(algorithm).direction))];
  const title = plot.many ? `${plot.title}: many messages` : plot.title;
  return ways.map((way) => {
    const here = <T extends { algorithm: string }>(things: T[]) =>
      things.filter(({ algorithm }) => direction(algorithm).direction === way).map((thing) => ({ ...thing, algorithm: direction(thing.algorithm).name }));
    return {
      ...plot,
      heading: way === "" ? title : `${title}: ${way}ion`,
      algorithms: here(plot.algorithms.map((algorithm) => ({ algorithm }))).map(({ algorithm }) => algorithm),
      measured: here(plot.measured),
      published: plot.published.map((block) => ({ ...block, figures: here(block.figures) })),
      pairs: here(plot.pairs),
    };
  });
}

/** The measured figure of a cell. */
export function cell(plot: Plot, source: string, algorithm: string, size: number): Measured | undefined {
  return plot.measured.find((cell) => cell.source === source && cell.algorithm === algorithm && cell.size === size);
}
