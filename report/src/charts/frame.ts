// A chart with its title, choices and legend. Whatever the reader does is drawn at once: no animation, no timer.

import { CustomChart, LineChart, ScatterChart } from "echarts/charts";
import { GridComponent, TooltipComponent } from "echarts/components";
import { type EChartsCoreOption, type EChartsType, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

import { h, select } from "../dom";
import { type Theme, theme } from "../theme";
import { type Mark, swatch } from "./marks";

use([CustomChart, LineChart, ScatterChart, GridComponent, TooltipComponent, SVGRenderer]);

/** An entry of the legend: a set of marks that can be taken out of the chart. */
export interface Key {
  name: string;
  mark: Mark;
}

/** What the reader may choose: a label and, as value and words, what there is. The first is chosen at the beginning. */
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
  option: (shown: (name: string) => boolean, theme: Theme) => EChartsCoreOption;
}

const frames: Frame[] = [];

/** Draws every chart again: after a change of theme, or of the window's width. */
export function redraw(): void {
  frames.forEach((frame) => frame.draw());
}

export class Frame {
  readonly element: HTMLElement;
  private readonly plot: HTMLElement;
  private readonly legend = h("div", { class: "legend", role: "group", "aria-label": "Legend: what is shown" });
  private readonly chosen: string[];
  private hidden = new Set<string>();
  private drawing: Drawing;
  private chart?: EChartsType;

  constructor(title: string, note: string, choices: Choice[], private readonly draws: (chosen: string[]) => Drawing) {
    this.chosen = choices.map((choice) => choice.options[0]![0]);
    this.drawing = draws(this.chosen);
    this.plot = h("div", { class: "plot", role: "img", "aria-label": `Chart: ${title}. Its figures are in the tables below.` });
    const choosing = choices.map(({ label, options }, index) => select(label, options, options[0]![0], (value) => this.choose(index, value)));
    const wanted = choosing.filter((_, index) => choices[index]!.options.length > 1);
    const caption = h("figcaption", {}, h("h4", {}, title), note && h("p", { class: "note" }, note), h("div", { class: "choices" }, ...wanted));
    this.element = h("figure", {}, caption, this.legend, this.plot);
    frames.push(this);
    this.begin();
  }

  /** Draws the chart as it is chosen now; its element must be in the page. */
  draw(): void {
    this.plot.style.height = `${this.drawing.height}px`;
    this.chart ??= init(this.plot, null, { renderer: "svg" });
    this.chart.resize({ height: this.drawing.height });
    const now = theme();
    this.chart.setOption({ ...base(now), ...this.drawing.option((name) => !this.hidden.has(name), now) }, { notMerge: true });
    this.legend.replaceChildren(...this.drawing.keys.map((key) => this.button(key, now)), ...this.allOrNone());
  }

  private choose(index: number, value: string): void {
    this.chosen[index] = value;
    this.drawing = this.draws(this.chosen);
    this.begin();
    this.draw();
  }

  private begin(): void {
    this.hidden = new Set(this.drawing.keys.slice(this.drawing.first ?? Infinity).map((key) => key.name));
  }

  private button({ name, mark }: Key, now: Theme): HTMLElement {
    const pressed = !this.hidden.has(name);
    return h("button", { type: "button", "aria-pressed": String(pressed), onclick: () => this.toggle(name) }, swatch(mark, now), name);
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
    const button = (name: string, names: string[]) => h("button", { type: "button", class: "plain", onclick: set(names) }, name);
    return [button("all", []), button("none", this.drawing.keys.map((key) => key.name))];
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
