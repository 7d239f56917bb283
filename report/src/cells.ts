// Every measured cell in one table, with what narrows it down.

import type { Cell } from "./data";
import { h, select } from "./dom";
import { bytes, figure, spread } from "./figures";
import { direction } from "./algorithm";
import { Table } from "./table";

const COLUMNS = [
  { title: "algorithm" },
  { title: "direction" },
  { title: "provider" },
  { title: "implementation" },
  { title: "asked for as" },
  { title: "bytes", numeric: true },
  { title: "mask" },
  { title: "threads", numeric: true },
  { title: "ns", numeric: true },
  { title: "from", numeric: true },
  { title: "to", numeric: true },
  { title: "spread", numeric: true },
  { title: "GB/s", numeric: true },
  { title: "cycles/byte", numeric: true },
  { title: "clean samples" },
  { title: "void because" },
];

/** The columns that are narrowed down by a choice. */
const CHOICES = ["algorithm", "direction", "provider", "asked for as", "bytes", "mask", "threads"];

export function cellTable(cells: Cell[]): HTMLElement {
  const rows = cells.map(row);
  const table = new Table("All cells", COLUMNS, rows);
  // A column that says nothing of any cell, such as the direction of digests, is left out.
  table.hide(
    COLUMNS.flatMap((_, column) => (rows.every((row) => row.cells[column] === "") ? [column] : [])),
  );
  const count = h("output", { "aria-live": "polite" });
  const wanted = new Map<number, string>();
  let words: string[] = [];
  const haystacks = rows.map((row) => row.cells.join(" ").toLowerCase());
  const apply = (): void => {
    const right = (index: number) =>
      [...wanted].every(([column, value]) => rows[index]!.cells[column] === value);
    const shown = table.filter(
      (index) => right(index) && words.every((word) => haystacks[index]!.includes(word)),
    );
    count.textContent = `${shown} of ${cells.length} cells`;
  };
  const search = (event: Event): void => {
    words = (event.target as HTMLInputElement).value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word);
    apply();
  };
  const choice = (title: string): HTMLElement | undefined => {
    const column = COLUMNS.findIndex((column) => column.title === title);
    const values = [...new Set(rows.map((row) => String(row.cells[column])))];
    if (values.length < 2) return undefined;
    const name = (value: string) =>
      title === "bytes"
        ? bytes(Number.isNaN(Number(value)) ? value : Number(value))
        : value === ""
          ? "none"
          : value;
    const options = [["*", "all"], ...values.map((value) => [value, name(value)])] as [
      string,
      string,
    ][];
    return select(title, options, "*", (value) => {
      if (value === "*") wanted.delete(column);
      else wanted.set(column, value);
      apply();
    });
  };
  const choices = CHOICES.map(choice).filter((choice) => choice !== undefined);
  const box = h(
    "label",
    {},
    "Find ",
    h("input", { type: "search", placeholder: "words, such as sha256 php", oninput: search }),
  );
  apply();
  return h(
    "div",
    {},
    h(
      "div",
      { class: "choices", role: "group", "aria-label": "Narrow the cells down" },
      box,
      ...choices,
      count,
    ),
    table.element,
  );
}

function row(cell: Cell): { cells: string[]; keys: (number | undefined)[] } {
  const { name, direction: way } = direction(cell.algorithm);
  const found = cell.estimate;
  const rate = found && cell.bytes / found.ns.value;
  const cycles =
    found && found.cycles.value !== null && cell.bytes > 0
      ? found.cycles.value / cell.bytes
      : undefined;
  const figures = found
    ? [
        figure(found.ns.value),
        figure(found.ns.low),
        figure(found.ns.high),
        spread(found.ns),
        figure(rate!),
        cycles === undefined ? "" : figure(cycles),
      ]
    : Array<string>(6).fill("");
  const clean = found ? `${found.clean} of ${found.total}${found.few ? ": too few" : ""}` : "";
  const keys = Array<number | undefined>(COLUMNS.length).fill(undefined);
  if (found)
    [8, 9, 10].forEach(
      (column, index) => (keys[column] = [found.ns.value, found.ns.low, found.ns.high][index]),
    );
  if (found)
    [keys[11], keys[12], keys[13]] = [
      (found.ns.high - found.ns.low) / found.ns.value,
      rate,
      cycles,
    ];
  return {
    cells: [
      name,
      way,
      cell.provider,
      cell.implementation,
      asked(cell),
      String(cell.size),
      cell.mask,
      String(cell.threads),
      ...figures,
      clean,
      cell.void ?? "",
    ],
    keys,
  };
}

/** An implementation that the study names, where another cell is the provider's default. */
function asked({ source }: Cell): string {
  return /^[^/@*]+\/([^@*]+)/.exec(source)?.[1] ?? "";
}
