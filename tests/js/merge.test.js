import assert from "node:assert/strict";
import { test } from "node:test";

import { merged } from "../../src/damier/server/client/net/merge.js";

test("single settings come from the later one", () => {
  const both = merged({ damier: { theme: "dark", lang: "fr" } }, { damier: { theme: "light" } });
  assert.deepEqual(both, { damier: { theme: "light", lang: "fr" } });
});

test("steps of lessons that either has done are done", () => {
  const both = merged({ "damier.lessons": { a: ["1", "2"] } }, { "damier.lessons": { a: ["2", "3"], b: ["x"] } });
  assert.deepEqual(both, { "damier.lessons": { a: ["1", "2", "3"], b: ["x"] } });
});

test("puzzles of both are solved, the rating is that of who has tried more", () => {
  const one = { "damier.puzzles": { a: { solved: ["p"], rated: ["p", "q"], rating: 1600, streak: 2 } } };
  const other = { "damier.puzzles": { a: { solved: ["r"], rated: ["r"], rating: 1400, streak: 1 } } };
  const wanted = { solved: ["p", "r"], rated: ["p", "q", "r"], rating: 1600, streak: 2 };
  assert.deepEqual(merged(one, other), { "damier.puzzles": { a: wanted } });
  assert.equal(/** @type {any} */ (merged(other, one))["damier.puzzles"].a.rating, 1600);
});

test("what is not as expected does no harm", () => {
  const odd = { damier: 5, "damier.lessons": [1], "damier.puzzles": { a: null } };
  assert.deepEqual(merged(odd, {}), {
    damier: {},
    "damier.lessons": {},
    "damier.puzzles": { a: { solved: [], rated: [] } },
  });
  assert.deepEqual(merged({}, {}), {});
});
