import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { useSentences } from "../../src/damier/server/client/net/language.js";
import { heatOf } from "../../src/damier/server/client/board/heat.js";
import { HAND } from "../../src/damier/server/client/board/narrowing.js";
import { better, kindOf, tally, valueText } from "../../src/damier/server/client/ui/values.js";

useSentences({ "values.about": "about {value}", "values.unproved": "{value}, not proved" });
const win = (distance) => ({ value: "win", distance, chance: 1, is_proved: true });
const loss = (distance) => ({ value: "loss", distance, chance: 0, is_proved: true });
const likely = (chance) => ({ value: null, distance: null, chance });

test("an estimate counts as good or bad only far from even", () => {
  assert.deepEqual([0.9, 0.55, 0.5, 0.45, 0.1].map(likely).map(kindOf), ["win", "draw", "draw", "draw", "loss"]);
  assert.equal(kindOf(loss(3)), "loss");
});

test("estimates are counted apart from what is decided, and what is proved is counted too", () => {
  const values = [win(3), likely(0.55), likely(0.9), { value: "draw" }, loss(2), likely(0.1)];
  assert.deepEqual(tally(values), {
    counts: { win: 1, draw: 1, loss: 1 },
    proved: { win: 1, draw: 0, loss: 1 },
    estimates: [0.55, 0.9, 0.1],
  });
});

test("values are sorted best first", () => {
  const sorted = [win(1), win(5), likely(0.9), { value: "draw" }, likely(0.5), likely(0.1), loss(9), loss(2)];
  assert.deepEqual([...sorted].reverse().sort(better), sorted);
});

test("an estimate says that it is one, and so does what is not proved", () => {
  assert.equal(valueText(likely(0.756)), "about 76\u00a0%");
  assert.equal(valueText({ ...likely(0.756), is_proved: true }), "76\u00a0%");
  assert.equal(valueText({ ...win(3), text: "win in 3" }), "win in 3");
  assert.equal(valueText({ ...win(5), is_proved: false, text: "win in 5" }), "win in 5, not proved");
});

test("cells are tinted by the value of their one action, the best strongest", () => {
  const actions = ["a", "b", "c"].map((name) => ({ action: name, cells: [HAND, name] }));
  const heat = heatOf(actions, { values: { a: win(1), b: win(3), c: win(1) } });
  assert.deepEqual(Object.fromEntries([...heat].map(([cell, { kind }]) => [cell, kind])), {
    a: "win",
    b: "win",
    c: "win",
  });
  assert.equal(heat.get("a").strength, heat.get("c").strength);
  assert.ok(heat.get("a").strength > heat.get("b").strength);
});

test("there is no tint where an action has two cells or no value", () => {
  const two = [
    { action: "a", cells: ["a", "b"] },
    { action: "b", cells: ["b"] },
  ];
  assert.equal(heatOf(two, { values: { a: win(1), b: win(1) } }), null);
  const unknown = [
    { action: "a", cells: ["a"] },
    { action: "b", cells: ["b"] },
  ];
  assert.equal(heatOf(unknown, { values: { a: win(1) } }), null);
});
