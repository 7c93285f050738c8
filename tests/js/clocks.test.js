import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { after } from "../../src/damier/server/client/pages/match/clocks.js";
import { clocksFor, clockText, timeText } from "../../src/damier/server/client/ui/clock-text.js";

const data = { left: { b: 20_000, w: 30_000 }, running: "b", free: 0, first: null, claim: null, away: {} };

test("only the running clock counts down, and not below zero", () => {
  assert.deepEqual(after(data, 5000).left, { b: 15_000, w: 30_000 });
  assert.deepEqual(after(data, 60_000).left, { b: 0, w: 30_000 });
  assert.deepEqual(after({ ...data, running: null }, 5000).left, data.left);
});

test("a delay is used up before the clock runs, and first turns leave the clocks as they are", () => {
  assert.deepEqual(after({ ...data, free: 4000 }, 5000).left, { b: 19_000, w: 30_000 });
  const first = after({ ...data, first: 25_000, claim: 10_000 }, 5000);
  assert.deepEqual([first.left.b, first.first, first.claim], [20_000, 20_000, 5000]);
});

test("a clock stands still while its player is on vacation, and runs afterwards", () => {
  const away = { b: 4000, w: 60_000 };
  const shown = after({ ...data, away }, 3000);
  assert.deepEqual([shown.left, shown.away], [data.left, { b: 1000, w: 57_000 }]);
  const later = after({ ...data, away }, 5000);
  assert.deepEqual([later.left.b, later.away], [19_000, { w: 55_000 }]);
  assert.equal(after({ ...data, away, first: 9000 }, 5000).first, 8000);
});

test("tenths are shown below ten seconds", () => {
  assert.deepEqual([0, 40, 9400, 10_000, 61_000, 3_600_000].map(timeText), [
    "0.0",
    "0.1",
    "9.4",
    "0:10",
    "1:01",
    "1:00:00",
  ]);
});

test("clocks have short names", () => {
  assert.deepEqual(clocksFor(false).slice(0, 4).map(clockText), ["3+2", "5+3", "10+5", "15+10"]);
});
