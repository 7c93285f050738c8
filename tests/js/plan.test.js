import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { isLine, lineText, turnsOf } from "../../src/damier/server/client/pages/match/slow/plan.js";

const steps = [
  { action: "a1", turn: 3, player: "w" },
  { action: "a2", turn: 3, player: "w" },
  { action: "b1", turn: 4, player: "b" },
  { action: "b2", turn: 4, player: "b" },
];
const goesOn = (turn) => ({ turn, mover: "w", result: null });

test("the actions of a turn are together", () => {
  assert.deepEqual(turnsOf(steps), [
    ["a1", "a2"],
    ["b1", "b2"],
  ]);
  assert.deepEqual(turnsOf([]), []);
});

test("a line ends with a whole turn of one's own", () => {
  assert.equal(isLine([], goesOn(3), "b"), false);
  assert.equal(isLine(steps.slice(0, 2), goesOn(4), "b"), false);
  assert.equal(isLine(steps.slice(0, 3), goesOn(4), "b"), false);
  assert.equal(isLine(steps, goesOn(5), "b"), true);
  assert.equal(isLine(steps.slice(0, 3), { ...goesOn(4), result: {} }, "b"), true);
});

test("a line reads as turns and answers", () => {
  assert.equal(lineText([["a1", "a2"], ["b1"], ["c1"], ["d1"]]), "a1+a2 → b1; c1 → d1");
});
