// The page's charts, in a browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inPage, PATIENCE, pictures } from "./browser.mjs";

inPage("a dot tells its figure when it is hovered", "one.html", async (page) => {
  const told = await page.evaluate(async () => {
    const plot = chart("Throughput by message size").querySelector(".plot");
    plot.scrollIntoView();
    const data = (await reports())[0].report.plots[0];
    const words = [];
    for (const dot of plot.querySelectorAll("svg path")) {
      const box = dot.getBoundingClientRect();
      if (box.width < 4 || box.width > 14 || box.height < 4 || box.height > 14) continue;
      const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true };
      plot.querySelector("svg").dispatchEvent(new MouseEvent("mousemove", at));
      words.push(plot.innerText);
    }
    return {
      words,
      figures: data.measured
        .filter((cell) => cell.source === "openssl")
        .map((cell) => cell.size / cell.ns.value),
    };
  });
  const figures = told.figures.map((figure) =>
    figure.toFixed(Math.max(0, 3 - Math.floor(Math.log10(figure)))),
  );
  const said = new Set(
    told.words.map((words) => /([\d.]+) \([\d.]+ to [\d.]+\) GB\/s, ±/.exec(words)?.[1]),
  );
  assert.ok(told.words.length >= figures.length, `${told.words.length} dots`);
  // Dots may lie on each other: what is told is one of the record's figures, and most are told.
  for (const figure of said) assert.ok(figures.includes(figure), `${figure} is none of ${figures}`);
  assert.ok(said.size >= figures.length / 2, `only ${[...said]} of ${figures}`);
});

inPage(
  "the legend takes dots out and puts them back; a choice draws another chart",
  "one.html",
  async (page) => {
    const seen = await page.evaluate(() => {
      const figure = chart("Throughput by message size");
      const dots = () => figure.querySelectorAll(".plot svg path").length;
      const keys = () => [...figure.querySelectorAll(".legend button[aria-pressed]")];
      const all = dots();
      keys()[0].click();
      const less = [
        dots(),
        keys()[0].getAttribute("aria-pressed"),
        document.activeElement === keys()[0],
      ];
      keys()[0].click();
      const again = dots();
      const choice = figure.querySelector("select");
      const names = keys()
        .map((key) => key.textContent)
        .join();
      choice.value = "algorithm sha256";
      choice.dispatchEvent(new Event("change", { bubbles: true }));
      return {
        all,
        less,
        again,
        names,
        chosen: keys()
          .map((key) => key.textContent)
          .join(),
      };
    });
    assert.ok(seen.less[0] < seen.all);
    assert.deepEqual(seen.less.slice(1), ["false", true]);
    assert.equal(seen.again, seen.all);
    assert.equal(seen.names, "md5,sha1,sha256,crc32b");
    assert.equal(seen.chosen, "hashdyno,hashdyno@-sha,php,php@-sha,openssl,openssl@-sha");
  },
);

inPage("hardware beside software says how many times as fast", "one.html", async (page) => {
  const { words, ratios } = await page.evaluate(async () => {
    const figure = chart("Hardware beside software");
    const { pairs } = (await reports())[0].report.plots[0];
    return {
      words: figure.querySelector(".plot").textContent,
      ratios: pairs.filter((pair) => pair.size === 8192).map((pair) => pair.ratio.value),
    };
  });
  assert.ok(ratios.length >= 9, `${ratios}`);
  for (const ratio of ratios)
    assert.ok(words.includes(`× ${ratio.toFixed(3)}`), `${ratio} in ${words}`);
});

inPage(
  "machines stand side by side, each with its name, " +
    "the second in outlines of the provider's colour",
  "two.html",
  async (page) => {
    const found = await page.evaluate(async () => {
      const overview = document.querySelector(".overview");
      const keys = [...overview.querySelectorAll("figure")][0].querySelectorAll(".legend button");
      const [headings, ...lines] = [...overview.querySelectorAll("details table")]
        .flatMap((table) => [...table.rows])
        .map((row) => [...row.cells].map((cell) => cell.textContent));
      const ns = (part) =>
        Object.fromEntries(
          part.report.cells
            .filter((cell) => cell.estimate)
            .map((cell) => [
              `${cell.algorithm}|${cell.source}|${cell.size}`,
              cell.estimate.ns.value,
            ]),
        );
      return {
        keys: [...keys].map((key) => [
          key.textContent,
          key.querySelector("g").getAttribute("fill"),
          key.querySelector("g").getAttribute("stroke"),
        ]),
        headings,
        lines,
        ns: (await reports()).map(ns),
      };
    });
    const [first, second] = found.keys;
    assert.deepEqual(
      [first[0], second[0]],
      ["A Fast Processor </script> <!--", "A Slow Processor"],
    );
    assert.equal(
      first[1],
      second[2],
      "filled on the first machine, an outline of the same colour on the second",
    );
    assert.deepEqual(found.headings.slice(-1), ["second / first"]);
    assert.equal(
      found.lines.length,
      Object.keys(found.ns[0]).filter((key) => key in found.ns[1]).length,
    );
    for (const [algorithm, source, size, , , ratio] of found.lines) {
      const key = `${algorithm}|${source}|${size}`;
      assert.ok(
        Math.abs(Number.parseFloat(ratio) / (found.ns[1][key] / found.ns[0][key]) - 1) < 0.001,
        key,
      );
    }
  },
);

inPage("a provider has one colour in every chart", "two.html", async (page) => {
  const seen = await page.evaluate(() => {
    const keys = [...document.querySelectorAll("article .legend button")].filter((key) =>
      key.querySelector("svg"),
    );
    return keys.map((key) => [key.textContent, key.querySelector("g").getAttribute("fill")]);
  });
  const text = (file) => readFileSync(new URL(file, import.meta.url), "utf8");
  const light = Object.fromEntries(
    JSON.parse(text("../colours.json")).hues.map(({ name, light }) => [name, light]),
  );
  const rows = text("../../runners/runners.toml").matchAll(
    /^name = "([^"]+)"\n[^[]*?^mark = \["([^"]+)"/gm,
  );
  const hue = Object.fromEntries([...rows].map(([, name, hue]) => [name, hue]));
  for (const provider of ["hashdyno", "php", "openssl", "openssl-software"]) {
    const own = seen.filter(([name]) => name.split("@")[0] === provider);
    assert.ok(own.length >= 4, `${provider} is in ${own.length} charts`);
    assert.deepEqual(
      [...new Set(own.map(([, colour]) => colour))],
      [light[hue[provider]]],
      provider,
    );
  }
});

inPage("the unit of every chart can be chosen", "one.html", async (page) => {
  const seen = await page.evaluate(() => {
    const unit = [...document.querySelectorAll(".bar label")]
      .find((label) => label.textContent.startsWith("Unit"))
      .querySelector("select");
    const words = (title) => chart(title).querySelector(".plot svg").textContent;
    const all = () =>
      ["Throughput by message size", "Published beside measured", "Hardware beside software"].map(
        words,
      );
    return Object.fromEntries(
      [...unit.options].map(({ value }) => {
        unit.value = value;
        unit.dispatchEvent(new Event("change", { bubbles: true }));
        return [value, all()];
      }),
    );
  });
  assert.deepEqual(Object.keys(seen), ["", "ns", "cycles/byte", "GB/s", "messages/s"]);
  for (const [unit, name] of [
    ["ns", "ns per message"],
    ["cycles/byte", "cycles/byte"],
    ["GB/s", "GB/s"],
    ["messages/s", "messages/s"],
  ])
    for (const words of seen[unit]) assert.ok(words.includes(name), `${unit}: ${words}`);
  assert.ok(seen[""][0].includes("GB/s") && seen[""][1].includes("kB/s"), "each chart has its own");
});

inPage(
  "a chart is saved as SVG and as PNG, with title, legend and machine",
  "one.html",
  async (page) => {
    const save = async (kind) => {
      const click = page.evaluate(
        (kind) =>
          [...chart("Hardware beside software").querySelectorAll(".taking button")]
            .find((button) => button.textContent === `Save ${kind}`)
            .click(),
        kind,
      );
      const [download] = await Promise.all([
        page.waitForEvent("download", { timeout: PATIENCE }),
        click,
      ]);
      return [download.suggestedFilename(), readFileSync(await download.path())];
    };
    const [[svgName, svg], [pngName, png]] = [await save("SVG"), await save("PNG")];
    assert.deepEqual(
      [svgName, pngName],
      ["fast-hardware-beside-software.svg", "fast-hardware-beside-software.png"],
    );
    for (const words of [
      "Hardware beside software",
      "A Fast Processor &lt;/script&gt;",
      "openssl@-sha",
      "2026-01-02",
    ])
      assert.ok(svg.toString().includes(words), words);
    const width = Number(/<svg[^>]* width="([\d.]+)"/.exec(svg.toString())[1]);
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    assert.equal(
      png.readUInt32BE(16),
      Math.floor(2 * width),
      "two pixels to each of the drawing's",
    );
  },
);

inPage(
  "ciphers are bars by mode, with how many times as fast the hardware is",
  "one.html",
  async (page) => {
    const { words, ratios } = await page.evaluate(async () => {
      const { bars, plots } = (await reports())[0].report;
      const pairs = plots
        .find((plot) => plot.id === "ciphers")
        .pairs.filter((pair) => pair.size === 8192);
      return {
        words: bars.map(({ title }) => chart(title).querySelector(".plot").textContent),
        ratios: pairs.map((pair) => [pair.algorithm, pair.ratio.value]),
      };
    });
    assert.equal(words.length, 2);
    assert.equal(ratios.length, 4);
    for (const [algorithm, ratio] of ratios) {
      const own = words[algorithm.endsWith("encrypt") ? 0 : 1];
      for (const part of [algorithm.split(" ")[0], `${ratio.toFixed(1)}×`])
        assert.ok(own.includes(part), `${part} in ${own}`);
    }
  },
);

inPage(
  "the scoreboard is one chart: a dot for each decided cell, counted in each row",
  "board.html",
  async (page) => {
    const { strip, title, text, dots } = await page.evaluate(async () => {
      const figure = document.querySelector("article figure");
      const dots = [...figure.querySelectorAll(".plot svg path")].filter(
        (path) => !["none", null].includes(path.getAttribute("fill")),
      ).length;
      return {
        strip: (await reports())[0].report.strip,
        title: figure.querySelector("h4").textContent,
        text: figure.querySelector(".plot").textContent,
        dots,
      };
    });
    assert.equal(title, "hashdyno against the best of the others");
    const all = strip.rows.flatMap((row) => row.dots);
    assert.ok(dots >= all.length, `${dots} of ${all.length}`);
    for (const { name, counts, dots } of strip.rows) {
      const [win, tie, loss] = counts;
      assert.equal(win + tie + loss, dots.length);
      assert.ok(text.includes(`${name}: ${win} win, ${tie} tie, ${loss} loss`), name);
    }
  },
);

inPage(
  "file tools are bars, from the page cache and from the device, with their figures",
  "files.html",
  async (page) => {
    const { charts, drawn } = await page.evaluate(async () => {
      const charts = (await reports())[0].report.bars;
      return {
        charts,
        drawn: charts.map(({ title }) => chart(title).querySelector(".plot").textContent),
      };
    });
    assert.ok(charts.length >= 2);
    charts.forEach((chart, place) => {
      for (const set of chart.sets.filter((set) => set.on === null))
        for (const bar of set.bars) {
          const figure = bar.value.value.toFixed(
            Math.max(0, 3 - Math.floor(Math.log10(bar.value.value))),
          );
          assert.ok(
            drawn[place].includes(bar.end ?? figure),
            `${chart.rows[bar.row]} ${bar.end ?? figure}`,
          );
          assert.ok(
            bar.parts.every((part) => part >= 0) && bar.parts[0] + bar.parts[1] <= 1.001,
            `${bar.parts}`,
          );
          assert.match(bar.end, /(warm|cold|throttled), CPU \d+ %$/);
        }
    });
  },
);

for (const file of ["one.html", "two.html", "board.html", "files.html"]) {
  inPage(
    `${file} fits a telephone, verdicts first`,
    file,
    async (page) => {
      await page.screenshot({
        path: join(pictures, `narrow-${file}.png`),
        fullPage: true,
        timeout: PATIENCE,
      });
      const found = await page.evaluate(() => {
        const verdict = document.querySelector("article [id$=-claims] .verdict");
        return {
          width: document.documentElement.scrollWidth,
          verdict: verdict && [
            verdict.getBoundingClientRect().left,
            verdict.getBoundingClientRect().right,
          ],
        };
      });
      assert.ok(found.width <= 400, `${found.width} pixels wide`);
      if (found.verdict)
        assert.ok(found.verdict[0] >= 0 && found.verdict[1] <= 400, `${found.verdict}`);
    },
    { viewport: { width: 400, height: 800 } },
  );
}

for (const colorScheme of ["light", "dark"]) {
  inPage(
    `it is ${colorScheme} as the system is, and as the reader says`,
    "one.html",
    async (page) => {
      await page.screenshot({
        path: join(pictures, `${colorScheme}.png`),
        fullPage: true,
        timeout: PATIENCE,
      });
      const papers = await page.evaluate(() => {
        const now = () =>
          [
            getComputedStyle(document.body).backgroundColor,
            document.querySelector(".plot svg text").getAttribute("fill"),
          ].join(" ");
        const theme = [...document.querySelectorAll(".bar select")].at(-1);
        const set = (name) => {
          theme.value = name;
          theme.dispatchEvent(new Event("change", { bubbles: true }));
          return now();
        };
        return { system: now(), light: set("light"), dark: set("dark"), again: set("") };
      });
      assert.notEqual(papers.light, papers.dark);
      assert.equal(papers.system, papers[colorScheme]);
      assert.equal(papers.again, papers.system);
    },
    { colorScheme },
  );
}
