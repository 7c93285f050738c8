/**
 * The live connection of a match. It reconnects by itself, sends unanswered requests again, and asks for a new snapshot
 * when an event is missing.
 *
 * @import { DoneMessage, EventMessage, MatchMessage, MatchRequest, PresenceMessage, RematchMessage, SnapshotMessage,
 *   RefusedMessage, ThinkingMessage } from "./wire.d.ts"
 * @import { Socket } from "./open-socket.js"
 * @typedef {ThinkingMessage | PresenceMessage | RematchMessage} Notice
 * @typedef {{snapshot: (message: SnapshotMessage) => void, event: (message: EventMessage) => void,
 *   notice: (message: Notice) => void, status: (isConnected: boolean) => void}} MatchHandlers
 * @typedef {{resolve: (answer: DoneMessage) => void, reject: (error: Error) => void}} Promised
 */

import { OPEN, openSocket } from "./open-socket.js";

const SILENCE = 30_000; // milliseconds after which a silent connection counts as lost
const PAUSES = [300, 700, 1500, 3000, 6000, 10_000]; // milliseconds before the next attempt to connect

export class MatchSocket {
  /** @type {Socket | undefined} */
  #socket;
  /** @type {Map<string, Promised & {message: object}>} requests without an answer, by id */
  #pending = new Map();
  #failures = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #silence;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;
  #isClosed = false;
  #hasSnapshot = false;
  /** The number of the last event. */
  seq = -1;

  /**
   * @param {string} number
   * @param {MatchHandlers} handlers
   * @param {(path: string) => Socket} open
   */
  constructor(number, handlers, open = openSocket) {
    this.number = number;
    this.handlers = handlers;
    this.open = open;
    this.wake = () => {
      if (document.visibilityState === "visible" && !this.isOpen) this.#connect();
    };
    addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.#connect();
  }

  get isOpen() {
    return this.#socket?.readyState === OPEN && this.#hasSnapshot;
  }

  /**
   * Sends a request; resolves with the answer, rejects with the sentence of a refusal.
   *
   * @template {MatchRequest["do"]} W
   * @param {W} what
   * @param {Omit<Extract<MatchRequest, {do: W}>, "id" | "do">} fields
   * @returns {Promise<DoneMessage>}
   */
  send(what, fields) {
    const id = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
    const message = { id, do: what, ...fields };
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { message, resolve, reject });
      if (this.isOpen) this.#socket?.send(JSON.stringify(message));
    });
  }

  close() {
    this.#isClosed = true;
    removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    clearTimeout(this.#silence);
    clearTimeout(this.#retry);
    this.#socket?.close();
  }

  #connect() {
    clearTimeout(this.#retry);
    if (this.#isClosed) return;
    this.#drop();
    const socket = this.open(`matches/${encodeURIComponent(this.number)}/live`);
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data));
    socket.onclose = () => {
      if (socket === this.#socket) this.#reconnect();
    };
    this.#watch();
  }

  #drop() {
    const old = this.#socket;
    this.#socket = undefined;
    this.#hasSnapshot = false;
    old?.close();
  }

  #reconnect() {
    if (this.#isClosed) return;
    this.#drop();
    this.handlers.status(false);
    const pause = PAUSES[Math.min(this.#failures++, PAUSES.length - 1)];
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#connect(), pause * (0.8 + 0.4 * Math.random()));
  }

  /** Restarts the timer of silence. */
  #watch() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#reconnect(), SILENCE);
  }

  /** @param {MatchMessage} message */
  #receive(message) {
    this.#watch();
    if (message.type === "snapshot") this.#begin(message);
    else if (message.type === "event") this.#follow(message);
    else if (message.type === "done" || message.type === "refused") this.#answer(message);
    else if (message.type !== "alive") this.handlers.notice(message);
  }

  /** @param {SnapshotMessage} snapshot */
  #begin(snapshot) {
    this.#failures = 0;
    this.#hasSnapshot = true;
    this.seq = snapshot.seq;
    this.handlers.status(true);
    this.handlers.snapshot(snapshot);
    for (const { message } of this.#pending.values()) this.#socket?.send(JSON.stringify(message));
  }

  /** @param {EventMessage} message */
  #follow(message) {
    if (message.seq <= this.seq) return;
    if (message.seq !== this.seq + 1) {
      this.#connect();
      return;
    }
    this.seq = message.seq;
    this.handlers.event(message);
  }

  /** @param {DoneMessage | RefusedMessage} message */
  #answer(message) {
    const pending = this.#pending.get(message.id);
    if (!pending) return;
    this.#pending.delete(message.id);
    if (message.type === "done") pending.resolve(message);
    else pending.reject(new Error(message.error));
  }
}
