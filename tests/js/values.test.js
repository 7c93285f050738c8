import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "./page.js";
import { useSentences } from "../../src/damier/server/client/net/language.js";
import { heatOf } from "../../src/damier/server/client/board/marks/heat.js";
import { HAND } from "../../src/damier/server/client/board/choosing/narrowing.js";
import { ranks, valuesOnCells } from "../../src/damier/server/client/board/marks/value-chips.js";
import { choose } from "../../src/damier/server/client/net/settings.js";
import { actionKind, headline, sumText } from "../../src/damier/server/client/ui/values/value-summary.js";
import { better, kindOf, shortText, tally, valueText } from "../../src/damier/server/client/ui/values/values.js";

const SENTENCES = JSON.parse(readFileSync(new URL("../../src/damier/server/sentences/play.json", import.meta.url)));
const speak = (lang) =>
  useSentences(Object.fromEntries(Object.entries(SENTENCES).map(([key, text]) => [key, text[lang]])));
speak("en");
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

test("only the best stands out, others with its outcome are plain, the rest faded", () => {
  const draw = { value: "draw", is_proved: true };
  assert.deepEqual(ranks([win(3), win(1), draw, loss(2)]), ["equal", "best", "rest", "rest"]);
  assert.deepEqual(ranks([win(9), win(9), win(9)]), ["equal", "equal", "equal"]);
  assert.deepEqual(ranks([draw, loss(2), loss(4), draw]), ["best", "rest", "rest", "best"]);
});

test("a cell has the best value of the actions through it", () => {
  const actions = ["a-b", "a-c", "d-e"].map((action) => ({ action, cells: action.split("-") }));
  const found = valuesOnCells(actions, [], { values: { "a-b": loss(2), "a-c": win(5), "d-e": loss(4) } });
  assert.deepEqual(
    [...found],
    [
      ["a", win(5)],
      ["d", loss(4)],
    ],
  );
});

test("chips hold a number, with a sign for what is not proved", () => {
  assert.equal(shortText(win(3)), "3");
  assert.equal(shortText({ ...win(3), is_proved: false }), "≈3");
  assert.equal(shortText({ value: "draw", is_proved: true }), "");
  assert.equal(shortText({ ...likely(0.484), is_proved: true }), "48\u00a0%");
  assert.equal(shortText(likely(0.484), false), "≈48");
});

test("the sum is said once, in words", () => {
  const draw = { value: "draw", is_proved: true };
  const some = [win(1), win(3), win(3), win(3), ...Array(12).fill(draw), loss(2), loss(2)];
  assert.equal(sumText(some, "placements"), "4 of 18 placements win, 12 draw, 2 lose.");
  assert.equal(sumText([win(1), draw, loss(2)], "moves"), "1 of 3 moves wins, 1 draws, 1 loses.");
  assert.equal(sumText(Array(24).fill(win(9)), "placements"), "All 24 placements win in 9 plies.");
  assert.equal(sumText([win(1), win(3)], "moves"), "All 2 moves win.");
  assert.equal(
    sumText([likely(0.6), likely(0.45)], "actions"),
    "2 actions, with chances to win from 45\u00a0% to 60\u00a0%.",
  );
  assert.equal(sumText([win(3), likely(0.6)], "actions"), "1 of 2 actions wins, 1 is estimated.");
  speak("de");
  assert.equal(sumText(some, "placements"), "Von 18 Möglichkeiten gewinnen 4, 12 halten remis, 2 verlieren.");
  speak("en");
});

test("the headline names the best action, and says what is not proved", () => {
  assert.equal(headline({ values: { d3: win(1), a1: win(3) } }, "Black"), "Black wins in 1 ply with d3");
  assert.equal(headline({ values: { d3: win(9), a1: win(9) } }, "Black"), "Black wins in 9 plies");
  assert.equal(headline({ values: { d3: loss(2) } }, "Black"), "Black loses in 2 plies at most");
  assert.equal(
    headline({ values: { d3: { ...win(5), is_proved: false }, a1: loss(2) } }, "Black"),
    "Black wins in 5 plies with d3, not proved",
  );
  assert.equal(headline({ values: { d3: likely(0.6), a1: loss(2) } }, "Black"), "Best for Black: d3, about 60\u00a0%");
});

test("distances are counted in own moves where the visitor prefers them and the game allows it", () => {
  const value = { ...win(5), own_moves: 3, text: "win in 5 plies" };
  choose("distance", "moves");
  assert.equal(shortText(value), "3");
  assert.equal(valueText(value), "win in 3 own moves");
  assert.equal(valueText({ ...value, own_moves: null }), "win in 5 plies");
  choose("distance", "plies");
  assert.equal(valueText(value), "win in 5 plies");
});

test("actions are placements on empty cells, moves, or both", () => {
  const [place, blast, move, bring] = [["a1"], ["b1"], ["b1", "b2"], [HAND, "c1"]].map((cells) => ({
    action: "",
    cells,
  }));
  const pieces = [{ cell: "b1" }];
  assert.equal(actionKind([place, bring], pieces), "placements");
  assert.equal(actionKind([move], pieces), "moves");
  assert.equal(actionKind([move, blast], pieces), "actions");
});
