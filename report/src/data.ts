// The shape of the data: what crates/bench/src/report/json.rs writes, and html.rs around it.

export interface Interval {
  value: number;
  low: number;
  high: number;
}

export interface Part {
  file: string;
  /** Of the record, where the page holds it. */
  bytes: number | null;
  /** The record's bytes, where the page holds it: gzip, then Base64. */
  record: string | null;
  /** Where hashdyno comes from. */
  project: string;
  report: Report;
}

export interface Report {
  study: string;
  title: string;
  source: string;
  question: string;
  answer: string[];
  facts: [string, string][];
  hashdyno: string;
  date: string;
  command: string;
  preset: string;
  machine: {
    cpu: string;
    family: number;
    model: number;
    stepping: number;
    hypervisor: string | null;
  };
  cells: Cell[];
  plots: Plot[];
  bars: Bars[];
  strip: Strip | null;
  grids: Grid[];
  behaviour: Moment[];
  claims: Claim[];
  errata: { says: string; is: string; reason: string }[];
  not_measured: string[];
}

export interface Cell {
  /** Provider, implementation, mask and threads as the study asks for them. */
  source: string;
  provider: string;
  /** CPU features hidden from it; "all" where none is. */
  mask: string;
  threads: number;
  /** What ran. */
  implementation: string;
  algorithm: string;
  /** Of one message, or many: `1000x5`. */
  size: number | string;
  /** Bytes of a message, of many their mean. */
  bytes: number;
  estimate?: {
    ns: Interval;
    /** Its value is null where the frequency is not known. */ cycles: Interval | { value: null };
    clean: number;
    total: number;
    few: boolean;
  };
  void?: string;
}

/** How a source looks: report/colours.json, crates/bench/src/report/colours.rs. */
export interface Mark {
  hue: number;
  shape: number;
  dashed: boolean;
  /** Published, not measured: ink around paper. */
  hollow: boolean;
}

/** A chart of bars: a group for each row, in it a bar for each set. */
export interface Bars {
  title: string;
  note: string;
  unit: string;
  rows: string[];
  /** At the right end of each row. */
  ends: string[];
  sets: {
    name: string;
    mark: Mark;
    /** Of a published set: whose bars its dots lie on. */ on: number | null;
    bars: Bar[];
  }[];
  /** Where the axis ends. */
  most: number;
}

export interface Bar {
  row: number;
  value: Interval;
  /** Shares of user time and of system time, first in the bar; the rest is waiting. */
  parts: [number, number] | null;
  mark: Mark | null;
  /** What stands at its end, if not its value. */
  end: string | null;
  words: string;
}

/** The scoreboard: a row for each length of message. */
export interface Strip {
  win: number;
  loss: number;
  rows: { name: string; counts: [number, number, number]; dots: StripDot[] }[];
}

export interface StripDot {
  name: string;
  ratio: Interval;
  standing: "win" | "tie" | "loss";
  up: number;
  words: string;
}

export interface Plot {
  id: string;
  title: string;
  unit: string;
  rate: boolean;
  sizes: number[];
  /** Each figure is of one message of many that are hashed together. */
  many: boolean;
  algorithms: string[];
  sources: string[];
  /** How each of them looks. */
  marks: Mark[];
  main: string;
  measured: Measured[];
  published: Block[];
  pairs: Pair[];
}

export interface Measured {
  source: string;
  implementation: string;
  algorithm: string;
  size: number;
  /** Its place among the cells. */
  cell: number;
  /** In the table's unit. */
  value: Interval;
  /** Of a message. */
  ns: Interval;
  /** Of a message; null where the frequency is not known. */
  cycles: Interval | { value: null };
  few: boolean;
}

export interface Block {
  id: string;
  machine: string;
  here: string;
  figures: Printed[];
}

export interface Printed {
  algorithm: string;
  size: number;
  printed: string;
  /** In the table's unit, where it can be said in it. */
  value: number | null;
  /** Of a message, where it says that much. */
  ns: number | null;
  cycles: number | null;
}

export interface Pair {
  hardware: string;
  software: string;
  algorithm: string;
  size: number;
  /** Time without the CPU's features / time with them. */
  ratio: Interval;
}

export interface Grid {
  title: string;
  note: string;
  header: string[];
  rows: string[][];
}

export interface Moment {
  algorithm: string;
  size: number | string;
  /** From the run's beginning; null in an old record. */
  began_ms: number | null;
  clean: number;
  total: number;
  ghz: number;
  ipc: number;
}

export type Verdict = "holds" | "fails" | "not-distinguishable" | "not-measured";

export interface Judgement {
  on: string;
  verdict: Verdict;
  ratio: Interval | null;
  detail: string;
}

export interface Claim {
  says: string;
  place: string;
  note: string | null;
  /** The published ones, then the one on this machine. */
  judgements: Judgement[];
}

/** The parts that the program put into the page. */
export async function parts(): Promise<Part[]> {
  const all = JSON.parse(
    await (await unpacked(document.getElementById("reports")!.textContent!)).text(),
  ) as Part[];
  all.forEach(({ report }) => timed(report));
  return all;
}

/** Times stand in the cells only: gives them to the charts. */
function timed({ cells, plots }: Report): void {
  for (const figure of plots.flatMap((plot) => plot.measured)) {
    const { ns, cycles } = cells[figure.cell]!.estimate!;
    Object.assign(figure, { ns, cycles });
  }
}

/** What was packed by gzip, then Base64. */
export async function unpacked(text: string): Promise<Blob> {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(
    new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")),
  ).blob();
}
