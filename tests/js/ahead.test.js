import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { clickAhead, meantBy, MOST_AHEAD } from "../../src/damier/server/client/board/choosing/ahead.js";

const action = (text, ...cells) => ({ action: text, cells });
const MOVES = [action("a1-a2", "a1", "a2"), action("a1-b1", "a1", "b1"), action("c1-c2", "c1", "c2"), action("end")];
const PLACES = [action("a1", "a1"), action("b1", "b1")];
const FROM_HAND = [action("@a1", "@", "a1"), action("@b1", "@", "b1")];
const TWO = [action("a1-a2", "a1", "a2"), action("a1=a2", "a1", "a2")];

test("clicks add up, and the last cell once more takes them away", () => {
  assert.deepEqual(clickAhead([], "a1"), ["a1"]);
  assert.deepEqual(clickAhead(["a1"], "a2"), ["a1", "a2"]);
  assert.deepEqual(clickAhead(["a1", "a2"], "a2"), []);
  const many = Array.from({ length: MOST_AHEAD }, (_, i) => `a${i}`);
  assert.deepEqual(clickAhead(many, "b1"), many);
});

test("clicks that are an action mean it, from the hand too", () => {
  assert.deepEqual(meantBy(MOVES, ["a1", "a2"]), { action: MOVES[0], rest: [] });
  assert.deepEqual(meantBy(PLACES, ["b1"]), { action: PLACES[1], rest: [] });
  assert.deepEqual(meantBy(FROM_HAND, ["b1"]), { action: FROM_HAND[1], rest: [] });
});

test("clicks that begin actions are picked, and those of two actions leave the choice", () => {
  assert.deepEqual(meantBy(MOVES, ["a1"]), { picked: ["a1"] });
  assert.deepEqual(meantBy(TWO, ["a1", "a2"]), { picked: ["a1", "a2"] });
});

test("a further action of the turn is kept for later", () => {
  assert.deepEqual(meantBy(MOVES, ["a1", "a2", "c1", "c2"]), { action: MOVES[0], rest: ["c1", "c2"] });
  assert.deepEqual(meantBy(PLACES, ["a1", "b1"]), { action: PLACES[0], rest: ["b1"] });
});

test("clicks that fit no action mean nothing", () => {
  assert.equal(meantBy(MOVES, ["b2"]), null);
  assert.equal(meantBy(MOVES, ["a1", "c2"]), null);
  assert.equal(meantBy([], ["a1"]), null);
});
