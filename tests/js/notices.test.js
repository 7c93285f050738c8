import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { NoticeSocket } from "../../src/damier/server/client/ui/notices/notice-socket.js";

const notice = (tag, title = tag) => ({ kind: "turn", title, text: "", path: `/m/${tag}`, tag });

/** Returns a connection whose sockets the test holds, and what was heard. */
function connected() {
  const opened = [];
  const heard = [];
  const open = (path) => {
    const made = { path, close: () => (made.isClosed = true), readyState: 1 };
    opened.push(made);
    return made;
  };
  const handlers = { changed: () => heard.push("changed"), told: ({ title }) => heard.push(title) };
  const socket = new NoticeSocket(handlers, open, async () => true);
  const tell = (message) => opened.at(-1).onmessage({ data: JSON.stringify(message) });
  return { opened, heard, socket, tell };
}

test("the list has what is current, by tag, the newest last", () => {
  const { heard, socket, tell, opened } = connected();
  tell({ type: "notices", notices: [notice("a"), notice("b")] });
  tell({ type: "notice", notice: notice("a", "again") });
  tell({ type: "alive" });
  assert.equal(opened[0].path, "notices/live");
  assert.deepEqual([...socket.list.keys()], ["b", "a"]);
  assert.deepEqual(heard, ["changed", "again", "changed"]);
  tell({ type: "gone", tag: "b" });
  assert.deepEqual([...socket.list.keys()], ["a"]);
  socket.close();
});

test("another language connects anew, and the old connection is not missed", () => {
  const { opened, socket } = connected();
  socket.renew();
  assert.deepEqual([opened.length, opened[0].isClosed], [2, true]);
  opened[0].onclose({ code: 1000 });
  assert.equal(opened[1].isClosed, undefined);
  socket.close();
});

test("who is signed out is not connected again", () => {
  const { opened } = connected();
  opened[0].onclose({ code: 1008 });
  assert.equal(opened[0].isClosed, true);
});
