import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { answered, fakeNetwork } from "./page.js";
import { AnalysisSocket, bestAction } from "../../src/damier/server/client/net/sockets/analysis-socket.js";

/** Returns a socket for analysis with mocked timers. */
function prepared(t) {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const { open, sockets } = fakeNetwork();
  const socket = new AnalysisSocket(open, async () => true);
  t.after(() => socket.close());
  return { socket, sockets };
}

const about = (game) => ({ game, actions: [] });
const line = (...actions) => ({ actions });

test("one connection serves all queries", (t) => {
  const { socket, sockets } = prepared(t);
  const heard = [];
  socket.ask(about("one"), ({ depth }) => heard.push(depth));
  assert.equal(sockets.length, 1);
  sockets[0].open();
  assert.deepEqual(sockets[0].sent, [{ game: "one", actions: [], id: "1" }]);
  sockets[0].receive({ id: "1", depth: 1, lines: [] });
  sockets[0].receive({ id: "1", depth: 2, lines: [], is_done: true });
  socket.ask(about("two"), () => {});
  assert.equal(sockets.length, 1);
  assert.deepEqual(heard, [1, 2]);
  assert.equal(sockets[0].sent.at(-1).game, "two");
});

test("a newer query comes first, the older is asked again afterwards", (t) => {
  const { socket, sockets } = prepared(t);
  const heard = [];
  socket.ask(about("lines"), ({ depth }) => heard.push(`lines ${depth}`));
  sockets[0].open();
  socket.ask(about("opponent"), ({ depth }) => heard.push(`opponent ${depth}`));
  sockets[0].receive({ id: "1", depth: 9, lines: [] });
  sockets[0].receive({ id: "2", depth: 1, lines: [], is_done: true });
  sockets[0].receive({ id: "1", depth: 2, lines: [] });
  assert.deepEqual(heard, ["opponent 1", "lines 2"]);
  assert.deepEqual(
    sockets[0].sent.map(({ id }) => id),
    ["1", "2", "1"],
  );
});

test("a cancelled query stops the server, and nothing more is heard of it", (t) => {
  const { socket, sockets } = prepared(t);
  const heard = [];
  const cancel = socket.ask(about("one"), () => heard.push("one"));
  sockets[0].open();
  cancel();
  cancel();
  sockets[0].receive({ id: "1", lines: [] });
  assert.deepEqual(sockets[0].sent.slice(1), [{}]);
  assert.deepEqual(heard, []);
});

test("a lost connection is opened again while a query runs", async (t) => {
  const { socket, sockets } = prepared(t);
  const told = [];
  socket.onStatus = (isConnected) => told.push(isConnected);
  socket.ask(about("one"), () => {});
  sockets[0].open();
  sockets[0].close();
  assert.deepEqual(told, [false]);
  mock.timers.tick(300);
  await answered();
  assert.equal(sockets.length, 2);
  sockets[1].open();
  assert.equal(sockets[1].sent[0].id, "1");
  assert.deepEqual(told, [false, true]);
});

test("a lost connection is opened at once when that is asked for, and not at all without a query", async (t) => {
  const { socket, sockets } = prepared(t);
  const told = [];
  socket.onStatus = (isConnected) => told.push(isConnected);
  const cancel = socket.ask(about("one"), () => {});
  sockets[0].close();
  socket.retry();
  await answered();
  assert.equal(sockets.length, 2);
  sockets[1].close();
  cancel();
  assert.deepEqual(told, [false, true]);
  mock.timers.tick(60_000);
  await answered();
  assert.equal(sockets.length, 2);
});

test("an idle connection is closed", (t) => {
  const { socket, sockets } = prepared(t);
  socket.ask(about("one"), () => {});
  sockets[0].open();
  sockets[0].receive({ id: "1", lines: [], is_done: true });
  mock.timers.tick(20_000);
  assert.equal(sockets[0].readyState, 3);
  mock.timers.tick(60_000);
  assert.equal(sockets.length, 1);
});

test("an error ends a query", (t) => {
  const { socket, sockets } = prepared(t);
  const heard = [];
  socket.ask(about("one"), ({ error }) => heard.push(error));
  sockets[0].open();
  sockets[0].receive({ id: "1", error: "No." });
  sockets[0].receive({ id: "1", lines: [] });
  assert.deepEqual(heard, ["No."]);
});

test("the best action is the last one found when the time is over", async (t) => {
  const { socket, sockets } = prepared(t);
  const found = bestAction(about("one"), 1000, socket);
  sockets[0].open();
  sockets[0].receive({ id: "1", lines: [line("a")] });
  sockets[0].receive({ id: "1", lines: [line("b")] });
  mock.timers.tick(1000);
  assert.equal(await found, "b");
  assert.deepEqual(sockets[0].sent.at(-1), {});
});

test("a late first line is still the best action, and a refusal rejects", async (t) => {
  const { socket, sockets } = prepared(t);
  const late = bestAction(about("one"), 1000, socket);
  sockets[0].open();
  mock.timers.tick(1000);
  sockets[0].receive({ id: "1", lines: [line("c")] });
  assert.equal(await late, "c");
  const refused = bestAction(about("two"), 1000, socket);
  sockets[0].receive({ id: "2", error: "No." });
  await assert.rejects(refused, { message: "No." });
});

test("a server that takes no more connections is heard, not asked again and again", async (t) => {
  const { socket, sockets } = prepared(t);
  const heard = [];
  socket.ask(about("one"), ({ error }) => heard.push(error));
  sockets[0].open();
  sockets[0].close(1013, "You have too many analyses open: close some.");
  mock.timers.tick(60_000);
  await answered();
  assert.deepEqual(heard, ["You have too many analyses open: close some."]);
  assert.equal(sockets.length, 1);
});
