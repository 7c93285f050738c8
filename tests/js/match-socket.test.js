import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { answered, fakeNetwork } from "./page.js";
import { MatchSocket } from "../../src/damier/server/client/net/sockets/match-socket.js";

/** Returns a socket of a match, and the calls of its handlers as lines of text. */
function connected(t) {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const { open, sockets, paths } = fakeNetwork();
  const calls = [];
  const states = [];
  const server = { isUp: true };
  const match = new MatchSocket(
    "abc/1",
    {
      snapshot: ({ seq }) => calls.push(`snapshot ${seq}`),
      event: ({ seq, state }) => {
        calls.push(`event ${seq}`);
        states.push(state);
      },
      notice: ({ type }) => calls.push(`notice ${type}`),
      status: (isConnected, why) => calls.push(`connected ${isConnected}${why && `: ${why}`}`),
    },
    open,
    async () => server.isUp,
  );
  t.after(() => match.close());
  return { match, sockets, paths, calls, states, server };
}

const snapshot = (seq, history = [], older = 0) => ({ type: "snapshot", seq, state: { history, older } });
const event = (seq, kept = 0, ...added) => ({ type: "event", seq, history: { kept, added }, state: { turn: seq } });

test("events are handled in order", (t) => {
  const { sockets, paths, calls, match } = connected(t);
  assert.deepEqual(paths, ["matches/abc%2F1/live"]);
  sockets[0].open();
  sockets[0].receive(snapshot(3));
  sockets[0].receive(event(4));
  sockets[0].receive(event(5));
  assert.deepEqual(calls, ["connected true", "snapshot 3", "event 4", "event 5"]);
  assert.equal(match.seq, 5);
});

test("an event that was seen is dropped, a missing one makes it connect again", (t) => {
  const { sockets, calls } = connected(t);
  sockets[0].open();
  sockets[0].receive(snapshot(3));
  sockets[0].receive(event(3));
  sockets[0].receive(event(5));
  assert.deepEqual(calls, ["connected true", "snapshot 3"]);
  assert.equal(sockets.length, 2);
  assert.equal(sockets[0].readyState, 3);
  sockets[1].open();
  sockets[1].receive(snapshot(5));
  assert.deepEqual(calls.slice(2), ["connected true", "snapshot 5"]);
});

test("what is new in the history is added to what is known", (t) => {
  const { sockets, states } = connected(t);
  sockets[0].open();
  sockets[0].receive(snapshot(3, ["c", "d"], 2));
  sockets[0].receive(event(4, 4, "e"));
  sockets[0].receive(event(5, 5));
  sockets[0].receive(event(6, 3));
  sockets[0].receive(event(7, 3, "f"));
  assert.deepEqual(
    states.map(({ history }) => history.join("")),
    ["cde", "cde", "c", "cf"],
  );
  assert.deepEqual(states[0], { turn: 4, history: ["c", "d", "e"], older: 2 });
});

test("a history that goes back before what is known makes it connect again", (t) => {
  const { sockets, states } = connected(t);
  sockets[0].open();
  sockets[0].receive(snapshot(3, ["c", "d"], 2));
  sockets[0].receive(event(4, 1));
  assert.equal(sockets.length, 2);
  sockets[1].open();
  sockets[1].receive(snapshot(4, ["a"]));
  sockets[1].receive(event(5, 3, "e")); // after more than is known
  assert.equal(sockets.length, 3);
  assert.deepEqual(states, []);
});

for (const code of [1011, 1012, 1013])
  test(`a connection closed with ${code} is told with the server's sentence and opened again`, async (t) => {
    const { sockets, calls } = connected(t);
    sockets[0].open();
    sockets[0].close(code, "No.");
    assert.deepEqual(calls, ["connected false: No."]);
    mock.timers.tick(400);
    await answered();
    assert.equal(sockets.length, 2);
  });

test("a connection closed with 1008 is opened again only when it is told to", async (t) => {
  const { match, sockets, calls } = connected(t);
  sockets[0].open();
  sockets[0].close(1008, "There is no such match.");
  assert.deepEqual(calls, ["connected false: There is no such match."]);
  mock.timers.tick(600_000);
  await answered();
  assert.equal(sockets.length, 1);
  match.retry();
  await answered();
  assert.equal(sockets.length, 2);
});

test("a request waits for the snapshot and is sent again with the same id", async (t) => {
  const { match, sockets } = connected(t);
  const answer = match.send("play", { action: "a1", seq: 3 });
  sockets[0].open();
  assert.deepEqual(sockets[0].sent, []);
  sockets[0].receive(snapshot(3));
  const [request] = sockets[0].sent;
  assert.deepEqual(request, { id: request.id, do: "play", action: "a1", seq: 3 });
  sockets[0].close();
  mock.timers.tick(400);
  await answered();
  sockets[1].open();
  sockets[1].receive(snapshot(4));
  assert.deepEqual(sockets[1].sent, [request]);
  sockets[1].receive({ type: "done", id: request.id, seq: 4 });
  assert.equal((await answer).seq, 4);
  sockets[1].close();
  mock.timers.tick(400);
  await answered();
  sockets[2].open();
  sockets[2].receive(snapshot(4));
  assert.deepEqual(sockets[2].sent, []);
});

test("a refusal rejects with its sentence", async (t) => {
  const { match, sockets } = connected(t);
  sockets[0].open();
  sockets[0].receive(snapshot(0));
  const answer = match.send("undo", {});
  sockets[0].receive({ type: "refused", id: sockets[0].sent[0].id, error: "No." });
  await assert.rejects(answer, { message: "No." });
});

test("it connects again once the server answers, and a silent connection is given up", async (t) => {
  const { sockets, calls, server } = connected(t);
  server.isUp = false;
  sockets[0].close();
  assert.deepEqual(calls, ["connected false"]);
  for (let i = 0; i < 200; i++) {
    mock.timers.tick(100);
    await answered();
  }
  assert.equal(sockets.length, 1);
  server.isUp = true;
  for (let i = 0; i < 30; i++) {
    mock.timers.tick(100);
    await answered();
  }
  assert.equal(sockets.length, 2);
  sockets[1].open();
  sockets[1].receive(snapshot(1));
  mock.timers.tick(29_000);
  sockets[1].receive({ type: "alive" });
  mock.timers.tick(29_000);
  assert.equal(sockets[1].readyState, 1);
  mock.timers.tick(1_000);
  assert.equal(sockets[1].readyState, 3);
});

test("a connection without a first message is given up early", (t) => {
  const { sockets } = connected(t);
  sockets[0].open();
  mock.timers.tick(8000);
  assert.equal(sockets[0].readyState, 3);
});

test("it connects at once when it is told to or the network comes back, and never after it is closed", async (t) => {
  const { match, sockets } = connected(t);
  match.retry();
  await answered();
  assert.equal(sockets.length, 1);
  sockets[0].close();
  match.retry();
  await answered();
  assert.equal(sockets.length, 2);
  sockets[1].close();
  dispatchEvent(new Event("online"));
  await answered();
  assert.equal(sockets.length, 3);
  sockets[2].close();
  match.close();
  match.retry();
  dispatchEvent(new Event("online"));
  mock.timers.tick(60_000);
  await answered();
  assert.equal(sockets.length, 3);
});

test("notices are passed on, signs of life are not", (t) => {
  const { sockets, calls } = connected(t);
  sockets[0].open();
  sockets[0].receive({ type: "thinking", player: "1" });
  sockets[0].receive({ type: "alive" });
  assert.deepEqual(calls, ["notice thinking"]);
});
