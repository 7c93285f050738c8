import assert from "node:assert/strict";
import { test } from "node:test";
import { answered } from "./page.js";
import { placeBubble } from "../../src/damier/server/client/board/choosing/bubble.js";
import { concerned } from "../../src/damier/server/client/board/marks/forecast.js";
import { BURST, LONGEST, MOTION, stepTimes } from "../../src/damier/server/client/board/motion.js";
import { Previews } from "../../src/damier/server/client/board/choosing/previews.js";
import { turnsAt } from "../../src/damier/server/client/board/marks/trails.js";
import { isWaiting, setDown, waitingPieces, waitingSpot } from "../../src/damier/server/client/board/marks/waiting.js";

const CELL = 100;
const ROOM = { width: 5 * CELL, height: 5 * CELL };
const BUBBLE = { width: 180, height: 80 };
const NAMES = [0, 1, 2, 3, 4].flatMap((x) => [0, 1, 2, 3, 4].map((y) => [x, y]));
const box = ([x, y]) => ({ x: x * CELL, y: y * CELL, width: CELL, height: CELL });
const overlaps = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

test("a bubble covers no cell that it is about and stays on the board", () => {
  for (const at of NAMES) {
    for (const other of NAMES) {
      const kept = [other, [2, 2], [2, 3]].map(box);
      const { x, y, covered } = placeBubble(ROOM, BUBBLE, box(at), kept);
      const bubble = { x, y, ...BUBBLE };
      assert.equal(covered, 0);
      assert.ok(![box(at), ...kept].some((each) => overlaps(bubble, each)), `${at} ${other}`);
      assert.ok(x >= 0 && y >= 0 && x + BUBBLE.width <= ROOM.width && y + BUBBLE.height <= ROOM.height);
    }
  }
});

test("a bubble without room covers the chosen cell last", () => {
  const { x, y, covered } = placeBubble(ROOM, BUBBLE, box([2, 2]), NAMES.map(box));
  assert.ok(covered > 0);
  assert.ok(!overlaps({ x, y, ...BUBBLE }, box([2, 2])));
});

test("no action takes longer than 300 milliseconds, however long its chain", () => {
  assert.ok(MOTION.duration <= LONGEST);
  for (const steps of [0, 1, 2, 5, 30]) {
    const time = stepTimes(steps);
    assert.ok(time(steps) + BURST <= 300);
    for (let step = 1; step <= steps; step++) assert.ok(time(step) > time(step - 1), "The steps follow each other.");
  }
});

test("a position is asked about once, and a failure is silent", async () => {
  const asked = [];
  const ask = (game, options, position) => {
    asked.push(position);
    return position === "bad"
      ? Promise.reject(new Error("no"))
      : Promise.resolve({ previews: { a1: { placed: [game] } } });
  };
  const previews = new Previews({ game: "g", options: {} }, ask);
  assert.equal(previews.known("p"), undefined);
  const [first, second] = await Promise.all([previews.load("p"), previews.load("p")]);
  assert.equal(first, second);
  assert.equal(previews.known("p"), first);
  assert.deepEqual(await previews.load("bad"), {});
  assert.deepEqual(previews.known("bad"), {});
  assert.equal(previews.known("p"), undefined);
  assert.deepEqual(asked, ["p", "bad"]);
});

test("a late answer for an earlier position is not taken for the present one", async () => {
  const answers = {};
  const ask = (_game, _options, position) => new Promise((done) => (answers[position] = done));
  const previews = new Previews({ game: "g", options: {} }, ask);
  const early = previews.load("early");
  const later = previews.load("later");
  answers.early({ previews: { early: {} } });
  assert.deepEqual(await early, { early: {} });
  assert.equal(previews.known("later"), undefined);
  answers.later({ previews: { later: {} } });
  assert.deepEqual(await later, { later: {} });
  await answered();
  assert.deepEqual(previews.known("later"), { later: {} });
});

test("a board that is told no game previews nothing", async () => {
  const previews = new Previews(undefined, () => assert.fail("nothing to ask about"));
  assert.deepEqual(previews.known("p"), {});
  assert.deepEqual(await previews.load("p"), {});
});

test("a preview is about the cells of its pieces, each once", () => {
  const moved = [{ origin: "a1", path: ["a2"], target: "a3" }];
  assert.deepEqual(concerned({ gone: [["b1"], ["b2", "a3"]], moved, placed: ["c1"] }), ["b1", "b2", "a3", "a1", "c1"]);
});

test("the last turns are told cell by cell", () => {
  const walk = { origin: "a1", path: ["b1"], target: "c1" };
  const turns = [
    { player: "N", actions: [{ routes: [walk], changed: ["e1"] }] },
    { player: "B", actions: [{ routes: [{ origin: null, path: [], target: "a1" }], changed: [] }] },
  ];
  assert.deepEqual(turnsAt(turns, "c1"), [{ player: "N", origin: "a1", target: "c1" }]);
  assert.deepEqual(turnsAt(turns, "a1"), [
    { player: "N", origin: "a1", target: "c1" },
    { player: "B", origin: null, target: "a1" },
  ]);
  assert.deepEqual(turnsAt(turns, "e1"), [{ player: "N" }]);
  assert.deepEqual(turnsAt(turns, "b1"), []);
});

test("a waiting piece lies on the frame until it is set down with its marks", () => {
  const waiting = [{ player: "B", marks: ["marker"], label: "waits" }];
  const [piece] = waitingPieces({ waiting });
  assert.ok(isWaiting(piece));
  assert.ok(!isWaiting({ cell: "a1" }));
  const [x, y] = waitingSpot({ box: [-30, -30, 560, 560] }, piece);
  assert.ok(x > 490 && x < 530 && y > 490 && y < 530);
  const guessed = { player: "B", cell: "a1", level: 0, marks: [], isGuess: true };
  assert.deepEqual(setDown([guessed], waiting), { pieces: [{ ...guessed, marks: ["marker"] }], waiting: [] });
  assert.deepEqual(setDown([{ ...guessed, isGuess: false }], waiting).waiting, waiting);
});
