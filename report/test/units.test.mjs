// Charts of records whose tables have different units, and of messages of no bytes.

import assert from "node:assert/strict";
import { inPage } from "./browser.mjs";

inPage("machines whose tables differ in their unit stand in ns", "units.html", async (page) => {
  const seen = await page.evaluate(async () => {
    const figure = document.querySelector(".overview figure");
    return {
      units: (await reports()).map((part) => part.report.plots[0].unit),
      note: figure.querySelector(".note").textContent,
      words: figure.querySelector(".plot svg").textContent,
    };
  });
  assert.notEqual(seen.units[0], seen.units[1]);
  for (const words of [seen.note, seen.words])
    assert.ok(words.includes("ns per message"), `${words}`);
});

inPage("a message of no bytes stands in no chart of rates", "units.html", async (page) => {
  const seen = await page.evaluate(() => {
    const charts = [...document.querySelectorAll("#r2-charts figure")];
    const figure = charts.find(
      (one) => one.querySelector("h4").textContent === "Throughput by message size",
    );
    const paths = [...document.querySelectorAll(".plot svg path")];
    const cells = [...document.querySelectorAll("#r2-cells tbody tr")];
    return {
      sizes: figure.querySelector(".plot svg").textContent,
      broken: paths.filter((path) => /NaN|Infinity/.test(path.getAttribute("d"))).length,
      endless: cells.filter((row) => row.textContent.includes("Infinity")).length,
    };
  });
  assert.ok(seen.sizes.includes("8192"), seen.sizes);
  assert.deepEqual([seen.broken, seen.endless], [0, 0]);
});
