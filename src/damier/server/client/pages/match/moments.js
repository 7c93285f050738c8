/**
 * Earlier moments of a game: its boards, and buttons to step through them.
 *
 * @import { MomentState } from "../../net/wire.d.ts"
 * @import { Line } from "../../types.d.ts"
 * @import { Icon } from "../../ui/icons.js"
 */

import { post } from "../../net/api.js";
import { t } from "../../net/language.js";
import { button, h } from "../../ui/dom.js";

/** The boards of a game, requested when one of them is to be shown. */
export class Moments {
  /** @type {MomentState[]} */
  #states = [];
  #actions = "";

  /**
   * Returns the board after `moment` actions of a line.
   *
   * @param {Line} line
   * @param {number} moment
   */
  async state(line, moment) {
    const actions = line.actions.join(" ");
    if (actions !== this.#actions || !this.#states.length) {
      this.#states = (await post("lines/states", line)).states;
      this.#actions = actions;
    }
    return this.#states[moment];
  }
}

/**
 * Makes buttons from moment to moment; the last leads back to the game.
 *
 * @param {number} moment
 * @param {number} count of all actions
 * @param {(moment: number | null) => void} goTo
 */
export function momentBar(moment, count, goTo) {
  const to = (/** @type {string} */ key, /** @type {Icon} */ sign, /** @type {number} */ target) =>
    button(t(key), () => goTo(target), {
      sign,
      look: "step",
      disabled: target < 0 || target > count || target === moment,
    });
  return h(
    "div",
    { class: "moments", role: "toolbar", "aria-label": t("moment.label") },
    to("moment.first", "first", 0),
    to("moment.back", "back", moment - 1),
    h("span", {}, t("moment.after", { count: moment, all: count })),
    to("moment.on", "on", moment + 1),
    button(t("moment.now"), () => goTo(null), { sign: "last", look: "main" }),
  );
}
