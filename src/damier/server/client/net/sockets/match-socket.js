/**
 * The live connection of a match. It reconnects by itself, sends unanswered requests again, and asks for a new snapshot
 * when an event is missing. An event says what is new in the history; handlers get the whole of it.
 *
 * @import { ChatMessage, DelayedMessage, DoneMessage, EventMessage, HistoryEntry, MatchMessage, MatchRequest, MatchState,
 *   NamesMessage, PresenceMessage, RatingsMessage, RefusedMessage, SaidMessage, SnapshotMessage, ThinkingMessage,
 *   UnsaidMessage } from "../wire.d.ts"
 * @import { Socket } from "./open-socket.js"
 * @typedef {{seq: number, event: EventMessage["event"], clocks: EventMessage["clocks"], state: MatchState}} Happened
 * @typedef {ThinkingMessage | DelayedMessage | PresenceMessage | NamesMessage | RatingsMessage | ChatMessage |
 *   SaidMessage | UnsaidMessage} Notice
 * @typedef {{snapshot: (message: SnapshotMessage) => void, event: (message: Happened) => void,
 *   notice: (message: Notice) => void, status: (isConnected: boolean, why: string) => void}} MatchHandlers `why`: the
 *   server's sentence, if it has closed the connection with one
 * @typedef {{resolve: (answer: DoneMessage) => void, reject: (error: Error) => void}} Promised
 */

import { OPEN, openSocket } from "./open-socket.js";
import { Reconnect, serverAnswers } from "./reconnect.js";

const SILENCE = 30_000; // milliseconds after which a silent connection counts as lost
const PATIENCE = 8000; // milliseconds for the first message of a connection
const GOODBYE = 1000; // close code that tells the server that the page was left on purpose
const REFUSED = 1008; // close code of a connection that it is no use to try again

export class MatchSocket {
  /** @type {Socket | undefined} */
  #socket;
  /** @type {Map<string, Promised & {message: object}>} requests without an answer, by id */
  #pending = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #silence;
  /** @type {Reconnect} */
  #again;
  #isClosed = false;
  #hasSnapshot = false;
  /** @type {HistoryEntry[]} */
  #history = [];
  /** How many actions before those of the history the server has left out. */
  #older = 0;
  /** The number of the last event. */
  seq = -1;

  /**
   * @param {string} number
   * @param {MatchHandlers} handlers
   * @param {(path: string) => Socket} open
   * @param {() => Promise<boolean>} answers tells whether the server answers
   */
  constructor(number, handlers, open = openSocket, answers = serverAnswers) {
    this.number = number;
    this.handlers = handlers;
    this.open = open;
    this.#again = new Reconnect(() => this.#connect(), answers);
    this.#connect();
  }

  /** Tries at once to connect again. */
  retry() {
    if (this.#again.isLost) this.#again.now();
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
    clearTimeout(this.#silence);
    this.#again.close();
    this.#socket?.close(GOODBYE);
  }

  #connect() {
    if (this.#isClosed) return;
    this.#drop();
    const socket = this.open(`matches/${encodeURIComponent(this.number)}/live`);
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data));
    socket.onclose = ({ code, reason }) => {
      if (socket === this.#socket) this.#reconnect(reason, code !== REFUSED);
    };
    this.#watch();
  }

  #drop() {
    const old = this.#socket;
    this.#socket = undefined;
    this.#hasSnapshot = false;
    old?.close();
  }

  /**
   * @param {string} why
   * @param {boolean} isUseful whether to try again without being told to
   */
  #reconnect(why = "", isUseful = true) {
    if (this.#isClosed) return;
    this.#drop();
    clearTimeout(this.#silence);
    this.handlers.status(false, why);
    if (isUseful) this.#again.later();
    else this.#again.wait();
  }

  /** Restarts the timer of silence. */
  #watch() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#reconnect(), this.#hasSnapshot ? SILENCE : PATIENCE);
  }

  /** @param {MatchMessage} message */
  #receive(message) {
    if (message.type === "snapshot") this.#begin(message);
    else if (message.type === "event") this.#follow(message);
    else if (message.type === "done" || message.type === "refused") this.#answer(message);
    else if (message.type === "ping") this.#socket?.send(JSON.stringify({ id: message.id, do: "pong" }));
    else if (message.type !== "alive") this.handlers.notice(message);
    if (this.isOpen) this.#watch();
  }

  /** @param {SnapshotMessage} snapshot */
  #begin(snapshot) {
    this.#again.done();
    this.#hasSnapshot = true;
    this.seq = snapshot.seq;
    this.#history = snapshot.state.history;
    this.#older = snapshot.state.older;
    this.handlers.status(true, "");
    this.handlers.snapshot(snapshot);
    for (const { message } of this.#pending.values()) this.#socket?.send(JSON.stringify(message));
  }

  /** @param {EventMessage} message */
  #follow(message) {
    if (message.seq <= this.seq) return;
    const { seq, event, history } = message;
    const kept = history.kept - this.#older;
    if (seq !== this.seq + 1 || kept < 0 || kept > this.#history.length) {
      this.#connect();
      return;
    }
    this.seq = seq;
    this.#history = [...this.#history.slice(0, kept), ...history.added];
    const state = { ...message.state, history: this.#history, older: this.#older };
    this.handlers.event({ seq, event, clocks: message.clocks, state });
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
