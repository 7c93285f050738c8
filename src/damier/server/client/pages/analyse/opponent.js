/**
 * The engine as an opponent on the analysis board: it plays for everyone but the visitor, and rolls the die.
 *
 * @import { Line, Moment } from "../../types.d.ts"
 */

import { bestAction } from "../../net/sockets/analysis-socket.js";

const THINKING = 1000; // milliseconds

export class Opponent {
  /** @type {string | null} the visitor's player, null while the opponent is off */
  me = null;

  get isOn() {
    return this.me !== null;
  }

  /**
   * Whether it acts in a state.
   *
   * @param {Moment} state
   */
  acts(state) {
    return this.isOn && !state.result && state.mover !== this.me;
  }

  /**
   * Chooses an action in a state.
   *
   * @param {Moment} state
   * @param {Line} line
   */
  async answer(state, line) {
    const actions = (state.actions ?? []).map(({ action }) => action);
    if (state.mover === "chance") return actions[Math.floor(Math.random() * actions.length)];
    return actions.length === 1 ? actions[0] : bestAction(line, THINKING);
  }
}
