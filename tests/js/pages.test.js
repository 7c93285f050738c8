import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { rolledPoints } from "../../src/damier/server/client/board/rolls.js";
import { nextPuzzle, PuzzleProgress } from "../../src/damier/server/client/pages/learn/puzzle-progress.js";
import { noteDone, stepsDone } from "../../src/damier/server/client/pages/learn/progress.js";
import { fromHex, hashOf, rollsOf } from "../../src/damier/server/client/pages/match/dice.js";
import { byTurn } from "../../src/damier/server/client/pages/match/history.js";
import { Thinking } from "../../src/damier/server/client/pages/match/thinking.js";
import { routeOf } from "../../src/damier/server/client/pages/routes.js";
import { pack, unpack } from "../../src/damier/server/client/ui/share.js";
import { seatsOf } from "../../src/damier/server/client/ui/start-dialog.js";

test("an address means a page, with its parts decoded", () => {
  assert.equal(routeOf("/m/a%20b").argument, "a b");
  assert.deepEqual([routeOf("/puzzles/x/7").argument, routeOf("/puzzles/x/7").second], ["x", "7"]);
  assert.equal(routeOf("/puzzles/x").second, undefined);
  assert.equal(routeOf("/").argument, "");
  assert.equal(routeOf("/solutions").argument, "");
  assert.equal(routeOf("/learn/x/y"), null);
  assert.notEqual(routeOf("/learn").load, routeOf("/learn/x").load);
});

test("a text survives the way into a link and back", async () => {
  const text = `comments in "any" language: ä é 中 🎲\n${"a1 b2 ".repeat(5000)}`;
  const packed = await pack(text);
  assert.match(packed, /^[\w-]+$/);
  assert.ok(packed.length < 400);
  assert.equal(await unpack(packed), text);
});

test("a damaged link is refused", async () => {
  for (const packed of ["", "!!!!", "abcd", (await pack("a".repeat(500_000))).slice(0, 20)])
    await assert.rejects(unpack(packed), { message: "share.link.damaged" });
  await assert.rejects(unpack(await pack("a".repeat(500_000))), { message: "share.link.damaged" });
});

test("the actions of a turn stand together, with the roll before it", () => {
  const entry = (action, player, turn) => ({ action, player, turn });
  const turns = byTurn([entry("roll:3", "chance", 1), entry("a", "1", 1), entry("b", "1", 1), entry("c", "2", 1)]);
  assert.deepEqual(turns, [
    {
      turn: 1,
      player: "1",
      actions: [
        { action: "roll:3", moment: 1 },
        { action: "a", moment: 2 },
        { action: "b", moment: 3 },
      ],
    },
    { turn: 1, player: "2", actions: [{ action: "c", moment: 4 }] },
  ]);
});

test("the computer thinks from when the event before it is drawn until its action is", () => {
  const thinking = new Thinking();
  assert.equal(thinking.player(4), null);
  thinking.begin("w", 5);
  assert.equal(thinking.player(4), null); // the fifth event has arrived and is not drawn
  thinking.note(5, "play");
  assert.equal(thinking.player(5), "w");
  thinking.note(6, "offer");
  assert.equal(thinking.player(6), "w");
  thinking.note(7, "play");
  assert.equal(thinking.player(7), null);
  thinking.begin("w", 7);
  thinking.renew(7);
  assert.equal(thinking.player(7), "w");
  thinking.renew(8);
  assert.equal(thinking.player(8), null);
});

test("which actions are rolls the drawing says", () => {
  const rolls = { "throw one": 1, "throw two": 2 };
  assert.deepEqual(
    rolledPoints({ rolls }, [{ action: "throw two" }, { action: "roll:1" }, { action: "throw one" }]),
    [2, 1],
  );
});

test("rolls follow from the seed as docs/server.md says", async () => {
  const seed = fromHex("00".repeat(32));
  assert.equal(await hashOf(seed), "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925");
  const rolls = await rollsOf(seed, "abc", 20);
  assert.equal(rolls.length, 20);
  assert.ok(rolls.every((points) => points >= 1 && points <= 6));
  assert.deepEqual((await rollsOf(seed, "abc", 3)).slice(0, 3), rolls.slice(0, 3));
  assert.notDeepEqual(await rollsOf(seed, "abd", 20), rolls);
  assert.equal(fromHex("0g"), null);
  assert.equal(fromHex("abc"), null);
});

test("the next puzzle fits the filter and is not solved", () => {
  const puzzles = ["a", "b", "c", "d"].map((id, i) => ({ id, theme: i % 2 ? "odd" : "even", difficulty: 1 + (i > 1) }));
  const solved = (...ids) => ({ solved: new Set(ids), filter: {} });
  assert.equal(nextPuzzle(puzzles, solved("a")), "b");
  assert.equal(nextPuzzle(puzzles, solved("a"), "d"), "b");
  assert.equal(nextPuzzle(puzzles, solved("a", "b", "c", "d"), "b"), "c");
  assert.equal(nextPuzzle(puzzles, { solved: new Set(), filter: { theme: "odd", difficulty: 2 } }), "d");
  assert.equal(nextPuzzle(puzzles, { solved: new Set(), filter: { theme: "none" } }), undefined);
});

const LESSON = { steps: ["aim", "ko", "swap"], numbered: ["aim", "swap"] };

test("progress is kept for each game", () => {
  const progress = new PuzzleProgress("one");
  progress.solved.add("7");
  progress.streak = 3;
  progress.store();
  assert.deepEqual([...new PuzzleProgress("one").solved], ["7"]);
  assert.equal(new PuzzleProgress("one").streak, 3);
  assert.equal(new PuzzleProgress("two").streak, 0);
  noteDone("one", LESSON, "ko");
  noteDone("one", LESSON, "aim");
  assert.deepEqual([...stepsDone("one", LESSON)], ["ko", "aim"]);
  assert.equal(stepsDone("two", LESSON).size, 0);
});

test("steps kept by number are those that had these numbers", () => {
  localStorage.setItem("damier.lessons", JSON.stringify({ one: [1, 2, 9, "ko", "gone"] }));
  assert.deepEqual([...stepsDone("one", LESSON)], ["aim", "swap", "ko"]);
});

test("damaged storage counts as empty", () => {
  localStorage.setItem("damier.lessons", "{");
  localStorage.setItem("damier.puzzles", "not JSON");
  assert.equal(stepsDone("one", LESSON).size, 0);
  assert.equal(new PuzzleProgress("one").solved.size, 0);
});

test("seats are those of the form", () => {
  const players = ["1", "2", "3", "4"].map((player) => ({ player, name: player }));
  const two = { players: players.slice(0, 2), options: [] };
  const chosen = { options: {}, who: "computer", level: 4, side: 1 };
  assert.deepEqual(seatsOf(two, chosen), [{ level: 4 }, "me"]);
  assert.deepEqual(seatsOf(two, { ...chosen, who: "friend", side: 0 }), ["me", "open"]);
  assert.deepEqual(seatsOf(two, { ...chosen, who: "board" }), ["me", "me"]);
  const many = { players, options: [{ name: "players", default: 2 }] };
  assert.equal(seatsOf(many, chosen).length, 2);
  const seats = ["me", "open", "6"];
  assert.deepEqual(seatsOf(many, { ...chosen, options: { players: 3 }, seats }), ["me", "open", { level: 6 }]);
});
