import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import {
  worthOfAnswer,
  worthOfResult,
  worthOfStep,
} from "../../src/damier/server/client/pages/analyse/evaluation-bar.js";
import { accuracy, grade } from "../../src/damier/server/client/pages/analyse/grades.js";
import { add, lineThrough, makeRoot } from "../../src/damier/server/client/pages/analyse/tree.js";

const PLAYERS = [
  { player: "a", name: "Ann" },
  { player: "b", name: "Bob" },
];
const step = (number, player, loss, mark = null, has_choice = true) => ({
  number,
  player,
  action: `m${number}`,
  loss,
  mark,
  has_choice,
  chances: [0.5, 0.5],
});
const STEPS = [
  { chances: [0.5, 0.5] },
  step(0, "a", 0.5, "?"),
  step(1, "b", 0),
  step(2, "a", 0),
  step(3, "a", 1, "??", false),
];

test("accuracy is what was kept on average, where there was a choice", () => {
  assert.equal(accuracy(STEPS, "a"), 0.75);
  assert.equal(accuracy(STEPS, "b"), 1);
  assert.equal(accuracy(STEPS, "c"), null);
  assert.equal(accuracy([], "a"), null);
});

test("marks are written to the nodes of the line that was reviewed, and to no others", () => {
  const root = makeRoot();
  const first = add(root, { action: "m0" });
  const second = add(first, { action: "other" });
  assert.equal(grade(lineThrough(root), STEPS), true);
  assert.deepEqual([first.mark, second.mark], ["?", undefined]);
  assert.equal(grade(lineThrough(root), STEPS), false);
});

test("the bar shows a result, a forced end or chances of all players", () => {
  const over = (winner) => ({ result: { winner, sentence: "Over." } });
  assert.deepEqual(worthOfResult(PLAYERS, over("b")).chances, [0, 1]);
  assert.deepEqual(worthOfResult(PLAYERS, over(null)).chances, [0.5, 0.5]);
  assert.equal(worthOfResult(PLAYERS, { result: null }), null);
  const line = { value: "win", distance: 3, chance: 1, is_proved: true, text: "win in 3 plies", actions: ["x"] };
  assert.deepEqual(worthOfAnswer(PLAYERS, "b", { chances: [0, 1], lines: [line] }).chances, [0, 1]);
  assert.equal(worthOfAnswer(PLAYERS, "b", { lines: [], is_done: true }), null);
  assert.equal(worthOfStep(PLAYERS, undefined, true), null);
  assert.match(worthOfStep(PLAYERS, STEPS[0], true).text, /^Ann 50\s%, Bob 50\s%$/);
});
