// A record's part of the page: its study's question and answer first, the raw record last.

import { cellTable } from "./cells";
import { bars } from "./charts/bars";
import { behaviour } from "./charts/behaviour";
import { pairs } from "./charts/pairs";
import { type Directed, directed } from "./charts/plots";
import { download as hand } from "./charts/picture";
import { published } from "./charts/published";
import { strip } from "./charts/strip";
import { throughput } from "./charts/throughput";
import {
  type Claim,
  type Grid,
  type Judgement,
  type Part,
  type Report,
  type Verdict,
  unpacked,
} from "./data";
import { copy, h, tell } from "./dom";
import { figure } from "./figures";
import { Table } from "./table";

export const VERDICTS: Record<Verdict, string> = {
  holds: "holds",
  fails: "does not hold",
  "not-distinguishable": "not distinguishable",
  "not-measured": "not measured",
};

/** A part; its anchors begin with `id`. */
export function part(part: Part, id: string): HTMLElement {
  const { report } = part;
  const sections = [
    {
      name: "charts",
      title: "Charts",
      content: [single(report), ...report.plots.flatMap(directed).map(charts)],
    },
    { name: "claims", title: "Claims", content: [report.claims.length > 0 && claims(report)] },
    { name: "tables", title: "Tables", content: report.grids.map(grid) },
    {
      name: "cells",
      title: "All cells",
      content: [report.cells.length > 0 && cellTable(report.cells)],
    },
    {
      name: "errata",
      title: "Errata of the document",
      content: [report.errata.length > 0 && errata(report)],
    },
    {
      name: "gaps",
      title: "Not measured",
      content: [report.not_measured.length > 0 && gaps(report)],
    },
    { name: "machine", title: "Machine", content: machine(report) },
    { name: "record", title: "Record", content: [record(part)] },
  ].filter(({ content }) => content.some((node) => node));
  const links = sections.map(({ name, title }) => h("a", { href: `#${id}-${name}` }, title));
  const section = ({ name, title, content }: (typeof sections)[number]) =>
    h(
      "section",
      { id: `${id}-${name}`, "aria-labelledby": `${id}-${name}-title` },
      h("h2", { id: `${id}-${name}-title` }, title),
      ...content,
    );
  return h(
    "article",
    {
      id,
      "aria-labelledby": `${id}-title`,
      "data-about": about(report),
      "data-file": part.file.replace(/\.jsonl$/, ""),
    },
    answer(part, id),
    h("nav", { "aria-label": "Sections" }, ...links),
    ...sections.map(section),
  );
}

function gaps(report: Report): HTMLElement {
  return h("ul", {}, ...report.not_measured.map((gap) => h("li", {}, gap)));
}

/** Where the figures of a saved chart come from. */
function about(report: Report): string {
  const from = `${report.machine.cpu}, ${report.date.slice(0, 10)}, ${report.preset}`;
  return `${report.title}. ${from}, hashdyno ${report.hashdyno}`;
}

function answer({ report, project }: Part, id: string): HTMLElement {
  return h(
    "header",
    {},
    h("h1", { id: `${id}-title` }, report.title),
    h("p", { class: "question" }, report.question),
    // Where nothing could be measured there is no answer, and no empty box for it.
    ...(report.answer.length > 0
      ? [h("ul", { class: "answer" }, ...report.answer.map((line) => h("li", {}, line)))]
      : []),
    h(
      "p",
      { class: "note" },
      [
        where(report),
        report.date.replace("T", " ").replace("Z", " UTC"),
        report.preset,
        `hashdyno ${report.hashdyno}`,
      ]
        .filter((word) => word)
        .join(" · "),
    ),
    h("p", { class: "note" }, `Source: ${report.source}`),
    h(
      "p",
      { class: "repeat" },
      "To repeat it: ",
      h("code", {}, `hashdyno ${report.command}`),
      " ",
      button("Copy", `hashdyno ${report.command}`),
      " with ",
      h("a", { href: project }, "hashdyno"),
    ),
  );
}

function button(name: string, text: string): HTMLElement {
  return h(
    "button",
    {
      type: "button",
      class: "small",
      onclick: () => tell(copy(text) ? "Copied" : "The browser refused to copy"),
    },
    name,
  );
}

/** The charts that are of no single table. */
function single(report: Report): HTMLElement | undefined {
  const frames = [...(report.strip ? [strip(report.strip)] : []), ...report.bars.map(bars)];
  if (frames.length === 0) return undefined;
  return h("div", { class: "charts" }, ...frames.map((frame) => frame.element));
}

/** The machine in a few words. */
export function where({ machine }: Report): string {
  const { cpu, family, model, stepping, hypervisor } = machine;
  const kind = hypervisor === null ? "" : ", virtual";
  return `${cpu} (family ${family}, model ${model}, stepping ${stepping})${kind}`;
}

function charts(plot: Directed): HTMLElement | undefined {
  const [lines, dots] = [throughput(plot), published(plot)];
  // Of many algorithms the question is which is faster: all of them side by side come first.
  const first = plot.algorithms.length > 8 ? [dots, lines] : [lines, dots];
  const frames = [...first, pairs(plot)].filter((frame) => frame !== undefined);
  if (frames.length === 0) return undefined;
  return h(
    "div",
    { class: "charts" },
    h("h3", {}, plot.heading),
    ...frames.map((frame) => frame.element),
  );
}

function claims(report: Report): HTMLElement {
  const columns = [
    { title: "here" },
    { title: "claim" },
    { title: "published" },
    { title: "where" },
  ];
  const row = ({ says, place, note, judgements }: Claim) => {
    const here = judgements.at(-1)!;
    const words = h("div", {}, h("p", {}, says), note && h("p", { class: "note" }, note));
    return {
      cells: [
        judged(here, false),
        words,
        h("div", {}, ...judgements.slice(0, -1).map((judgement) => judged(judgement, true))),
        place,
      ],
    };
  };
  return new Table("Claims", columns, report.claims.map(row), true).element;
}

function judged({ on, verdict, ratio, detail }: Judgement, named: boolean): HTMLElement {
  const times =
    ratio &&
    (ratio.low === ratio.high
      ? ` ${figure(ratio.value)}×`
      : ` ${figure(ratio.value)}× (${figure(ratio.low)} to ${figure(ratio.high)})`);
  return h(
    "div",
    {},
    h("p", {}, badge(verdict), times),
    h("p", { class: "note" }, named ? `${on}: ${detail}` : detail),
  );
}

/** A verdict, by word and colour. */
export function badge(verdict: Verdict): HTMLElement {
  return h("span", { class: `verdict ${verdict}` }, VERDICTS[verdict]);
}

function grid({ title, note, header, rows }: Grid, index: number): HTMLElement {
  const figures = (column: number) =>
    column > 0 && rows.every((row) => row[column] === "" || /^[\d±>]/.test(row[column]!));
  const columns = header.map((title, column) => ({ title, numeric: figures(column) }));
  const table = new Table(
    title,
    columns,
    rows.map((cells) => ({ cells })),
  );
  return h(
    "details",
    { open: index === 0 },
    h("summary", {}, title),
    note && h("p", { class: "note" }, note),
    table.element,
  );
}

function errata(report: Report): HTMLElement {
  const columns = [{ title: "it says" }, { title: "it is" }, { title: "how we know" }];
  return new Table(
    "Errata",
    columns,
    report.errata.map(({ says, is, reason }) => ({ cells: [says, is, reason] })),
    true,
  ).element;
}

function machine(report: Report): (Node | undefined)[] {
  const facts = report.facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]);
  return [behaviour(report.behaviour)?.element, h("dl", {}, ...facts)];
}

function record({ file, bytes, record, report }: Part): HTMLElement {
  const words =
    "Every raw sample with its probes, as JSON lines; " +
    "`hashdyno report` and `hashdyno compare` read it.";
  if (bytes === null || record === null) {
    const command = `hashdyno report ${file} -o ${report.study}.html --embed-record`;
    return h(
      "p",
      {},
      "The record is not in this page: it is the file ",
      h("code", {}, file),
      ". ",
      words,
      " A page that holds it: ",
      h("code", {}, command),
    );
  }
  const save = async (): Promise<void> => {
    hand(await unpacked(record), file);
    tell(`Saved ${file}`);
  };
  const size = `${(bytes / 1e6).toFixed(bytes < 1e6 ? 2 : 1)} MB`;
  return h(
    "p",
    {},
    h(
      "button",
      { type: "button", class: "download", onclick: () => void save() },
      `Download ${file} (${size})`,
    ),
    " ",
    words,
  );
}
