import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { answered } from "./page.js";
import { pauseBefore, Reconnect } from "../../src/damier/server/client/net/sockets/reconnect.js";

/** Returns attempts to connect to a server that can be switched on, with a count of its questions and connections. */
function attempts(t) {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const server = { isUp: false, asked: 0, connected: 0 };
  const again = new Reconnect(
    () => server.connected++,
    async () => {
      server.asked++;
      return server.isUp;
    },
  );
  t.after(() => again.close());
  return { again, server };
}

test("pauses double up to two seconds", () => {
  const middle = () => 0.5;
  assert.deepEqual(
    [0, 1, 2, 3, 4, 50, 5000].map((attempt) => pauseBefore(attempt, middle)),
    [250, 500, 1000, 2000, 2000, 2000, 2000],
  );
});

test("pauses differ by up to a fifth", () => {
  assert.equal(
    pauseBefore(0, () => 0),
    200,
  );
  assert.ok(Math.abs(pauseBefore(0, () => 1) - 300) < 1e-9);
  for (let i = 0; i < 100; i++) assert.ok(pauseBefore(9) >= 1600 && pauseBefore(9) <= 2400);
});

test("a server that is back after a minute is connected to within three seconds", async (t) => {
  const { again, server } = attempts(t);
  again.later();
  for (let i = 0; i < 600; i++) {
    mock.timers.tick(100);
    await answered();
  }
  assert.ok(server.asked > 20);
  assert.equal(server.connected, 0);
  server.isUp = true;
  for (let i = 0; i < 30; i++) {
    mock.timers.tick(100);
    await answered();
  }
  assert.equal(server.connected, 1);
});

test("a lost connection is tried at once when the network or the page comes back", async (t) => {
  const { again, server } = attempts(t);
  dispatchEvent(new Event("online"));
  assert.equal(server.asked, 0);
  again.later();
  dispatchEvent(new Event("online"));
  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(server.asked, 2);
  server.isUp = true;
  await again.now();
  await answered();
  assert.equal(server.connected, 1);
});

test("an answer that comes after another question, or after the end, is dropped", async (t) => {
  const { again, server } = attempts(t);
  server.isUp = true;
  again.later();
  const first = again.now();
  const second = again.now();
  await Promise.all([first, second]);
  assert.equal(server.connected, 1);
  const third = again.now();
  again.done();
  await third;
  assert.equal(server.connected, 1);
  assert.equal(again.isLost, false);
});
