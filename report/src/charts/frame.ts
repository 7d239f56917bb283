// A chart with its title, choices and legend. Whatever the reader does is drawn at once: no
// animation, no timer.

import { CustomChart, LineChart, ScatterChart } from "echarts/charts";
import { GridComponent, TooltipComponent } from "echarts/components";
import { type EChartsCoreOption, type EChartsType, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

import { h, select, tell } from "../dom";
import { type Theme, theme } from "../theme";
import { type Mark, swatch } from "./marks";
import { picture, save } from "./picture";

use([CustomChart, LineChart, ScatterChart, GridComponent, TooltipComponent, SVGRenderer]);

/** An entry of the legend: a set of marks that can be taken out of the chart. */
export interface Key {
  name: string;
  mark: Mark;
}

/**
 * What the reader may choose: a label and, as value and words, what there is. The first is chosen
 * at the beginning.
 */
export interface Choice {
  label: string;
  options: [string, string][];
}

/** A chart under certain choices. */
export interface Drawing {
  height: number;
  keys: Key[];
  /** The keys that are shown at the beginning; all, if nothing is said. */
  first?: number;
  /** In place of the frame's. */
  note?: string;
  /** `width` is the chart's, in pixels. */
  option: (shown: (name: string) => boolean, theme: Theme, width: number) => EChartsCoreOption;
}

const frames: Frame[] = [];

/** Draws every chart again: after a change of theme, or of the window's width. */
export function redraw(): void {
  frames.forEach((frame) => frame.draw());
}

/** Draws every chart again from its figures: after a change of the unit. */
export function recompute(): void {
  frames.forEach((frame) => frame.renew());
}

export class Frame {
  readonly element: HTMLElement;
  private readonly plot: HTMLElement;
  private readonly legend = h("div", {
    class: "legend",
    role: "group",
    "aria-label": "Legend: what is shown",
  });
  private readonly note = h("p", { class: "note" });
  private readonly chosen: string[];
  private hidden = new Set<string>();
  private drawing: Drawing;
  private chart?: EChartsType;

  constructor(
    private readonly title: string,
    private readonly words: string,
    private readonly choices: Choice[],
    private readonly draws: (chosen: string[]) => Drawing,
  ) {
    this.chosen = choices.map((choice) => choice.options[0]![0]);
    this.drawing = draws(this.chosen);
    this.plot = h("div", {
      class: "plot",
      role: "img",
      "aria-label": `Chart: ${title}. Its figures are in the tables below.`,
    });
    const choosing = choices.map(({ label, options }, index) =>
      select(label, options, options[0]![0], (value) => this.choose(index, value)),
    );
    const wanted = choosing.filter((_, index) => choices[index]!.options.length > 1);
    const caption = h(
      "figcaption",
      {},
      h("h4", {}, title),
      this.note,
      h("div", { class: "choices" }, ...wanted),
    );
    this.element = h("figure", {}, caption, this.legend, this.plot, this.saving());
    frames.push(this);
    this.begin();
  }

  /** Draws the chart as it is chosen now; its element must be in the page. */
  draw(): void {
    this.plot.style.height = `${this.drawing.height}px`;
    this.chart ??= init(this.plot, null, { renderer: "svg" });
    this.chart.resize({ height: this.drawing.height });
    const now = theme();
    this.chart.setOption(
      {
        ...base(now),
        ...this.drawing.option((name) => this.shows(name), now, this.plot.clientWidth),
      },
      { notMerge: true },
    );
    this.note.textContent = this.drawing.note ?? this.words;
    this.legend.replaceChildren(
      ...this.drawing.keys.map((key) => this.button(key, now)),
      ...this.allOrNone(),
    );
  }

  /** The same choices, from the figures on. */
  renew(): void {
    this.drawing = this.draws(this.chosen);
    this.draw();
  }

  private shows(name: string): boolean {
    return !this.hidden.has(name);
  }

  private choose(index: number, value: string): void {
    this.chosen[index] = value;
    this.drawing = this.draws(this.chosen);
    this.begin();
    this.draw();
  }

  private begin(): void {
    this.hidden = new Set(
      this.drawing.keys.slice(this.drawing.first ?? Infinity).map((key) => key.name),
    );
  }

  private button({ name, mark }: Key, now: Theme): HTMLElement {
    return h(
      "button",
      {
        type: "button",
        "aria-pressed": String(this.shows(name)),
        onclick: () => this.toggle(name),
      },
      swatch(mark, now),
      name,
    );
  }

  private toggle(name: string): void {
    if (!this.hidden.delete(name)) this.hidden.add(name);
    const place = this.drawing.keys.findIndex((key) => key.name === name);
    this.draw();
    (this.legend.children[place] as HTMLElement).focus({ preventScroll: true });
  }

  private allOrNone(): HTMLElement[] {
    if (this.drawing.keys.length < 5) return [];
    const set = (names: string[]) => () => {
      this.hidden = new Set(names);
      this.draw();
    };
    const button = (name: string, names: string[]) =>
      h("button", { type: "button", class: "plain", onclick: set(names) }, name);
    return [
      button("all", []),
      button(
        "none",
        this.drawing.keys.map((key) => key.name),
      ),
    ];
  }

  private saving(): HTMLElement {
    const button = (kind: "SVG" | "PNG") =>
      h("button", { type: "button", onclick: () => void this.save(kind) }, `Save ${kind}`);
    return h("div", { class: "taking" }, button("SVG"), button("PNG"));
  }

  /** The chart with title, legend and where it was measured, as a file. */
  private async save(kind: "SVG" | "PNG"): Promise<void> {
    const article = this.element.closest<HTMLElement>("[data-about]");
    const heading = this.element.closest(".charts")?.querySelector("h3")?.textContent;
    const chosen = this.choices
      .filter(({ options }) => options.length > 1)
      .map(({ label, options }) => {
        const at = this.choices.findIndex((choice) => choice.label === label);
        return `${label} ${options.find(([key]) => key === this.chosen[at])?.[1]}`;
      });
    const lines = [
      [heading, ...chosen].filter((word) => word).join(" · "),
      this.note.textContent ?? "",
      article?.dataset.about ?? "",
    ].filter((line) => line);
    const keys = this.drawing.keys.filter(({ name }) => this.shows(name));
    const svg = picture(this.title, lines, keys, this.plot.querySelector("svg")!, theme());
    const title = this.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
    const file = `${article?.dataset.file ?? "hashdyno"}-${title}`;
    tell(`Saved ${await save(svg, kind, file)}`);
  }
}

function base({ ink, rule, paper }: Theme): EChartsCoreOption {
  return {
    animation: false,
    textStyle: { fontFamily: getComputedStyle(document.body).fontFamily, color: ink },
    tooltip: {
      trigger: "item",
      confine: true,
      transitionDuration: 0,
      showDelay: 0,
      hideDelay: 0,
      backgroundColor: paper,
      borderColor: rule,
      textStyle: { color: ink, fontSize: 12 },
      formatter: (point: { data: { tip?: string } }) => point.data.tip ?? "",
    },
  };
}
