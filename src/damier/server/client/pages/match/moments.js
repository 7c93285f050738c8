/** Looking at earlier moments of a game: its boards, and buttons to go from one to the next. */

import { post } from "../../net/api.js";
import { t } from "../../net/language.js";
import { button, h } from "../../ui/dom.js";

/** The boards of a game, asked for when somebody wants to see one of them. */
export class Moments {
  #states = [];
  #actions = "";

  /** The board after so many actions of a line. */
  async state(line, moment) {
    const actions = line.actions.join(" ");
    if (actions !== this.#actions) {
      this.#states = (await post("lines/states", line)).states;
      this.#actions = actions;
    }
    return this.#states[moment];
  }
}

/** Buttons from moment to moment; the last leads back to the game. */
export function momentBar(moment, count, goTo) {
  const to = (key, sign, target) =>
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
