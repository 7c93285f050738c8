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

/** Buttons from moment to moment; the last leads back to the game. */
export class MomentBar {
  #moment = 0;
  #count = 0;

  /** @param {(moment: number | null) => void} goTo */
  constructor(goTo) {
    const to = (/** @type {string} */ key, /** @type {Icon} */ sign, /** @type {() => number | null} */ target) =>
      button(t(key), () => goTo(target()), { sign, look: "step", title: t(key) });
    this.first = to("moment.first", "first", () => 0);
    this.back = to("moment.back", "back", () => this.#moment - 1);
    this.on = to("moment.on", "on", () => this.#moment + 1);
    this.last = to("moment.now", "last", () => null);
    this.element = h(
      "div",
      { class: "moments", role: "toolbar", "aria-label": t("moment.label") },
      this.first,
      this.back,
      this.on,
      this.last,
    );
  }

  /**
   * @param {number} moment that is shown
   * @param {number} count of all actions
   */
  update(moment, count) {
    this.#moment = moment;
    this.#count = count;
    this.first.disabled = this.back.disabled = moment === 0;
    this.on.disabled = this.last.disabled = moment === this.#count;
  }
}
