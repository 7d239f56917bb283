// The list of colours: seen on its paper, and told apart by eyes of every kind.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const { hues } = JSON.parse(readFileSync(new URL("../colours.json", import.meta.url)));

/**
 * How eyes see that lack one kind of cone: Machado, Oliveira, Fernandes, "A physiologically-based
 * model for simulation of color vision deficiency", 2009, severity 1.
 */
const EYES = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const times = (matrix, vector) =>
  matrix.map((row) => row.reduce((sum, part, at) => sum + part * vector[at], 0));

/** Linear red, green and blue of `#rrggbb`. */
function linear(text) {
  const parts = [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16) / 255);
  return parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
}

/** OKLab (Ottosson 2020), in which distances are as they are seen. */
function lab(rgb) {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb,
  );
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones.map(Math.cbrt),
  );
}

/** WCAG 2.2, contrast ratio. */
function contrast(one, other) {
  const light = [one, other].map(
    (text) => times([[0.2126, 0.7152, 0.0722]], linear(text))[0] + 0.05,
  );
  return Math.max(...light) / Math.min(...light);
}

for (const [theme, paper] of [
  ["light", "#ffffff"],
  ["dark", "#171a1e"],
]) {
  test(`the colours of the ${theme} theme have a contrast of 3 to 1 at least`, () => {
    for (const hue of hues)
      assert.ok(contrast(hue[theme], paper) >= 3, `${hue.name}: ${contrast(hue[theme], paper)}`);
  });

  for (const [eyes, matrix] of Object.entries(EYES)) {
    test(`the colours of the ${theme} theme are told apart: ${eyes}`, () => {
      const seen = hues.map((hue) =>
        lab(times(matrix, linear(hue[theme])).map((part) => Math.min(1, Math.max(0, part)))),
      );
      hues.forEach((hue, one) =>
        hues.slice(0, one).forEach((other, two) => {
          const distance = Math.hypot(...seen[one].map((part, at) => part - seen[two][at]));
          assert.ok(distance >= 0.07, `${hue.name} and ${other.name}: ${distance.toFixed(3)}`);
        }),
      );
    });
  }
}
