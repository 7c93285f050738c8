import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { guess, pairUp, spread } from "../../src/damier/server/client/board/change.js";
import { hiding, topOf } from "../../src/damier/server/client/board/depth.js";
import { arrow, markedCells, moves, pendingTurn } from "../../src/damier/server/client/board/marks/trails.js";
import { makeView } from "../../src/damier/server/client/board/view.js";

const CELLS = new Map(["a1", "b1", "c1", "e1"].map((name) => [name, { x: name.charCodeAt(0) - 96.5, y: 0.5 }]));
const piece = (player, cell, level = 0) => ({ player, cell, level });
const items = (...pieces) => pieces.map((each) => ({ piece: each }));

test("a piece that moved is the same piece", () => {
  const before = items(piece("N", "a1"), piece("B", "c1"));
  const { kept, gone, fresh } = pairUp(before, [piece("N", "b1"), piece("B", "c1")], ["a1", "b1"], CELLS);
  assert.deepEqual(
    kept.map(([item, now]) => `${item.piece.cell}-${now.cell}`),
    ["c1-c1", "a1-b1"],
  );
  assert.deepEqual([gone, fresh], [[], []]);
});

test("of two pieces the one on a cell of the action has moved", () => {
  const before = items(piece("N", "a1"), piece("N", "e1"));
  const { kept, gone } = pairUp(before, [piece("N", "c1")], ["a1", "c1"], CELLS);
  assert.equal(kept[0][0].piece.cell, "a1");
  assert.equal(gone[0].piece.cell, "e1");
});

test("pieces of different players are never paired", () => {
  const { kept, gone, fresh } = pairUp(items(piece("N", "a1")), [piece("B", "a1")], [], CELLS);
  assert.deepEqual([kept.length, gone.length, fresh.length], [0, 1, 1]);
});

test("vanishing cells spread from the centre", () => {
  assert.deepEqual(
    [...spread(["c1", "b1", "a1"], "a1", CELLS)],
    [
      ["a1", 0],
      ["b1", 1],
      ["c1", 2],
    ],
  );
  assert.equal(spread(["a1", "e1"], "a1", CELLS).get("e1"), 1);
  assert.equal(spread(["a1"], undefined, CELLS).get("a1"), 0);
});

test("an action is guessed before it is confirmed", () => {
  const pieces = [piece("N", "a1")];
  assert.deepEqual(guess(pieces, ["b1"], "B", false).at(-1), { ...piece("B", "b1"), marks: [], isGuess: true });
  assert.deepEqual(guess(pieces, ["a1", "c1"], "N", false), [{ ...piece("N", "c1"), isGuess: true }]);
  assert.deepEqual(guess(pieces, ["a1"], "B", false), pieces);
  assert.equal(guess(pieces, ["a1"], "B", true).at(-1).level, 1);
  assert.deepEqual(guess(pieces, ["a1", "b1", "c1"], "N", false), pieces);
});

test("four quarter turns come back to the same place", () => {
  const drawing = { width: 3, height: 2, view: "flat" };
  const corners = [0, 1, 2, 3].map((turn) => makeView(drawing, turn, true).turned(0, 0));
  assert.deepEqual(corners, [
    [0, 0],
    [2, 0],
    [3, 2],
    [0, 3],
  ]);
  assert.equal(
    makeView(drawing, 0, true).path([
      [0, 0],
      [1, 0.5],
    ]),
    "M0.0 0.0L100.0 50.0Z",
  );
});

test("the cells of a turn are marked once, with the ways between and all that changed", () => {
  const walk = { origin: "a1", path: ["b1"], target: "c1" };
  const put = { origin: null, path: [], target: "a1" };
  const turns = [
    {
      player: "N",
      actions: [
        { routes: [walk], changed: ["e1"] },
        { routes: [put], changed: [] },
        { routes: [], changed: [] },
      ],
    },
  ];
  assert.deepEqual(markedCells(turns), ["a1", "b1", "c1", "e1"]);
  assert.deepEqual(moves(turns), [walk]);
  assert.deepEqual(markedCells([]), []);
});

test("an action that is not confirmed is marked from click to click", () => {
  assert.deepEqual(pendingTurn([], "N"), []);
  assert.deepEqual(markedCells(pendingTurn(["b1"], "N")), ["b1"]);
  assert.deepEqual(
    moves(pendingTurn(["a1", "b1", "e1"], "N")).map(({ origin, target }) => origin + target),
    ["a1b1", "b1e1"],
  );
});

test("an arrow ends before the middle of its target", () => {
  const path = arrow(
    [
      [0, 0],
      [100, 0],
      [200, 0],
    ],
    100,
  );
  assert.match(path, /^M0\.0 0\.0L100\.0 0\.0L164\.0 0\.0M/);
  assert.match(path, /L164\.0 0\.0L[^L]+$/);
});

const STACKS = { width: 3, height: 3, view: "isometric" };
const NINE = new Map(
  ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"].map((name, i) => [
    name,
    { name, x: (i % 3) + 0.5, y: Math.floor(i / 3) + 0.5 },
  ]),
);
const tower = (cell, levels) => Array.from({ length: levels }, (_, level) => piece("1", cell, level));

test("a stack hides what stands behind it, not what is beside or before it or higher", () => {
  const view = makeView(STACKS, 0, true);
  const hides = (pieces, ...wanted) => [...hiding(view, NINE, pieces, wanted)];
  assert.deepEqual(hides(tower("b2", 3), "a3"), ["b2"]);
  assert.deepEqual(hides(tower("b2", 1), "a3"), []);
  assert.deepEqual(hides(tower("b2", 5), "c1", "b3", "a2"), []);
  assert.deepEqual(hides([...tower("b2", 3), ...tower("a3", 4)], "a3"), []);
  assert.deepEqual(hides(tower("c1", 8), "a3", "b2"), ["c1"]);
});

test("there is room for three pieces on the farthest cell, and for more where they stand", () => {
  const box = (highest) => makeView(STACKS, 0, true, highest).box;
  const view = makeView(STACKS, 0, true);
  const top = (cell, levels) => topOf(view, NINE, tower(cell, levels));
  assert.deepEqual(box(top("a3", 3)), view.box);
  assert.deepEqual(box(top("c1", 8)), view.box);
  assert.ok(box(top("a3", 5))[1] < view.box[1]);
  assert.ok(box(top("a3", 5))[1] <= top("a3", 5));
});
