/** The live connection of a match: connects again by itself, and sends again what was not answered. */

import { language } from "./language.js";

const SILENCE = 30_000;
const PATIENCE = [300, 700, 1500, 3000, 6000, 10_000];

export class Live {
  #socket;
  #asked = new Map();
  #failures = 0;
  #timer;
  #retry;
  #isClosed = false;
  #hasSnapshot = false;
  seq = -1;

  /** @param {{snapshot, event, other, status}} handlers */
  constructor(number, handlers) {
    this.number = number;
    this.handlers = handlers;
    this.wake = () => document.visibilityState === "visible" && !this.isOpen && this.#connect();
    addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.#connect();
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN && this.#hasSnapshot;
  }

  /** Sends a request; resolves with the answer, rejects with the sentence of a refusal. */
  send(what, fields = {}) {
    const id = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
    const message = { id, do: what, ...fields };
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { message, resolve, reject });
      if (this.isOpen) this.#socket.send(JSON.stringify(message));
    });
  }

  close() {
    this.#isClosed = true;
    removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    clearTimeout(this.#timer);
    clearTimeout(this.#retry);
    this.#socket?.close();
  }

  #connect() {
    clearTimeout(this.#retry);
    if (this.#isClosed) return;
    this.#drop();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const address = `${scheme}://${location.host}/api/matches/${encodeURIComponent(this.number)}/live?lang=${language()}`;
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data));
    socket.onclose = () => socket === this.#socket && this.#again();
    this.#listen();
  }

  #drop() {
    const old = this.#socket;
    this.#socket = undefined;
    this.#hasSnapshot = false;
    old?.close();
  }

  #again() {
    if (this.#isClosed) return;
    this.#drop();
    this.handlers.status(false);
    const wait = PATIENCE[Math.min(this.#failures++, PATIENCE.length - 1)];
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#connect(), wait * (0.8 + 0.4 * Math.random()));
  }

  #listen() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#again(), SILENCE);
  }

  #receive(message) {
    this.#listen();
    if (message.type === "snapshot") this.#begin(message);
    else if (message.type === "event") this.#follow(message);
    else if (message.type === "done" || message.type === "refused") this.#answer(message);
    else if (message.type !== "alive") this.handlers.other(message);
  }

  #begin(snapshot) {
    this.#failures = 0;
    this.#hasSnapshot = true;
    this.seq = snapshot.seq;
    this.handlers.status(true);
    this.handlers.snapshot(snapshot);
    for (const { message } of this.#asked.values()) this.#socket.send(JSON.stringify(message));
  }

  #follow(message) {
    if (message.seq <= this.seq) return;
    if (message.seq !== this.seq + 1) return this.#connect();
    this.seq = message.seq;
    this.handlers.event(message);
  }

  #answer(message) {
    const asked = this.#asked.get(message.id);
    if (!asked) return;
    this.#asked.delete(message.id);
    if (message.type === "done") asked.resolve(message);
    else asked.reject(new Error(message.error));
  }
}
