import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { rolledPoints } from "../../src/damier/server/client/board/rolls.js";
import { nextPuzzle, PuzzleProgress } from "../../src/damier/server/client/pages/learn/puzzle-progress.js";
import { firstRating, ratedSolver } from "../../src/damier/server/client/pages/learn/puzzle-rating.js";
import { noteDone, stepsDone } from "../../src/damier/server/client/pages/learn/progress.js";
import { fromHex, hashOf, rollsOf } from "../../src/damier/server/client/pages/match/dice.js";
import { byTurn, roundOf, rounds } from "../../src/damier/server/client/pages/match/history.js";
import { Thinking } from "../../src/damier/server/client/pages/match/thinking.js";
import { routeOf } from "../../src/damier/server/client/pages/routes.js";
import { pack, unpack } from "../../src/damier/server/client/ui/share.js";
import { seatsOf } from "../../src/damier/server/client/ui/start/start-dialog.js";
import { seating } from "../../src/damier/server/client/ui/seats.js";

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
  const history = [entry("roll:3", "chance", 1), entry("a", "1", 1), entry("b", "2", 1), entry("roll:5", "chance", 2)];
  assert.deepEqual(byTurn(history, ["1", "2"], "2"), [
    {
      player: "1",
      actions: [
        { action: "roll:3", moment: 1 },
        { action: "a", moment: 2 },
        { action: "b", moment: 3 },
      ],
    },
    { player: "2", actions: [{ action: "roll:5", moment: 4 }] },
  ]);
});

test("a roll that puts a player out is the turn of the next player who is still there", () => {
  const history = ["1", "2", "3", "chance", "2", "chance", "chance"].map((player, turn) => ({
    action: "a",
    player,
    turn,
  }));
  const owners = byTurn(history, ["1", "2", "3"], "").map(({ player }) => player);
  assert.deepEqual(owners, ["1", "2", "3", "1", "2", "3", "2"]);
});

test("a round begins where a player is not after the last one", () => {
  const turns = ["1", "2", "4", "1", "3"].map((player, i) => ({ player, actions: [{ action: "a", moment: i + 1 }] }));
  const all = rounds(turns, ["1", "2", "3", "4"]);
  const players = all.map((round) => round.map((turn) => turn?.player ?? "-").join(""));
  assert.deepEqual(players, ["12-4", "1-3-"]);
  assert.deepEqual(
    [1, 3, 5].map((moment) => roundOf(all, moment)),
    [1, 1, 2],
  );
});

test("players sit where their sides of the board are, more than two clockwise from the visitor", () => {
  const seats = (count, mine) => Array.from({ length: count }, (_, i) => ({ player: i + 1, is_mine: i === mine }));
  const places = ({ above, below }) => [above, below].map((row) => row.map(({ player }) => player).join(""));
  assert.deepEqual(places(seating(seats(2, 0), false)), ["2", "1"]);
  assert.deepEqual(places(seating(seats(2, 1), true)), ["1", "2"]);
  assert.deepEqual(places(seating(seats(3, 1), false)), ["31", "2"]);
  assert.deepEqual(places(seating(seats(4, -1), false)), ["23", "14"]);
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

test("why the computer's turn is late is told until it acts, also when it is tried again", () => {
  const thinking = new Thinking();
  thinking.begin("w", 5);
  assert.equal(thinking.delay(5), null);
  thinking.begin("w", 5, "busy");
  assert.equal(thinking.delay(4), null);
  assert.equal(thinking.delay(5), "busy");
  assert.equal(thinking.player(5), "w");
  thinking.begin("w", 5, "failed");
  assert.equal(thinking.delay(5), "failed");
  thinking.begin("w", 5);
  assert.equal(thinking.delay(5), "failed");
  thinking.note(6, "play");
  assert.equal(thinking.delay(6), null);
  thinking.begin("w", 6);
  assert.equal(thinking.delay(6), null);
});

test("which actions are rolls the drawing says", () => {
  const rolls = { "throw one": 1, "throw two": 2 };
  assert.deepEqual(rolledPoints({ rolls }, ["throw two", "roll:1", "throw one"]), [2, 1]);
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
  const puzzles = ["a", "b", "c", "d"].map((id, i) => ({
    id,
    theme: i % 2 ? "odd" : "even",
    difficulty: 1 + (i > 1),
    rating: 800 + 100 * i,
  }));
  const none = { solved: new Set(), rated: new Set(), rating: 700, filter: {} };
  const solved = (...ids) => ({ ...none, solved: new Set(ids), rated: new Set(ids) });
  assert.equal(nextPuzzle(puzzles, none), "a", "a newcomer gets an easy one");
  assert.equal(nextPuzzle([...puzzles].reverse(), { ...none, rating: 990 }), "c", "the nearest rating");
  assert.equal(nextPuzzle(puzzles, solved("a")), "b");
  assert.equal(nextPuzzle(puzzles, solved("a"), "b"), "c");
  assert.equal(nextPuzzle(puzzles, { ...none, rated: new Set("a") }), "b", "one that failed comes later");
  assert.equal(
    nextPuzzle(puzzles, { ...solved("a", "b", "d"), rated: new Set("abcd") }),
    "c",
    "but before solved ones",
  );
  assert.equal(nextPuzzle(puzzles, solved("a", "b", "c", "d"), "a"), "b");
  assert.equal(nextPuzzle(puzzles, { ...none, filter: { theme: "odd", difficulty: 2 } }), "d");
  assert.equal(nextPuzzle(puzzles, { ...none, filter: { theme: "none" } }), undefined);
});

test("the rating follows the first try of each puzzle", () => {
  const change = (value, outcome, puzzle = { rating: 1000, difficulty: 1 }, rated = 0) =>
    ratedSolver(firstRating(value, rated), puzzle, outcome).value - value;
  assert.ok(change(1000, "right") > change(1000, "hint"));
  assert.ok(change(1000, "hint") > change(1000, "told"));
  assert.ok(change(1000, "told") > 0);
  assert.ok(Math.abs(change(1000, "wrong") + change(1000, "right")) < 1e-9, "an even puzzle");
  assert.ok(change(1000, "right", { rating: 1000, difficulty: 1 }, 5) < change(1000, "right"), "more slowly later");
  assert.ok(change(1000, "right", { rating: 1400, difficulty: 1 }) > change(1000, "right"));
  assert.ok(
    change(1000, "right", { rating: 1000, difficulty: 5 }) < change(1000, "right"),
    "hard ones are less certain",
  );
  assert.ok(change(3000, "told") >= 0, "never down for a solved one");
  assert.ok(105 + change(105, "wrong", { rating: 100, difficulty: 1 }) >= 100, "never below 100");
  const progress = new PuzzleProgress("rated");
  const puzzle = { id: "p", rating: 800, difficulty: 1 };
  const first = progress.rating;
  const lost = progress.count(puzzle, "wrong");
  assert.equal(progress.rating, first + lost);
  assert.ok(lost < 0);
  assert.equal(progress.count(puzzle, "right"), null, "only the first try counts");
  const again = new PuzzleProgress("rated");
  assert.deepEqual([again.rating, again.solved.has("p"), again.streak], [first + lost, true, 0]);
  assert.ok(again.count({ id: "q", rating: 800, difficulty: 2 }, "right") > 0);
  assert.equal(again.streak, 1);
  assert.ok(again.count({ id: "r", rating: 800, difficulty: 2 }, "hint") > 0);
  assert.equal(again.streak, 0);
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
