/** Tournaments in words, and the request of the form that makes one. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { clockWords, points } = await import("../../src/damier/server/client/pages/tournaments/words.js");
const { bodyOf } = await import("../../src/damier/server/client/pages/tournaments/new-tournament.js");

test("points are written with halves", () => {
  assert.deepEqual([0, 0.5, 1, 2.5, 6.25].map(points), ["0", "½", "1", "2½", "6.25"]);
});

test("a live clock is its minutes and the seconds of a turn", () => {
  assert.equal(clockWords({ kind: "live", base: 180, increment: 2 }), "3+2");
  assert.equal(clockWords({ kind: "live", base: 300, delay: 12 }), "5d12");
});

/** @type {Parameters<typeof bodyOf>[0]} */
const DRAFT = {
  game: "minimal",
  hasChance: false,
  options: {},
  kind: "swiss",
  clock: 4,
  rounds: 5,
  minutes: 60,
  days: 7,
  starts: "",
  title: " Cup ",
  isRated: true,
};

test("a request has what goes with its kind alone", () => {
  const swiss = bodyOf(DRAFT);
  assert.deepEqual(
    [swiss.title, swiss.rounds, swiss.minutes, swiss.round_seconds, swiss.starts],
    ["Cup", 5, 0, 7 * 86_400, null],
  );
  const arena = bodyOf({ ...DRAFT, kind: "arena", clock: 0, starts: "2030-01-02T03:04" });
  assert.deepEqual([arena.rounds, arena.minutes, arena.round_seconds], [0, 60, null]);
  assert.deepEqual([arena.clock.increment, arena.clock.delay], [2, 0]);
  const dice = bodyOf({ ...DRAFT, kind: "arena", clock: 0, hasChance: true });
  assert.deepEqual([dice.clock.increment, dice.clock.delay], [0, 8]);
  assert.match(arena.starts ?? "", /^20(29|30)-\d\d-\d\dT\d\d:\d\d:00\.000Z$/);
});
