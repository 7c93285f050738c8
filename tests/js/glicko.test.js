import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import "./page.js";
import { aged, expectedScore, rate } from "../../src/damier/server/client/ui/ratings/glicko.js";
import { valueRange } from "../../src/damier/server/client/ui/ratings/rating-graph.js";
import { signed } from "../../src/damier/server/client/ui/ratings/ratings.js";

const VECTORS = JSON.parse(readFileSync(new URL("glicko-vectors.json", import.meta.url), "utf8"));

/** Compares ratings to six digits. */
function near(found, expected) {
  for (const name of ["value", "deviation", "volatility"])
    assert.ok(Math.abs(found[name] - expected[name]) < 1e-6 * Math.abs(expected[name]), `${name}: ${found[name]}`);
}

test("the browser rates as the server does", () => {
  assert.ok(VECTORS.length >= 50);
  for (const { before, days, results, after, expected } of VECTORS) {
    const older = aged(before, days);
    near(rate(older, results), after);
    assert.ok(Math.abs(expectedScore(older, results[0].opponent) - expected) < 1e-9);
  }
});

test("a graph shows at least a hundred points, with round lines", () => {
  assert.deepEqual(valueRange([1500]), { low: 1450, high: 1550, lines: [1450, 1500, 1550] });
  assert.deepEqual(valueRange([1203, 1790]).lines, [1400, 1600]);
  for (const values of [
    [100, 3000],
    [1499, 1502],
    [1210, 1330],
  ]) {
    const { low, high, lines } = valueRange(values);
    assert.ok(low <= Math.min(...values) && high >= Math.max(...values));
    assert.ok(lines.length >= 2 && lines.length <= 5, String(lines));
  }
});

test("a change has a sign", () => {
  assert.deepEqual([12, -8, 0].map(signed), ["+12", "−8", "±0"]);
});
