/**
 * For whom the computer is choosing. The page draws events more slowly than they arrive: that the computer has begun is
 * told only once the event before it is drawn, and until the next action is.
 */

/** Kinds of events after which the computer begins anew, or nobody acts. */
const ENDS = ["play", "roll", "undo", "resign", "draw"];

export class Thinking {
  /** @type {{player: string, after: number} | null} */
  #now = null;

  /**
   * @param {string} player
   * @param {number} after the number of the last event that has arrived
   */
  begin(player, after) {
    this.#now = { player, after };
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
}
