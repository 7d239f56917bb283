// The page: a bar, an overview where there are several records, a part for each. Charts are drawn once everything is in the page.

import "./style.css";
import { redraw } from "./charts/frame";
import { parts } from "./data";
import { h, select } from "./dom";
import { overview } from "./overview";
import { part } from "./part";
import { choose, watch } from "./theme";

const all = parts().map((part, index) => ({ part, id: `r${index + 1}` }));
const themes: [string, string][] = [["", "as the system"], ["light", "light"], ["dark", "dark"]];

const bar = h(
  "div",
  { class: "bar" },
  h("strong", {}, "hashdyno"),
  ...(all.length > 1 ? all.map(({ part, id }) => h("a", { href: `#${id}` }, `${part.report.study}, ${part.report.machine.cpu}`)) : []),
  h("span", { id: "status", role: "status" }),
  select("Theme", themes, "", (name) => {
    choose(name);
    redraw();
  }),
);

document.title = all.length === 1 ? `${all[0]!.part.report.title} · hashdyno` : `${all.length} records · hashdyno`;
document.body.append(bar, h("main", {}, ...(all.length > 1 ? [overview(all)] : []), ...all.map(({ part: content, id }) => part(content, id))));
redraw();
watch(redraw);
addEventListener("resize", redraw);
if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
document.documentElement.dataset.ready = "yes";
