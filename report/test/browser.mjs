// A real browser, for tests of the page. What a test does is dispatched inside the page and read
// back in the same breath: the page draws at once, without animation or timers, so nothing waits
// for anything but the page to be ready.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const PATIENCE = 120_000;
export const folder = process.env.REPORT_FOLDER;
export const pictures = process.env.REPORT_PICTURES ?? join(folder, "pictures");
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

let browser;
before(
  async () => {
    mkdirSync(pictures, { recursive: true });
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM,
      args: flags,
      timeout: PATIENCE,
    });
  },
  { timeout: PATIENCE },
);
after(() => browser?.close(), { timeout: PATIENCE });

/** A test with a page of its own, which must leave no error and ask for nothing. */
export function inPage(name, file, check, options = {}) {
  test(name, { timeout: 2 * PATIENCE }, async () => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      acceptDownloads: true,
      ...options,
    });
    const page = await context.newPage();
    // What the program put into the page, and a chart by its title.
    await page.addInitScript(() => {
      window.reports = async () => {
        const packed = Uint8Array.from(
          atob(document.getElementById("reports").textContent),
          (letter) => letter.charCodeAt(0),
        );
        const parts = await new Response(
          new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")),
        ).json();
        for (const { report } of parts)
          for (const figure of report.plots.flatMap((plot) => plot.measured))
            figure.ns = report.cells[figure.cell].estimate.ns;
        return parts;
      };
      window.chart = (title) =>
        [...document.querySelectorAll("figure")].find(
          (figure) => figure.querySelector("h4").textContent === title,
        );
    });
    page.setDefaultTimeout(PATIENCE);
    const url = pathToFileURL(join(folder, file)).href;
    const [errors, requests] = [[], []];
    page.on(
      "console",
      (message) => ["error", "warning"].includes(message.type()) && errors.push(message.text()),
    );
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on(
      "request",
      (request) => /^(data|blob):/.test(request.url()) || requests.push(request.url()),
    );
    await page.goto(url, { timeout: PATIENCE });
    await page.waitForFunction(() => document.documentElement.dataset.ready === "yes", null, {
      timeout: PATIENCE,
    });
    await check(page);
    assert.deepEqual(errors, []);
    assert.deepEqual(
      requests.map((request) => request.split("#")[0]),
      [url],
      "the page asks for itself and nothing else",
    );
    await context.close();
  });
}
