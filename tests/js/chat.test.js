import assert from "node:assert/strict";
import { test } from "node:test";
import { ChatLines } from "../../src/damier/server/client/pages/match/chat/chat-lines.js";

const line = (number, room = "players", more = {}) => ({ number, room, is_mine: false, text: `${number}`, ...more });
const whole = (rooms, ...lines) => ({ type: "chat", rooms, lines, phrases: [], avoided: {} });

test("nothing of the first chat is unread, and what comes later is", () => {
  const chat = new ChatLines();
  assert.equal(chat.isOpen, false);
  chat.renew(whole(["players"], line(1), line(2)));
  assert.equal(chat.unread, 0);
  assert.equal(chat.add(line(3)), true);
  assert.equal(chat.add(line(3)), false);
  chat.add(line(4, "players", { is_mine: true }));
  assert.equal(chat.unread, 1);
  chat.look();
  assert.equal(chat.unread, 0);
  assert.deepEqual(
    chat.lines.map(({ number }) => number),
    [1, 2, 3, 4],
  );
});

test("after a lost connection only what is new is unread", () => {
  const chat = new ChatLines();
  chat.renew(whole(["players"], line(1)));
  chat.renew(whole(["players"], line(1), line(5), line(6)));
  assert.equal(chat.unread, 2);
});

test("the own room is shown until another is chosen, and each counts for itself", () => {
  const chat = new ChatLines();
  chat.renew(whole(["players", "spectators"]));
  assert.equal(chat.room, "players");
  chat.add(line(1, "spectators"));
  assert.deepEqual(chat.lines, []);
  chat.look();
  assert.equal(chat.unread, 1);
  assert.equal(chat.unreadIn("spectators"), 1);
  chat.choose("spectators");
  chat.look();
  assert.equal(chat.unread, 0);
  assert.equal(chat.lines.length, 1);
  chat.renew(whole(["players"]));
  assert.equal(chat.room, "players");
});

test("a message that is removed is gone, and a page keeps the last 200", () => {
  const chat = new ChatLines();
  chat.renew(whole(["players"]));
  for (let number = 1; number <= 250; number++) chat.add(line(number));
  assert.equal(chat.lines.length, 200);
  chat.remove(250);
  assert.equal(chat.lines.at(-1).number, 249);
});
