// Several records on one page: who they are, and each study side by side. Never a ranking of
// machines.

import { h } from "./dom";
import { type Named, machines } from "./machines";
import { badge, where } from "./part";
import { Table } from "./table";

export function overview(parts: Named[]): HTMLElement {
  const records = parts.map(({ part: { report, file }, id }) => ({
    cells: [
      h("a", { href: `#${id}` }, where(report)),
      report.title,
      report.date.slice(0, 10),
      report.preset,
      file,
    ],
  }));
  const columns = ["machine", "study", "date", "preset", "record"].map((title) => ({ title }));
  const studies = [...new Set(parts.map(({ part }) => part.report.study))];
  const same = studies
    .map((study) => parts.filter(({ part }) => part.report.study === study))
    .filter((group) => group.length > 1);
  return h(
    "header",
    {
      class: "overview",
      id: "overview",
      "data-about": parts.map(({ name }) => name).join(" and "),
      "data-file": "machines",
    },
    h("h1", {}, `${parts.length} records`),
    h("p", { class: "question" }, "Each has its own part below."),
    new Table("Records", columns, records, true).element,
    ...same.flatMap((group) => [...claims(group), ...machines(group)]),
  );
}

/** What each claim of a study comes to on each machine. */
function claims(group: Named[]): HTMLElement[] {
  const { title, claims } = group[0]!.part.report;
  if (claims.length === 0) return [];
  const columns = ["claim", ...group.map(({ name }) => name)].map((title) => ({ title }));
  const rows = claims.map(({ says }) => {
    const here = group.map(({ part }) =>
      part.report.claims.find((claim) => claim.says === says)?.judgements.at(-1),
    );
    return {
      cells: [says, ...here.map((judgement) => (judgement ? badge(judgement.verdict) : ""))],
    };
  });
  return [
    h("h2", {}, `Claims side by side: ${title}`),
    new Table(`Claims side by side: ${title}`, columns, rows, true).element,
  ];
}
