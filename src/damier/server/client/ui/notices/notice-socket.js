/**
 * The connection over which an open page is told what happens elsewhere. It reconnects by itself and keeps the list of what
 * is current: by tag, the newest last.
 *
 * @import { NoticeData, NoticePageMessage } from "../../net/wire.d.ts"
 * @import { Socket } from "../../net/sockets/open-socket.js"
 * @typedef {{changed: () => void, told: (notice: NoticeData) => void}} NoticeHandlers
 */

import { LiveSocket } from "../../net/sockets/live-socket.js";

const SIGNED_OUT = 1008; // the close code of a connection whose session has ended

export class NoticeSocket {
  /** @type {LiveSocket<NoticePageMessage>} */
  #live;
  /** @type {Map<string, NoticeData>} */
  list = new Map();

  /**
   * @param {NoticeHandlers} handlers
   * @param {(path: string) => Socket} [open]
   * @param {() => Promise<boolean>} [answers] tells whether the server answers
   */
  constructor(handlers, open, answers) {
    this.handlers = handlers;
    this.#live = new LiveSocket("notices/live", (message) => this.#receive(message), open, answers, SIGNED_OUT);
    this.#live.connect();
  }

  close() {
    this.#live.close();
  }

  /** Connects anew, for another language. */
  renew() {
    this.#live.connect();
  }

  /** @param {NoticePageMessage} message */
  #receive(message) {
    if (message.type === "notices") {
      this.#live.works();
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
