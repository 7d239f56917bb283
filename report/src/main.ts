// The page: a bar, an overview where there are several records, a part for each. Charts are drawn
// once everything is in the page.

import "./style.css";
import { recompute, redraw } from "./charts/frame";
import { parts } from "./data";
import { h, select } from "./dom";
import { named } from "./machines";
import { overview } from "./overview";
import { part } from "./part";
import { choose, watch } from "./theme";
import { UNITS, chooseUnit } from "./units";

const all = named((await parts()).map((part, index) => ({ part, id: `r${index + 1}` })));
const themes: [string, string][] = [
  ["", "as the system"],
  ["light", "light"],
  ["dark", "dark"],
];
const project = all[0]!.part.project;

const bar = h(
  "div",
  { class: "bar" },
  h("a", { class: "home", href: project, title: project }, "hashdyno"),
  ...(all.length > 1
    ? all.map(({ part, id, name }) => h("a", { href: `#${id}` }, `${part.report.study}, ${name}`))
    : []),
  h("span", { id: "status", role: "status" }),
  all.some(({ part }) => part.report.plots.length > 0) &&
    select("Unit", UNITS, "", (name) => {
      chooseUnit(name);
      recompute();
    }),
  select("Theme", themes, "", (name) => {
    choose(name);
    redraw();
  }),
);

document.body.append(
  bar,
  h(
    "main",
    {},
    ...(all.length > 1 ? [overview(all)] : []),
    ...all.map(({ part: content, id }) => part(content, id)),
  ),
);
redraw();
watch(redraw);
addEventListener("resize", redraw);
if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
document.documentElement.dataset.ready = "yes";
