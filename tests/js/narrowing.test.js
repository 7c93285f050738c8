import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import {
  atFirst,
  buttons,
  complete,
  following,
  HAND,
  pick,
} from "../../src/damier/server/client/board/choosing/narrowing.js";

const action = (text, ...cells) => ({ action: text, cells });
const MOVES = [action("a1-a2", "a1", "a2"), action("a1-b1", "a1", "b1"), action("c1-c2", "c1", "c2")];

test("the cells of an action are picked in order", () => {
  assert.deepEqual([...following(MOVES, []).keys()], ["a1", "c1"]);
  assert.deepEqual([...following(MOVES, ["a1"]).keys()], ["a2", "b1"]);
  assert.deepEqual(pick(MOVES, [], "a1"), { picked: ["a1"] });
  assert.deepEqual(pick(MOVES, ["a1"], "b1"), { picked: [], play: MOVES[1] });
});

test("a first click never plays an action of two cells", () => {
  assert.deepEqual(pick(MOVES, [], "c1"), { picked: ["c1"] });
});

test("an action of one cell is played by one click", () => {
  const placing = [action("a1", "a1"), action("b1", "b1")];
  assert.deepEqual(pick(placing, [], "b1"), { picked: [], play: placing[1] });
});

test("a click on the cell picked last takes the pick back", () => {
  assert.deepEqual(pick(MOVES, ["a1"], "a1"), { picked: [] });
});

test("a click on another start begins anew", () => {
  assert.deepEqual(pick(MOVES, ["a1"], "c1"), { picked: ["c1"] });
});

test("cells that fit no action are returned to be explained", () => {
  assert.deepEqual(pick(MOVES, ["a1"], "e5"), { picked: [], misfit: ["a1", "e5"] });
});

test("the hand is part of what is explained only if it was clicked", () => {
  const placing = [action("@a1", HAND, "a1")];
  assert.deepEqual(pick(placing, [HAND], "e5"), { picked: [HAND], misfit: ["e5"] });
  assert.deepEqual(pick([...placing, ...MOVES], [HAND], "e5"), { picked: [], misfit: [HAND, "e5"] });
});

test("several actions with the same cells are choices", () => {
  const same = [action("a1-a2", "a1", "a2"), action("a1-a2>?", "a1", "a2")];
  assert.deepEqual(pick(same, ["a1"], "a2"), { picked: ["a1", "a2"], choices: same });
  assert.deepEqual(complete(same, ["a1", "a2"]), same);
});

test("a click that ends another action in the middle of a choice asks first", () => {
  const mixed = [...MOVES, action("*d1", "d1")];
  assert.deepEqual(pick(mixed, ["a1"], "d1"), { picked: ["d1"], choices: [mixed[3]] });
});

test("pieces come from the hand by a click on their cell", () => {
  const placing = [action("a1", HAND, "a1"), action("b1", HAND, "b1")];
  assert.deepEqual(atFirst(placing), [HAND]);
  assert.deepEqual(pick(placing, [HAND], "b1"), { picked: [], play: placing[1] });
  assert.deepEqual(atFirst([...placing, ...MOVES]), []);
  assert.deepEqual(pick([...placing, ...MOVES], [], "b1"), { picked: [], play: placing[1] });
});

test("actions without cells are buttons", () => {
  const end = action("end");
  assert.deepEqual(buttons([...MOVES, end]), [end]);
  assert.equal(following([end], []).size, 0);
});
