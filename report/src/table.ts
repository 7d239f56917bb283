// A table that sorts by its headings and can be taken away as Markdown or CSV, rows as they are
// shown.

import { copy, h, tell } from "./dom";

export interface Column {
  title: string;
  numeric?: boolean;
}

export interface Row {
  cells: (string | Node)[];
  /**
   * What a column is sorted by, where it is not the number that its text begins with, or the text.
   */
  keys?: (number | string | undefined)[];
}

export class Table {
  readonly element: HTMLElement;
  private readonly body = h("tbody");
  private readonly headings: HTMLTableCellElement[];
  private readonly rows: { row: Row; element: HTMLTableRowElement }[];

  constructor(
    readonly name: string,
    private readonly columns: Column[],
    rows: Row[],
    /** On a narrow page each row is a block of its own. */
    stacks = false,
  ) {
    this.headings = columns.map((column, index) => this.heading(column, index));
    this.rows = rows.map((row) => ({ row, element: this.line(row) }));
    this.body.append(...this.rows.map((row) => row.element));
    const table = h(
      "table",
      {},
      h("caption", { class: "unseen" }, name),
      h("thead", {}, h("tr", {}, ...this.headings)),
      this.body,
    );
    this.element = h(
      "div",
      { class: stacks ? "table stacks" : "table" },
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": name }, table),
      this.taking(),
    );
  }

  /** Shows the rows for which `wanted` is true, and says how many they are. */
  filter(wanted: (index: number) => boolean): number {
    this.rows.forEach(({ element }, index) => (element.hidden = !wanted(index)));
    return this.rows.filter(({ element }) => !element.hidden).length;
  }

  /** Hides columns. */
  hide(columns: number[]): void {
    columns.forEach((column) => (this.headings[column]!.hidden = true));
    for (const { element } of this.rows)
      columns.forEach((column) => (element.cells[column]!.hidden = true));
  }

  private heading({ title, numeric }: Column, index: number): HTMLTableCellElement {
    const button = h("button", { type: "button", onclick: () => this.sort(index) }, title);
    return h("th", { scope: "col", class: numeric ? "numeric" : "" }, button);
  }

  private line(row: Row): HTMLTableRowElement {
    const cells = row.cells.map((cell, index) => {
      const name = this.columns[index]?.numeric ? "numeric" : "";
      return index === 0
        ? h("th", { scope: "row", class: name }, cell)
        : h("td", { class: name, "data-title": this.columns[index]?.title ?? "" }, cell);
    });
    return h("tr", {}, ...cells);
  }

  private sort(index: number): void {
    const heading = this.headings[index]!;
    const order = heading.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
    this.headings.forEach((other) => other.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", order);
    const keyed = this.rows.map((row) => ({ row, key: key(row.row, index) }));
    keyed.sort((a, b) => compare(a.key, b.key, order === "ascending" ? 1 : -1));
    this.body.append(...keyed.map(({ row }) => row.element));
    tell(`${this.name} is sorted by ${this.columns[index]!.title}, ${order}`);
  }

  private taking(): HTMLElement {
    const button = (format: string, write: (lines: string[][]) => string) =>
      h(
        "button",
        {
          type: "button",
          onclick: () =>
            tell(copy(write(this.shown())) ? `Copied as ${format}` : "The browser refused to copy"),
        },
        `Copy ${format}`,
      );
    return h(
      "div",
      { class: "taking" },
      button("Markdown", (lines) => this.markdown(lines)),
      button("CSV", csv),
    );
  }

  private shown(): string[][] {
    const lines = [...this.body.rows].filter((row) => !row.hidden);
    const seen = <T>(cells: T[]) => cells.filter((_, column) => !this.headings[column]!.hidden);
    return [
      seen(this.columns.map((column) => column.title)),
      ...lines.map((line) => seen([...line.cells]).map((cell) => text(cell))),
    ];
  }

  private markdown([header, ...lines]: string[][]): string {
    const row = (cells: string[]) => `| ${cells.map(plain).join(" | ")} |\n`;
    const rule = `|${this.columns
      .filter((_, column) => !this.headings[column]!.hidden)
      .map((column) => (column.numeric ? "---:|" : "---|"))
      .join("")}\n`;
    return row(header!) + rule + lines.map(row).join("");
  }
}

/** Markdown that shows the text as it is, as the program writes it: a record may be anybody's. */
function plain(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
  return text.replaceAll(/[&<>\\`*_[\]|~]/g, (sign) => entities[sign] ?? `\\${sign}`);
}

function csv(lines: string[][]): string {
  const field = (text: string) =>
    /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return lines.map((line) => line.map(field).join(",") + "\r\n").join("");
}

/** The words of a cell in one line; its blocks are told apart. */
function text(cell: Element): string {
  const blocks = cell.querySelectorAll("p");
  const words =
    blocks.length > 0
      ? [...blocks].map((block) => block.textContent).join("; ")
      : (cell.textContent ?? "");
  return words.replaceAll(/\s+/g, " ").trim();
}

function key(row: Row, index: number): number | string | undefined {
  if (row.keys?.[index] !== undefined) return row.keys[index];
  const cell = row.cells[index];
  const words = typeof cell === "string" ? cell : (cell?.textContent ?? "");
  if (words === "") return undefined;
  const number = /^[^\p{L}\d-]*(-?\d+(\.\d+)?)(?![\w-])/u.exec(words)?.[1];
  return number === undefined ? words : Number(number);
}

/** Numbers before words, what is missing last, whatever the direction. */
function compare(
  a: number | string | undefined,
  b: number | string | undefined,
  direction: 1 | -1,
): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  const order =
    typeof a === "number"
      ? a - (b as number)
      : a.localeCompare(b as string, "en", { numeric: true });
  return order * direction;
}
