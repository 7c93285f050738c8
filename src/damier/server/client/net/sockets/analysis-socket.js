/**
 * The one connection for live analysis. The server works on one query at a time and sends better and better answers to
 * it. A query asked while another runs comes first; the other is asked again when the newer one is finished.
 *
 * @import { AnalysisLine, AnalysisMessage, AnalysisQuery, AnalysisUpdate, GameLine } from "../wire.d.ts"
 * @import { Socket } from "./open-socket.js"
 * @typedef {AnalysisMessage & Partial<AnalysisUpdate> & {error?: string}} AnalysisAnswer
 * @typedef {{message: AnalysisQuery & {id: string}, onAnswer: (answer: AnalysisAnswer) => void}} Query
 */

import { language } from "../language.js";
import { CONNECTING, OPEN, openSocket } from "./open-socket.js";
import { Reconnect, serverAnswers } from "./reconnect.js";

const FULL = 1013; // close code of a server that takes no more connections of this visitor
const IDLE = 20_000; // milliseconds without a query after which the connection is closed

export class AnalysisSocket {
  /** @type {Socket | undefined} */
  #socket;
  /** @type {Query[]} the one that runs is the last */
  #queries = [];
  #count = 0;
  /** @type {string | undefined} the id of the query that the server works on */
  #sent;
  #language = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Reconnect} */
  #again;
  #isConnected = true;
  /** @type {(isConnected: boolean) => void} called when the connection is lost and when it is back */
  onStatus = () => {};

  /**
   * @param {(path: string) => Socket} open
   * @param {() => Promise<boolean>} answers tells whether the server answers
   */
  constructor(open = openSocket, answers = serverAnswers) {
    this.open = open;
    this.#again = new Reconnect(() => this.#connect(), answers);
  }

  /** Tries at once to connect again. */
  retry() {
    if (this.#again.isLost) this.#again.now();
  }

  /**
   * Asks about a position; returns a function that cancels the query.
   *
   * @param {AnalysisQuery} query
   * @param {(answer: AnalysisAnswer) => void} onAnswer called with every answer; the last has `is_done` or `error`
   */
  ask(query, onAnswer) {
    const asked = { message: { ...query, id: String(++this.#count) }, onAnswer };
    this.#queries.push(asked);
    this.#update();
    return () => {
      if (!this.#queries.includes(asked)) return;
      this.#queries = this.#queries.filter((each) => each !== asked);
      this.#update();
    };
  }

  close() {
    this.#queries = [];
    this.#drop();
    this.#again.close();
  }

  get #current() {
    return this.#queries.at(-1);
  }

  /** Makes the server work on the current query, or on none. */
  #update() {
    const current = this.#current;
    clearTimeout(this.#timer);
    if (this.#socket?.readyState === OPEN && this.#language === language()) {
      if (current?.message.id !== this.#sent) this.#socket.send(JSON.stringify(current?.message ?? {}));
      this.#sent = current?.message.id;
      if (!current) this.#timer = setTimeout(() => this.#drop(), IDLE);
    } else if (!current) this.#settle();
    else if (this.#again.isLost) this.#again.now();
    else this.#connect();
  }

  /** Ends the attempts to connect again. */
  #settle() {
    this.#again.done();
    this.#tell(true);
  }

  /** @param {boolean} isConnected */
  #tell(isConnected) {
    if (isConnected === this.#isConnected) return;
    this.#isConnected = isConnected;
    this.onStatus(isConnected);
  }

  #connect() {
    if (this.#socket?.readyState === CONNECTING && this.#language === language()) return;
    this.#drop();
    const socket = this.open("lines/live");
    this.#socket = socket;
    this.#language = language();
    socket.onopen = () => {
      this.#settle();
      this.#update();
    };
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data));
    socket.onclose = ({ code, reason }) => {
      if (socket !== this.#socket) return;
      this.#drop();
      const current = this.#current;
      if (current && code === FULL && reason) return this.#receive({ id: current.message.id, error: reason });
      if (!current) return;
      this.#tell(false);
      this.#again.later();
    };
  }

  #drop() {
    const socket = this.#socket;
    clearTimeout(this.#timer);
    this.#socket = this.#sent = undefined;
    socket?.close();
  }

  /** @param {AnalysisAnswer} answer */
  #receive(answer) {
    const current = this.#current;
    if (!current || answer.id !== current.message.id) return;
    if (answer.is_done || answer.error) this.#queries.pop();
    current.onAnswer(answer);
    this.#update();
  }
}

export const analysis = new AnalysisSocket();

/**
 * Resolves with the first action of the best line that is found within `milliseconds`.
 *
 * @param {GameLine} line
 * @param {number} milliseconds
 * @returns {Promise<string>}
 */
export function bestAction(line, milliseconds, socket = analysis) {
  return new Promise((resolve, reject) => {
    /** @type {string | undefined} */
    let best;
    let isLate = false;
    const settle = () => {
      if (best === undefined) return;
      clearTimeout(timer);
      cancel();
      resolve(best);
    };
    const timer = setTimeout(() => {
      isLate = true;
      settle();
    }, milliseconds);
    const cancel = socket.ask({ ...line, lines: 1 }, ({ error, lines, is_done: isDone }) => {
      best = lines?.[0]?.actions[0] ?? best;
      if (error) {
        clearTimeout(timer);
        reject(new Error(error));
      } else if (isDone || isLate) settle();
    });
  });
}
