/**
 * A connection over which the server tells a page what changes. It reconnects by itself, also when nothing comes for long:
 * the server sends a sign of life when it has nothing to say.
 *
 * @import { Socket } from "./open-socket.js"
 */

import { openSocket } from "./open-socket.js";
import { Reconnect, serverAnswers } from "./reconnect.js";

const SILENCE = 30_000; // milliseconds after which a silent connection counts as lost

/** @template M the messages */
export class LiveSocket {
  /** @type {Socket | undefined} */
  #socket;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #silence;
  /** @type {Reconnect} */
  #again;
  #isClosed = false;

  /**
   * @param {string} path
   * @param {(message: M) => void} receive
   * @param {(path: string) => Socket} open
   * @param {() => Promise<boolean>} answers tells whether the server answers
   * @param {number} [last] the close code after which it does not connect again
   */
  constructor(path, receive, open = openSocket, answers = serverAnswers, last = undefined) {
    this.path = path;
    this.receive = receive;
    this.open = open;
    this.last = last;
    this.#again = new Reconnect(() => this.connect(), answers);
  }

  /** Connects; a connection that is open gives way to the new one. */
  connect() {
    if (this.#isClosed) return;
    const old = this.#socket;
    const socket = this.open(this.path);
    this.#socket = socket;
    old?.close();
    socket.onmessage = ({ data }) => {
      this.#watch();
      this.receive(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.#socket) return;
      if (code === this.last) this.close();
      else this.reconnect();
    };
    this.#watch();
  }

  /** Drops the connection and opens another one after a pause. */
  reconnect() {
    if (this.#isClosed) return;
    const old = this.#socket;
    this.#socket = undefined;
    old?.close();
    clearTimeout(this.#silence);
    this.#again.later();
  }

  /** Says that the connection works: the next attempts begin with short pauses. */
  works() {
    this.#again.done();
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#silence);
    this.#again.close();
    this.#socket?.close();
  }

  #watch() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.reconnect(), SILENCE);
  }
}
