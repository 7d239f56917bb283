// Several records on one page: who they are, and the claims of one study side by side. Never a ranking of machines.

import type { Part } from "./data";
import { h } from "./dom";
import { badge, where } from "./part";
import { Table } from "./table";

export function overview(parts: { part: Part; id: string }[]): HTMLElement {
  const records = parts.map(({ part: { report, file }, id }) => ({
    cells: [h("a", { href: `#${id}` }, where(report)), report.title, report.date.slice(0, 10), report.preset, file],
  }));
  const columns = ["machine", "study", "date", "preset", "record"].map((title) => ({ title }));
  const studies = [...new Set(parts.map(({ part }) => part.report.study))];
  const same = studies.map((study) => parts.filter(({ part }) => part.report.study === study)).filter((group) => group.length > 1);
  return h(
    "header",
    { class: "overview", id: "overview" },
    h("h1", {}, `${parts.length} records`),
    h("p", { class: "question" }, "Each has its own part below. Figures of different machines are not set against each other."),
    new Table("Records", columns, records).element,
    ...same.flatMap(sideBySide),
  );
}

/** What each claim of a study comes to on each machine. */
function sideBySide(group: { part: Part; id: string }[]): HTMLElement[] {
  const { title, claims } = group[0]!.part.report;
  if (claims.length === 0) return [];
  const columns = ["claim", ...group.map(({ part: { report } }) => `${report.machine.cpu}, ${report.date.slice(0, 10)}`)].map((title) => ({ title }));
  const rows = claims.map(({ says }) => {
    const here = group.map(({ part }) => part.report.claims.find((claim) => claim.says === says)?.judgements.at(-1));
    return { cells: [says, ...here.map((judgement) => (judgement ? badge(judgement.verdict) : ""))] };
  });
  return [h("h2", {}, `Claims side by side: ${title}`), new Table(`Claims side by side: ${title}`, columns, rows).element];
}
