import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { changed, LobbySocket } from "../../src/damier/server/client/net/sockets/lobby-socket.js";
import { secondsUntil } from "../../src/damier/server/client/pages/lobby/weekly.js";
import { clockText, liveClocks } from "../../src/damier/server/client/ui/seeking/time-controls.js";

const counts = { people: 1, matches: 0, seeks: {} };
const state = {
  type: "state",
  version: 4,
  counts,
  seeks: [{ number: "a" }, { number: "b" }],
  playing: {},
  weekly: null,
};
const change = (more) => ({ type: "change", version: 5, added: [], removed: [], counts: null, playing: {}, ...more });

test("a change adds and removes seeks and shows another match", () => {
  const after = changed(state, change({ added: [{ number: "c" }], removed: ["a"], playing: { x: { number: "m" } } }));
  assert.deepEqual(
    after.seeks.map(({ number }) => number),
    ["b", "c"],
  );
  assert.deepEqual([after.version, after.counts, after.playing], [5, counts, { x: { number: "m" } }]);
  assert.deepEqual(changed(after, { ...change({ playing: { x: null } }), version: 6 }).playing, {});
});

test("a seek that is known already is listed once", () => {
  assert.equal(changed(state, change({ added: [{ number: "b", side: 1 }] })).seeks.length, 2);
});

test("a change after a gap is not applied", () => {
  assert.equal(changed(state, { ...change({}), version: 6 }), null);
});

test("the connection keeps the lobby, tells of matches, and is opened again after a gap", () => {
  const opened = [];
  const heard = [];
  const open = (path) => {
    const made = { path, close: () => (made.isClosed = true), readyState: 1 };
    opened.push(made);
    return made;
  };
  const socket = new LobbySocket(
    {
      changed: () => heard.push("changed"),
      paired: ({ match }) => heard.push(match),
      declined: ({ name }) => heard.push(name),
    },
    open,
    async () => true,
  );
  const tell = (message) => opened[0].onmessage({ data: JSON.stringify(message) });
  tell(state);
  tell({ type: "mine", seeks: [{ number: "b" }], challenges: [] });
  tell({ type: "paired", seek: "b", match: "m", game: "x" });
  tell({ type: "declined", seek: "b", name: "Ann" });
  tell({ type: "alive" });
  assert.equal(opened[0].path, "lobby/live");
  assert.deepEqual(heard, ["changed", "changed", "m", "Ann"]);
  assert.equal(socket.mine.seeks[0].number, "b");
  tell({ ...change({}), version: 9 });
  assert.equal(opened[0].isClosed, true);
  socket.close();
});

test("the weekly hour counts down, lasts an hour and comes again", () => {
  const weekly = { start: "2026-11-22T19:00:00Z", seconds: 3600 };
  const at = (time) => secondsUntil(weekly, Date.parse(time));
  assert.equal(at("2026-11-22T18:59:00Z"), 60);
  assert.equal(at("2026-11-22T19:30:00Z"), 0);
  assert.equal(at("2026-11-22T20:00:00Z"), 7 * 86_400 - 3600);
});

test("a clock is written in short", () => {
  assert.deepEqual(liveClocks({ has_chance: false }).map(clockText), ["3+2", "5+3", "10+5", "15+10"]);
  assert.deepEqual(liveClocks({ has_chance: true }).map(clockText), ["3d8", "5d12", "10d12", "15d12"]);
  assert.equal(clockText(null), "lobby.clock.none");
});
