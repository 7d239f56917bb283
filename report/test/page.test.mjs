// The page's parts and tables, in a browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { folder, inPage, PATIENCE } from "./browser.mjs";

inPage(
  "it opens with the question and the answer first, and every section",
  "one.html",
  async (page) => {
    const found = await page.evaluate(() => ({
      title: document.title,
      first: [...document.querySelector("article > header").children].map(
        (element) => element.className || element.tagName,
      ),
      sections: [...document.querySelectorAll("article > section > h2")].map(
        (heading) => heading.textContent,
      ),
      links: [...document.querySelectorAll("article > nav a")].every((link) =>
        document.getElementById(link.hash.slice(1)),
      ),
      charts: [...document.querySelectorAll(".plot")].map(
        (plot) => plot.querySelectorAll("svg path").length,
      ),
      words: document.body.innerText,
    }));
    assert.equal(found.title, "A study for the page · A Fast Processor </script> <!-- · hashdyno");
    assert.deepEqual(found.first.slice(0, 3), ["H1", "question", "answer"]);
    assert.deepEqual(found.sections, [
      "Charts",
      "Claims",
      "Tables",
      "All cells",
      "Errata of the document",
      "Not measured",
      "Machine",
      "Record",
    ]);
    assert.ok(found.links);
    // Ciphers as bars: encryption, decryption. Digests: throughput, published, pairs; ciphers:
    // throughput, all, pairs in both directions; many messages: throughput, all, pairs; the core.
    assert.equal(found.charts.length, 2 + 3 + 6 + 3 + 1);
    assert.ok(
      found.charts.every((paths) => paths > 4),
      `${found.charts}`,
    );
    for (const words of [
      "A Fast Processor </script> <!--",
      "holds",
      "does not hold",
      "50390.16k",
      "Digests: many messages",
      "expected 00, got <b>ff</b>",
    ])
      assert.ok(found.words.includes(words), words);
  },
);

inPage("cells are narrowed down by words and choices", "one.html", async (page) => {
  const seen = await page.evaluate(() => {
    const section = document.querySelector("#r1-cells");
    const rows = () => [...section.querySelectorAll("tbody tr")].filter((row) => !row.hidden);
    const set = (element, value, event) => {
      element.value = value;
      element.dispatchEvent(new Event(event, { bubbles: true }));
      return [
        rows().length,
        rows().every((row) => row.textContent.includes("php")),
        section.querySelector("output").textContent,
      ];
    };
    const choice = (name) =>
      [...section.querySelectorAll("label")]
        .find((label) => label.firstChild.textContent === name)
        .querySelector("select");
    const all = rows().length;
    return {
      all,
      provider: set(choice("provider"), "php", "change"),
      mask: set(choice("mask"), "-sha", "change"),
      words: set(section.querySelector("input"), "php SHA256", "input"),
      none: set(section.querySelector("input"), "nothing at all", "input"),
      back: set(section.querySelector("input"), "", "input"),
    };
  });
  assert.equal(seen.all, 4 * (3 + 2) * 6 + 4 * 2 * 2);
  assert.deepEqual(seen.provider, [40, true, "40 of 136 cells"]);
  assert.deepEqual(seen.mask, [20, true, "20 of 136 cells"]);
  assert.deepEqual(seen.words, [5, true, "5 of 136 cells"]);
  assert.deepEqual(seen.none.slice(0, 1), [0]);
  assert.deepEqual(seen.back, [20, true, "20 of 136 cells"]);
});

inPage(
  "headings sort, both ways, by number and by word; what is void comes last",
  "one.html",
  async (page) => {
    const sorted = await page.evaluate(() => {
      const table = document.querySelector("#r1-cells table");
      const titles = [...table.querySelectorAll("thead th")];
      const click = (title) => {
        const place = titles.findIndex((heading) => heading.textContent === title);
        titles[place].querySelector("button").click();
        const states = titles
          .map((heading) => heading.getAttribute("aria-sort"))
          .filter((state) => state);
        return {
          state: states.join(),
          values: [...table.tBodies[0].rows].map((row) => row.cells[place].textContent),
        };
      };
      return { up: click("ns"), down: click("ns"), words: click("algorithm") };
    });
    const numbers = ({ values }) => values.filter((value) => value !== "").map(Number);
    const ordered = (values) =>
      values.every((value, index) => index === 0 || values[index - 1] <= value);
    assert.equal(sorted.up.state, "ascending");
    assert.ok(ordered(numbers(sorted.up)));
    assert.equal(sorted.up.values.at(-1), "");
    assert.equal(sorted.down.state, "descending");
    assert.ok(ordered(numbers(sorted.down).reverse()));
    assert.equal(sorted.down.values.at(-1), "");
    assert.equal(sorted.words.state, "ascending");
    assert.ok(ordered(sorted.words.values));
  },
);

inPage("a heading sorts by the keyboard too", "one.html", async (page) => {
  await page.evaluate(() =>
    document.querySelector("#r1-cells thead th:nth-child(6) button").focus(),
  );
  await page.keyboard.press("Enter");
  await page.waitForFunction(
    () =>
      document.querySelector("#r1-cells thead th:nth-child(6)").getAttribute("aria-sort") ===
      "ascending",
    null,
    { timeout: PATIENCE },
  );
});

inPage("a table is copied as it is shown, as Markdown and as CSV", "one.html", async (page) => {
  const copied = await page.evaluate(() => {
    const section = document.querySelector("#r1-cells");
    const box = section.querySelector("input");
    box.value = "openssl sha256 -sha";
    box.dispatchEvent(new Event("input", { bubbles: true }));
    const texts = [];
    window.addEventListener("copy", (event) =>
      texts.push(event.clipboardData.getData("text/plain")),
    );
    section.querySelectorAll(".taking button").forEach((button) => button.click());
    return { texts, status: document.getElementById("status").textContent };
  });
  const [markdown, csv] = copied.texts;
  assert.equal(copied.status, "Copied as CSV");
  assert.match(
    markdown,
    /^\| algorithm \| direction \| provider \|.*\n\|---\|---\|---\|---\|---:\|/,
  );
  assert.equal(markdown.trim().split("\n").length, 2 + 5);
  assert.match(csv, /^algorithm,direction,provider,implementation,bytes,mask,threads,ns,/);
  assert.match(csv, /\r\nsha256,,openssl,virtual,8192,-sha,1,\d/);
  assert.equal(csv.trim().split("\r\n").length, 1 + 5);
});

inPage("a copied table has no markup of the record's", "one.html", async (page) => {
  const markdown = await page.evaluate(() => {
    const section = document.querySelector("#r1-cells");
    const box = section.querySelector("input");
    box.value = "wrong answer";
    box.dispatchEvent(new Event("input", { bubbles: true }));
    let text = "";
    window.addEventListener("copy", (event) => (text = event.clipboardData.getData("text/plain")));
    section.querySelector(".taking button").click();
    return text;
  });
  assert.ok(markdown.includes("expected 00, got &lt;b&gt;ff&lt;/b&gt; |"), markdown);
});

inPage("the record comes out of the page as it went in", "one.html", async (page) => {
  const [download] = await Promise.all([
    page.waitForEvent("download", { timeout: PATIENCE }),
    page.evaluate(() => document.querySelector(".download").click()),
  ]);
  assert.equal(download.suggestedFilename(), "fast.jsonl");
  assert.deepEqual(readFileSync(await download.path()), readFileSync(join(folder, "fast.jsonl")));
});

inPage(
  "several records have a part each, claims side by side, and anchors of their own",
  "two.html",
  async (page) => {
    const found = await page.evaluate(async () => ({
      parts: [...document.querySelectorAll("article")].map((part) => part.id),
      overview: document.querySelector(".overview").innerText,
      anchors: ["r1-cells", "r2-cells"].map(
        (id) => document.getElementById(id)?.closest("article").id,
      ),
      ids: [...document.querySelectorAll("[id]")].map((element) => element.id),
      files: [...document.querySelectorAll("[id$=-record] code")]
        .map((code) => code.textContent)
        .filter((words) => !words.includes(" ")),
      saving: document.querySelectorAll(".download").length,
      records: (await reports()).map((part) => part.record),
    }));
    assert.deepEqual(found.parts, ["r1", "r2"]);
    assert.deepEqual(found.anchors, ["r1", "r2"]);
    assert.equal(new Set(found.ids).size, found.ids.length, "no anchor twice");
    assert.deepEqual(found.files, ["fast.jsonl", "slow.jsonl"]);
    assert.deepEqual(
      [found.saving, found.records],
      [0, [null, null]],
      "the page holds no record unless it is asked for",
    );
    for (const words of [
      "2 records",
      "Machines side by side",
      "There is no verdict",
      "A Fast Processor",
      "A Slow Processor",
      "SHA-256 is slower than MD5",
    ])
      assert.ok(found.overview.includes(words), words);
  },
);
