// A chart as a file of its own: title and legend, which are HTML on the page, are drawn into it.

import type { Theme } from "../theme";
import { type Mark, swatch } from "./marks";

const NAMESPACE = "http://www.w3.org/2000/svg";
const MARGIN = 12;

/** The chart with what stands above it, as an SVG element. */
export function picture(
  title: string,
  lines: string[],
  keys: { name: string; mark: Mark }[],
  chart: SVGElement,
  theme: Theme,
): SVGElement {
  const [width, height] = [chart.clientWidth, chart.clientHeight];
  const whole = element("svg", { "font-family": "system-ui, DejaVu Sans, sans-serif" });
  const parts = [
    text(title, MARGIN, 24, { "font-size": "15", "font-weight": "600", fill: theme.ink }),
  ];
  let y = 26;
  for (const line of lines.flatMap((line) => wrapped(line, width / 6.3)))
    parts.push(text(line, MARGIN, (y += 16), { "font-size": "12", fill: theme.muted }));
  let x = MARGIN;
  y += keys.length > 0 ? 20 : 0;
  for (const { name, mark } of keys) {
    const wide = 20 + 6.8 * name.length;
    if (x > MARGIN && x + wide > width) [x, y] = [MARGIN, y + 17];
    const sign = swatch(mark, theme);
    for (const [key, value] of Object.entries({ x, y: y - 10, width: 12, height: 12 }))
      sign.setAttribute(key, String(value));
    parts.push(sign, text(name, x + 16, y, { "font-size": "12", fill: theme.ink }));
    x += wide + 10;
  }
  const inside = chart.cloneNode(true) as SVGElement;
  for (const [key, value] of Object.entries({ x: 0, y: y + 8, width, height }))
    inside.setAttribute(key, String(value));
  const size = { width, height: y + 8 + height };
  for (const [key, value] of Object.entries({
    ...size,
    viewBox: `0 0 ${size.width} ${size.height}`,
  }))
    whole.setAttribute(key, String(value));
  whole.append(
    element("rect", { width: "100%", height: "100%", fill: theme.paper }),
    ...parts,
    inside,
  );
  return whole;
}

/** Saves it under that name; the answer is the whole name. */
export async function save(svg: SVGElement, kind: "SVG" | "PNG", file: string): Promise<string> {
  const drawn = new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
  const name = `${file}.${kind.toLowerCase()}`;
  download(
    kind === "SVG"
      ? drawn
      : await pixels(drawn, Number(svg.getAttribute("width")), Number(svg.getAttribute("height"))),
    name,
  );
  return name;
}

/** Hands a file to the browser's downloads. */
export function download(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Two pixels to each of the drawing's, either way. */
async function pixels(svg: Blob, width: number, height: number): Promise<Blob> {
  const image = new Image();
  image.src = URL.createObjectURL(svg);
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [2 * width, 2 * height];
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve, reject) =>
    canvas.toBlob((png) => (png ? resolve(png) : reject(new Error("no picture"))), "image/png"),
  );
}

function element(name: string, attributes: Record<string, string>): SVGElement {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function text(words: string, x: number, y: number, attributes: Record<string, string>): SVGElement {
  const made = element("text", { ...attributes, x: String(x), y: String(y) });
  made.textContent = words;
  return made;
}

/** Lines of at most `most` letters, broken between words. */
function wrapped(words: string, most: number): string[] {
  const lines = [""];
  for (const word of words.split(" ")) {
    const last = lines.at(-1)!;
    if (last !== "" && last.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}
