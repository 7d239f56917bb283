// A plot as the charts want it: a table of ciphers is two, encryption and decryption.

import { direction } from "../algorithm";
import type { Mark, Measured, Plot } from "../data";

/** A plot of one direction; `heading` says which, algorithms go without it. */
export interface Directed extends Plot {
  heading: string;
}

export function directed(plot: Plot): Directed[] {
  const ways = [...new Set(plot.algorithms.map((algorithm) => direction(algorithm).direction))];
  const title = plot.many ? `${plot.title}: many messages` : plot.title;
  return ways.map((way) => {
    const here = <T extends { algorithm: string }>(things: T[]) =>
      things
        .filter(({ algorithm }) => direction(algorithm).direction === way)
        .map((thing) => ({ ...thing, algorithm: direction(thing.algorithm).name }));
    return {
      ...plot,
      heading: way === "" ? title : `${title}: ${way}ion`,
      algorithms: here(plot.algorithms.map((algorithm) => ({ algorithm }))).map(
        ({ algorithm }) => algorithm,
      ),
      measured: here(plot.measured),
      published: plot.published.map((block) => ({ ...block, figures: here(block.figures) })),
      pairs: here(plot.pairs),
    };
  });
}

/** A table's sources that have a figure, with how each looks. */
export function marked(plot: Plot): { name: string; mark: Mark }[] {
  const all = plot.sources.map((name, place) => ({ name, mark: plot.marks[place]! }));
  return all.filter(({ name }) => plot.measured.some((cell) => cell.source === name));
}

/** The measured figure of a cell. */
export function cell(
  plot: Plot,
  source: string,
  algorithm: string,
  size: number,
): Measured | undefined {
  return plot.measured.find(
    (cell) => cell.source === source && cell.algorithm === algorithm && cell.size === size,
  );
}
