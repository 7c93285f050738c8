/** How best play goes on, asked on a socket: exact where there is a table, else what the engine finds in a short while. */

import { language } from "../../net/language.js";

const PATIENCE = 2500; // milliseconds for which an engine searches

export class BestLine {
  #socket;
  #number = 0;
  #timer;

  /** Asks about a game given whole; calls `hear` with each answer, the last has `is_done`. What was asked before is given up. */
  ask(line, hear) {
    const id = String(++this.#number);
    this.#send({ id, ...line, lines: 1 }, (answer) => {
      if (answer.id === id && id === String(this.#number)) hear(answer);
    });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.stop(), PATIENCE);
  }

  /** Lets the engine rest. */
  stop() {
    clearTimeout(this.#timer);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send("{}");
  }

  close() {
    clearTimeout(this.#timer);
    this.#number++;
    this.#socket?.close();
  }

  #send(question, hear) {
    const isOpen = this.#socket?.readyState === WebSocket.OPEN;
    const socket = isOpen
      ? this.#socket
      : new WebSocket(
          `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/lines/live?lang=${language()}`,
        );
    socket.onmessage = ({ data }) => hear(JSON.parse(data));
    if (isOpen) socket.send(JSON.stringify(question));
    else {
      this.#socket?.close();
      socket.onopen = () => socket.send(JSON.stringify(question));
    }
    this.#socket = socket;
  }
}
