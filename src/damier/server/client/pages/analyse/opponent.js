/** The engine as an opponent on the analysis board: it answers for everybody but one player, and rolls the die. */

import { bestAction } from "../../net/analysis-socket.js";

const THINKING = 1000; // milliseconds

export class Opponent {
  me = null;

  get isOn() {
    return this.me !== null;
  }

  /** Whether it is not the visitor who acts in a state. */
  acts(state) {
    return this.isOn && !state.result && state.mover !== this.me;
  }

  /** The action that it chooses in a state. */
  async answer(state, line) {
    const actions = state.actions.map(({ action }) => action);
    if (state.mover === "chance") return actions[Math.floor(Math.random() * actions.length)];
    return actions.length === 1 ? actions[0] : bestAction(line, THINKING);
  }
}
