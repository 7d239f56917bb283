// A record's part of the page: its study's question and answer first, the raw record last.

import { cellTable } from "./cells";
import { behaviour } from "./charts/behaviour";
import { pairs } from "./charts/pairs";
import { type Directed, directed } from "./charts/plots";
import { published } from "./charts/published";
import { throughput } from "./charts/throughput";
import type { Claim, Grid, Judgement, Part, Report, Verdict } from "./data";
import { h, tell } from "./dom";
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
    { name: "charts", title: "Charts", content: report.plots.flatMap(directed).map(charts) },
    { name: "claims", title: "Claims", content: [report.claims.length > 0 && claims(report)] },
    { name: "tables", title: "Tables", content: report.grids.map(grid) },
    { name: "cells", title: "All cells", content: [report.cells.length > 0 && cellTable(report.cells)] },
    { name: "errata", title: "Errata of the document", content: [report.errata.length > 0 && errata(report)] },
    { name: "gaps", title: "Not measured", content: [report.not_measured.length > 0 && gaps(report)] },
    { name: "machine", title: "Machine", content: machine(report) },
    { name: "record", title: "Record", content: [download(part)] },
  ].filter(({ content }) => content.some((node) => node));
  const links = sections.map(({ name, title }) => h("a", { href: `#${id}-${name}` }, title));
  const section = ({ name, title, content }: (typeof sections)[number]) =>
    h("section", { id: `${id}-${name}`, "aria-labelledby": `${id}-${name}-title` }, h("h2", { id: `${id}-${name}-title` }, title), ...content);
  return h("article", { id, "aria-labelledby": `${id}-title` }, answer(report, id), h("nav", { "aria-label": "Sections" }, ...links), ...sections.map(section));
}

function gaps(report: Report): HTMLElement {
  return h("ul", {}, ...report.not_measured.map((gap) => h("li", {}, gap)));
}

function answer(report: Report, id: string): HTMLElement {
  return h(
    "header",
    {},
    h("h1", { id: `${id}-title` }, report.title),
    h("p", { class: "question" }, report.question),
    h("ul", { class: "answer" }, ...report.answer.map((line) => h("li", {}, line))),
    h("p", { class: "note" }, [where(report), report.date.replace("T", " ").replace("Z", " UTC"), report.preset, `hashdyno ${report.hashdyno}`].filter((word) => word).join(" · ")),
    h("p", { class: "note" }, `Source: ${report.source}`),
  );
}

/** The machine in a few words. */
export function where({ machine }: Report): string {
  const { cpu, family, model, stepping, hypervisor } = machine;
  return `${cpu} (family ${family}, model ${model}, stepping ${stepping})${hypervisor === null ? "" : ", virtual"}`;
}

function charts(plot: Directed): HTMLElement | undefined {
  const frames = [throughput(plot), published(plot), pairs(plot)].filter((frame) => frame !== undefined);
  if (frames.length === 0) return undefined;
  return h("div", { class: "charts" }, h("h3", {}, plot.heading), ...frames.map((frame) => frame.element));
}

function claims(report: Report): HTMLElement {
  const columns = [{ title: "claim" }, { title: "where" }, { title: "published" }, { title: "here" }];
  const row = ({ says, place, note, judgements }: Claim) => {
    const here = judgements.at(-1)!;
    const words = h("div", {}, h("p", {}, says), note && h("p", { class: "note" }, note));
    return { cells: [words, place, h("div", {}, ...judgements.slice(0, -1).map((judgement) => judged(judgement, true))), judged(here, false)] };
  };
  return new Table("Claims", columns, report.claims.map(row)).element;
}

function judged({ on, verdict, ratio, detail }: Judgement, named: boolean): HTMLElement {
  const times = ratio && (ratio.low === ratio.high ? ` ${figure(ratio.value)}×` : ` ${figure(ratio.value)}× (${figure(ratio.low)} to ${figure(ratio.high)})`);
  return h("div", {}, h("p", {}, badge(verdict), times), h("p", { class: "note" }, named ? `${on}: ${detail}` : detail));
}

/** A verdict, by word and colour. */
export function badge(verdict: Verdict): HTMLElement {
  return h("span", { class: `verdict ${verdict}` }, VERDICTS[verdict]);
}

function grid({ title, note, header, rows }: Grid, index: number): HTMLElement {
  const figures = (column: number) => column > 0 && rows.every((row) => row[column] === "" || /^[\d±>]/.test(row[column]!));
  const columns = header.map((title, column) => ({ title, numeric: figures(column) }));
  const table = new Table(title, columns, rows.map((cells) => ({ cells })));
  return h("details", { open: index === 0 }, h("summary", {}, title), note && h("p", { class: "note" }, note), table.element);
}

function errata(report: Report): HTMLElement {
  const columns = [{ title: "it says" }, { title: "it is" }, { title: "how we know" }];
  return new Table("Errata", columns, report.errata.map(({ says, is, reason }) => ({ cells: [says, is, reason] }))).element;
}

function machine(report: Report): (Node | undefined)[] {
  const facts = report.facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]);
  return [behaviour(report.behaviour)?.element, h("dl", {}, ...facts)];
}

function download({ file, bytes, record }: Part): HTMLElement {
  const words = "Every raw sample with its probes, as JSON lines; `hashdyno report` and `hashdyno compare` read it.";
  const save = async (): Promise<void> => {
    const link = h("a", { href: URL.createObjectURL(await unpacked(record)), download: file });
    link.click();
    URL.revokeObjectURL(link.href);
    tell(`Saved ${file}`);
  };
  const size = `${(bytes / 1e6).toFixed(bytes < 1e6 ? 2 : 1)} MB`;
  return h("p", {}, h("button", { type: "button", class: "download", onclick: () => void save() }, `Download ${file} (${size})`), " ", words);
}

async function unpacked(record: string): Promise<Blob> {
  const packed = Uint8Array.from(atob(record), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).blob();
}
