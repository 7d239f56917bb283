// Machines side by side: the figures of one study on each, by name, without a verdict.

import type { Cell, Measured, Part, Plot } from "./data";
import { h } from "./dom";
import { bytes, figure, interval } from "./figures";
import { Frame } from "./charts/frame";
import { type Dots, dotted } from "./charts/published";
import { cell, marked } from "./charts/plots";
import { told } from "./charts/marks";
import { Table } from "./table";
import { unit } from "./units";

/** A record of the page with the name of its machine. */
export interface Named {
  part: Part;
  id: string;
  name: string;
}

/** Machine names: by CPU, and by day or place where two have the same. */
export function named(parts: { part: Part; id: string }[]): Named[] {
  const cpu = ({ part }: { part: Part }) => part.report.machine.cpu;
  const day = (each: { part: Part }) => `${cpu(each)}, ${each.part.report.date.slice(0, 10)}`;
  const once = (all: string[], name: string) => all.filter((other) => other === name).length === 1;
  const [cpus, days] = [parts.map(cpu), parts.map(day)];
  return parts.map((each, place) => ({
    ...each,
    name: once(cpus, cpus[place]!)
      ? cpus[place]!
      : once(days, days[place]!)
        ? days[place]!
        : `${days[place]}, record ${place + 1}`,
  }));
}

/** Charts and a table of what the records of a study have in common. */
export function machines(group: Named[]): HTMLElement[] {
  const charts = group[0]!.part.report.plots.flatMap((plot) => chart(plot, group) ?? []);
  const table = figures(group);
  if (charts.length === 0 && !table) return [];
  const title = `Machines side by side: ${group[0]!.part.report.title}`;
  const words =
    "Each figure is of its own machine. " +
    "There is no verdict: the machines differ in more than the processor.";
  return [
    h("h2", {}, title),
    h("p", { class: "note" }, words),
    h("div", { class: "charts" }, ...charts.map((frame) => frame.element)),
    ...(table ? [table] : []),
  ];
}

/** A row for each algorithm, dots of one provider on each machine. */
function chart(plot: Plot, group: Named[]): Frame[] | undefined {
  const twins = group.map(({ part }) =>
    part.report.plots.find((other) => other.id === plot.id && other.many === plot.many),
  );
  if (twins.some((twin) => !twin)) return undefined;
  const everywhere = twins as Plot[];
  const sources = marked(plot).filter(({ name }) =>
    everywhere.every((twin) => twin.measured.some((found) => found.source === name)),
  );
  const sizes = plot.sizes
    .filter((size) =>
      everywhere.every((twin) => twin.measured.some((found) => found.size === size)),
    )
    .reverse();
  if (sources.length === 0 || sizes.length === 0) return undefined;
  const order = [...sources].sort(
    (a, b) => Number(b.name === plot.main) - Number(a.name === plot.main),
  );
  const choices = [
    { label: "Provider", options: order.map(({ name }): [string, string] => [name, name]) },
    {
      label: "Message of",
      options: sizes.map((size): [string, string] => [String(size), bytes(size)]),
    },
  ];
  const title = plot.many ? `${plot.title}: many messages` : plot.title;
  return [
    new Frame(title, "", choices, ([source, size]) =>
      drawing(everywhere, group, source!, Number(size)),
    ),
  ];
}

function drawing(plots: Plot[], group: Named[], source: string, size: number) {
  // Two records may have figures of one table in different units, as `speed --unit` asks.
  const alike = plots.every((plot) => plot.unit === plots[0]!.unit);
  const said = unit(plots[0]!, alike ? "" : "ns");
  const mark = marked(plots[0]!).find(({ name }) => name === source)!.mark;
  const value = (found: Measured | undefined) => found && said.of(found);
  const rows = plots[0]!.algorithms.filter((name) =>
    plots.some((plot) => value(cell(plot, source, name, size))),
  );
  const order = (name: string) => {
    const found = value(cell(plots[0]!, source, name, size))?.value;
    return found === undefined ? Infinity : said.rate ? -found : found;
  };
  const sorted = [...rows].sort((a, b) => order(a) - order(b) || 0);
  const sets = plots.map((plot, place): Dots => ({
    name: group[place]!.name,
    mark: { ...mark, shape: (mark.shape + place) % 4, outlined: place > 0 },
    points: sorted.flatMap((algorithm, row) => {
      const found = cell(plot, source, algorithm, size);
      const spread = value(found);
      return found && spread
        ? [
            {
              row,
              spread,
              words: [
                algorithm,
                told(spread, said.name),
                found.implementation && `by ${found.implementation}`,
              ],
              exact: false,
            },
          ]
        : [];
    }),
  }));
  return dotted(
    sorted,
    sets,
    said.name,
    `${source}, ${said.name}, ${said.rate ? "more" : "less"} is faster; ` +
      `fastest on the first machine first.`,
  );
}

/** Nanoseconds on each machine, of every cell that all records have; of two machines the ratio. */
function figures(group: Named[]): HTMLElement | undefined {
  const key = (found: Cell) => `${found.source}|${found.algorithm}|${found.size}`;
  const [first, ...others] = group.map(
    ({ part }) =>
      new Map(
        part.report.cells.filter((found) => found.estimate).map((found) => [key(found), found]),
      ),
  );
  const rows = [...first!].flatMap(([name, found]) => {
    const all = [found, ...others.map((cells) => cells.get(name))];
    return all.every((one) => one) ? [row(all as Cell[])] : [];
  });
  if (rows.length === 0) return undefined;
  const numeric = [
    ...group.map(({ name }) => `ns, ${name}`),
    ...(group.length === 2 ? ["second / first"] : []),
  ].map((title) => ({ title, numeric: true }));
  const columns = [
    { title: "algorithm" },
    { title: "provider" },
    { title: "bytes", numeric: true },
    ...numeric,
  ];
  const title = `Every cell that all have: ${rows.length}`;
  return h("details", {}, h("summary", {}, title), new Table(title, columns, rows).element);
}

function row(cells: Cell[]): { cells: string[] } {
  const { algorithm, source, size } = cells[0]!;
  const times = cells.map((found) => found.estimate!.ns);
  const [one, other] = times as [(typeof times)[0], (typeof times)[0]];
  const ratio =
    times.length === 2
      ? [
          interval({
            value: other!.value / one!.value,
            low: other!.low / one!.high,
            high: other!.high / one!.low,
          }),
        ]
      : [];
  return {
    cells: [algorithm, source, String(size), ...times.map((time) => figure(time.value)), ...ratio],
  };
}
