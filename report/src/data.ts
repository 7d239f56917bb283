// The shape of the data: what crates/bench/src/report/json.rs writes, and html.rs around it.

export interface Interval {
  value: number;
  low: number;
  high: number;
}

export interface Part {
  file: string;
  bytes: number;
  /** The record's bytes: gzip, then Base64. */
  record: string;
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
  preset: string;
  machine: { cpu: string; family: number; model: number; stepping: number; hypervisor: string | null };
  cells: Cell[];
  plots: Plot[];
  grids: Grid[];
  behaviour: Moment[];
  claims: Claim[];
  errata: { says: string; is: string; reason: string }[];
  not_measured: string[];
}

export interface Cell {
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
  estimate?: { ns: Interval; /** Its value is null where the frequency is not known. */ cycles: { value: number | null }; ghz: number; clean: number; total: number; few: boolean };
  void?: string;
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
  /** In the table's unit. */
  value: Interval;
  gigabytes_per_second: Interval;
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
export function parts(): Part[] {
  return JSON.parse(document.getElementById("reports")!.textContent!);
}
