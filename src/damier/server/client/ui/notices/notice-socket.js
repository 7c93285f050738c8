/**
 * The connection over which an open page is told what happens elsewhere. It reconnects by itself and keeps the list of what
 * is current: by tag, the newest last.
 *
 * @import { NoticeData, NoticePageMessage } from "../../net/wire.d.ts"
 * @import { Socket } from "../../net/open-socket.js"
 * @typedef {{changed: () => void, told: (notice: NoticeData) => void}} NoticeHandlers
 */

import { openSocket } from "../../net/open-socket.js";
import { Reconnect, serverAnswers } from "../../net/reconnect.js";

const SILENCE = 30_000; // milliseconds after which a silent connection counts as lost
const SIGNED_OUT = 1008; // the close code of a connection whose session has ended

export class NoticeSocket {
  /** @type {Socket | undefined} */
  #socket;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #silence;
  /** @type {Reconnect} */
  #again;
  #isClosed = false;
  /** @type {Map<string, NoticeData>} */
  list = new Map();

  /**
   * @param {NoticeHandlers} handlers
   * @param {(path: string) => Socket} open
   * @param {() => Promise<boolean>} answers tells whether the server answers
   */
  constructor(handlers, open = openSocket, answers = serverAnswers) {
    this.handlers = handlers;
    this.open = open;
    this.#again = new Reconnect(() => this.#connect(), answers);
    this.#connect();
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#silence);
    this.#again.close();
    this.#socket?.close();
  }

  /** Connects anew, for another language. */
  renew() {
    this.#connect();
  }

  #connect() {
    if (this.#isClosed) return;
    const old = this.#socket;
    const socket = this.open("notices/live");
    this.#socket = socket;
    old?.close();
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data));
    socket.onclose = ({ code }) => {
      if (socket !== this.#socket) return;
      if (code === SIGNED_OUT) this.close();
      else this.#reconnect();
    };
    this.#watch();
  }

  #reconnect() {
    if (this.#isClosed) return;
    const old = this.#socket;
    this.#socket = undefined;
    old?.close();
    clearTimeout(this.#silence);
    this.#again.later();
  }

  #watch() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#reconnect(), SILENCE);
  }

  /** @param {NoticePageMessage} message */
  #receive(message) {
    this.#watch();
    if (message.type === "notices") {
      this.#again.done();
      this.list = new Map(message.notices.map((notice) => [notice.tag, notice]));
    } else if (message.type === "notice") {
      this.list.delete(message.notice.tag);
      this.list.set(message.notice.tag, message.notice);
      this.handlers.told(message.notice);
    } else if (message.type === "gone") this.list.delete(message.tag);
    else return;
    this.handlers.changed();
  }
}
