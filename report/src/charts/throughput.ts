// Throughput by message size: a line for each provider of one algorithm, or for each algorithm of one provider.

import type { Measured } from "../data";
import { bytes, logAxis } from "../figures";
import { type Drawing, Frame } from "./frame";
import { bars, colour, dots, logScale, rules, tip, told } from "./marks";
import type { Directed } from "./plots";

export function throughput(plot: Directed): Frame | undefined {
  const sizes = [...new Set(plot.measured.map((cell) => cell.size))].sort((a, b) => a - b);
  if (sizes.length < 2) return undefined;
  const algorithms = plot.algorithms.filter((name) => plot.measured.some((cell) => cell.algorithm === name));
  const sources = plot.sources.filter((name) => plot.measured.some((cell) => cell.source === name));
  const bySource: [string, string][] = sources.map((name) => [`source ${name}`, `each algorithm, ${name}`]);
  const providers = (name: string) => new Set(plot.measured.filter((cell) => cell.algorithm === name).map((cell) => cell.source)).size;
  const byAlgorithm: [string, string][] = [...algorithms].sort((a, b) => providers(b) - providers(a)).map((name) => [`algorithm ${name}`, `each provider, ${name}`]);
  const main = bySource.filter(([key]) => key === `source ${plot.main}`);
  const rest = bySource.filter((option) => !main.includes(option));
  const few = algorithms.length > 1 && algorithms.length <= MANY;
  const options = few ? [...main, ...rest, ...byAlgorithm] : [...byAlgorithm, ...main, ...rest];
  const title = plot.many ? "Throughput of many messages by their size" : "Throughput by message size";
  return new Frame(title, "Both axes are logarithmic; a bar over a dot is its interval.", [{ label: "A line for", options }], ([chosen]) => {
    const cut = chosen!.indexOf(" ");
    const [kind, name] = [chosen!.slice(0, cut), chosen!.slice(cut + 1)];
    const own = plot.measured.filter((cell) => (kind === "source" ? cell.source : cell.algorithm) === name);
    const lines = (kind === "source" ? algorithms : sources).map((line, index) => ({
      name: line,
      mark: { index },
      cells: own.filter((cell) => (kind === "source" ? cell.algorithm : cell.source) === line).sort((a, b) => a.size - b.size),
    }));
    return drawing(lines.filter((line) => line.cells.length > 0));
  });
}

/** More lines than this are not shown at once. */
const MANY = 16;

interface Line {
  name: string;
  mark: { index: number };
  cells: Measured[];
}

function drawing(lines: Line[]): Drawing {
  const all = lines.flatMap((line) => line.cells);
  const sizes = [...new Set(all.map((cell) => cell.size))].sort((a, b) => a - b);
  const x = { ...logAxis(sizes), ticks: sizes };
  const y = logAxis(all.flatMap(({ gigabytes_per_second: rate }) => [rate.low, rate.high]));
  return {
    height: 380,
    keys: lines,
    first: MANY,
    option: (shown, theme) => ({
      grid: { left: 62, right: 16, top: 12, bottom: 46 },
      xAxis: { ...logScale(x, "message, bytes", theme, String), nameGap: 28 },
      yAxis: { ...logScale(y, "GB/s", theme), nameGap: 44 },
      series: [
        rules(y.ticks, "y", theme),
        ...lines.filter((line) => shown(line.name)).flatMap((line) => [
          { type: "line", name: line.name, ...dots(line.mark, theme), lineStyle: { width: 1.5 }, emphasis: { focus: "series" }, data: line.cells.map((cell) => point(line.name, cell)) },
          bars(line.cells.map((cell) => ({ at: cell.size, spread: cell.gigabytes_per_second })), "y", colour(line.mark, theme)),
        ]),
      ],
    }),
  };
}

function point(name: string, { size, gigabytes_per_second: rate, implementation, few }: Measured): object {
  const facts = [bytes(size), told(rate, "GB/s"), implementation && `by ${implementation}`, few ? "too few clean samples" : ""];
  return { value: [size, rate.value], tip: tip(name, facts) };
}
