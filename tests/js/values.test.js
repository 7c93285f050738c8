import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { useSentences } from "../../src/damier/server/client/net/language.js";
import { heatOf } from "../../src/damier/server/client/board/heat.js";
import { HAND } from "../../src/damier/server/client/board/narrowing.js";
import { better, kindOf, valueText } from "../../src/damier/server/client/ui/values.js";

useSentences({ "values.about": "about {value}" });
const win = (distance) => ({ value: "win", distance, chance: 1 });
const loss = (distance) => ({ value: "loss", distance, chance: 0 });
const likely = (chance) => ({ value: null, distance: null, chance });

test("an estimate counts as good or bad only far from even", () => {
  assert.deepEqual([0.9, 0.55, 0.5, 0.45, 0.1].map(likely).map(kindOf), ["win", "draw", "draw", "draw", "loss"]);
  assert.equal(kindOf(loss(3)), "loss");
});

test("values are sorted best first", () => {
  const sorted = [win(1), win(5), likely(0.9), { value: "draw" }, likely(0.5), likely(0.1), loss(9), loss(2)];
  assert.deepEqual([...sorted].reverse().sort(better), sorted);
});

test("an estimate says that it is one", () => {
  assert.equal(valueText(likely(0.756), false), "about 76\u00a0%");
  assert.equal(valueText(likely(0.756), true), "76\u00a0%");
  assert.equal(valueText({ ...win(3), text: "win in 3" }, false), "win in 3");
});

test("cells are tinted by the value of their one action, the best strongest", () => {
  const actions = ["a", "b", "c"].map((name) => ({ action: name, cells: [HAND, name] }));
  const heat = heatOf(actions, { is_exact: true, values: { a: win(1), b: win(3), c: win(1) } });
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
  assert.equal(heatOf(two, { is_exact: true, values: { a: win(1), b: win(1) } }), null);
  const unknown = [
    { action: "a", cells: ["a"] },
    { action: "b", cells: ["b"] },
  ];
  assert.equal(heatOf(unknown, { is_exact: true, values: { a: win(1) } }), null);
});
