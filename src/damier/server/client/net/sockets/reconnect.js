/**
 * Connects again when a connection is lost: after short pauses, and at once when the network or the page comes back.
 *
 * Browsers delay a new socket after others to the same server have failed. So the server is asked over HTTP whether it
 * answers; a socket is opened only then.
 */

const FIRST = 250; // milliseconds before the first attempt
const LONGEST = 2000; // milliseconds between attempts, however many have failed
const PATIENCE = 4000; // milliseconds for an answer of the server

/**
 * Returns the milliseconds to wait before attempt number `attempt`, from 0: twice as long each time up to a limit, and by
 * up to a fifth more or less, so that not all pages come at once when a server starts again.
 *
 * @param {number} attempt
 * @param {() => number} random
 */
export const pauseBefore = (attempt, random = Math.random) =>
  Math.min(LONGEST, FIRST * 2 ** attempt) * (0.8 + 0.4 * random());

/** Resolves with whether the server answers. */
export async function serverAnswers() {
  try {
    return (await fetch("/api/alive", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) })).ok;
  } catch {
    return false;
  }
}

export class Reconnect {
  #attempts = 0;
  #isLost = false;
  /** Counts what has been begun: an answer to an earlier question is dropped. */
  #count = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {() => void} connect
   * @param {() => Promise<boolean>} answers
   */
  constructor(connect, answers = serverAnswers) {
    this.connect = connect;
    this.answers = answers;
    this.wake = () => {
      if (this.#isLost && document.visibilityState === "visible") this.now();
    };
    addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
  }

  /** Whether the connection is lost and not back yet. */
  get isLost() {
    return this.#isLost;
  }

  /** Tries after a pause. */
  later() {
    this.#stop();
    this.#isLost = true;
    this.#timer = setTimeout(() => this.now(), pauseBefore(this.#attempts++));
  }

  /** Tries only when it is told to, or the network or the page comes back. */
  wait() {
    this.#stop();
    this.#isLost = true;
  }

  /** Tries at once. */
  async now() {
    this.#stop();
    const mine = this.#count;
    const isThere = await this.answers();
    if (mine !== this.#count) return;
    if (isThere) this.connect();
    else this.later();
  }

  /** Ends the attempts: the connection is back, or not needed any more. */
  done() {
    this.#stop();
    this.#isLost = false;
    this.#attempts = 0;
  }

  close() {
    this.done();
    removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
  }

  #stop() {
    this.#count++;
    clearTimeout(this.#timer);
  }
}
