/** Live analysis: a socket on which one asks about a position and hears more and more, until one asks again. */

import { language } from "./language.js";

const AGAIN = 1000; // milliseconds until a lost connection is tried again

export class Study {
  #socket;
  #question = null;
  #heard;
  #count = 0;
  #timer;
  #isClosed = false;

  /** Asks; what is found goes to `heard`, message by message. An earlier question is given up. */
  ask(question, heard) {
    this.#question = { ...question, id: String(++this.#count) };
    this.#heard = heard;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#send(this.#question);
    else this.#connect();
  }

  /** Gives up what was asked. */
  stop() {
    this.#question = null;
    this.#send({});
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #connect() {
    clearTimeout(this.#timer);
    if (this.#isClosed || this.#socket?.readyState === WebSocket.CONNECTING) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/lines/live?lang=${language()}`);
    this.#socket = socket;
    socket.onopen = () => this.#question && this.#send(this.#question);
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(data));
    socket.onclose = () => {
      if (socket === this.#socket && this.#question) this.#timer = setTimeout(() => this.#connect(), AGAIN);
    };
  }

  #hear(message) {
    if (!this.#question || message.id !== this.#question.id) return;
    if (message.is_done || message.error) this.#question = null;
    this.#heard(message);
  }
}

/** The best action that is found within some time. */
export function bestAction(line, milliseconds) {
  const study = new Study();
  return new Promise((found, failed) => {
    let best;
    const end = () => {
      clearTimeout(timer);
      study.close();
    };
    const timer = setTimeout(() => {
      isLate = true;
      if (best) settle();
    }, milliseconds);
    let isLate = false;
    const settle = () => {
      end();
      found(best);
    };
    study.ask({ ...line, lines: 1 }, ({ error, lines, is_done: isDone }) => {
      best = lines?.[0]?.actions[0] ?? best;
      if (error) {
        end();
        failed(new Error(error));
      } else if (best && (isDone || isLate)) settle();
    });
  });
}
