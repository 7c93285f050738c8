/**
 * For whom the computer is choosing, and why that takes long. The page draws events more slowly than they arrive: that
 * the computer has begun is told only once the event before it is drawn, and until the next action is.
 */

/** Kinds of events after which the computer begins anew, or nobody acts. */
const ENDS = ["play", "roll", "undo", "resign", "draw"];

export class Thinking {
  /** @type {{player: string, after: number, why: string | null} | null} */
  #now = null;

  /**
   * Notes that the computer has begun, or why it is late. A turn that is late stays so when it is tried again.
   *
   * @param {string} player
   * @param {number} after the number of the last event that has arrived
   * @param {string | null} why the turn is delayed, if it is: `busy` or `failed`
   */
  begin(player, after, why = null) {
    const now = this.#now;
    const known = now?.player === player && now.after === after ? now.why : null;
    this.#now = { player, after, why: why ?? known };
  }

  /**
   * Notes an event that is drawn.
   *
   * @param {number} seq
   * @param {string} kind
   */
  note(seq, kind) {
    if (this.#now && seq > this.#now.after && ENDS.includes(kind)) this.#now = null;
  }

  /**
   * Notes that the whole match is drawn anew.
   *
   * @param {number} seq
   */
  renew(seq) {
    if (this.#now && seq > this.#now.after) this.#now = null;
  }

  /**
   * Returns the player for whom the computer is choosing once `seq` events are drawn, or null.
   *
   * @param {number} seq
   */
  player(seq) {
    return this.#now && seq >= this.#now.after ? this.#now.player : null;
  }

  /**
   * Returns why the computer's turn is delayed once `seq` events are drawn: `busy`, `failed`, or null if it is not.
   *
   * @param {number} seq
   */
  delay(seq) {
    return this.#now && seq >= this.#now.after ? this.#now.why : null;
  }
}
