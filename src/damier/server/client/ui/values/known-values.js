/**
 * The values of all actions of a position: on the board, as a list, with the offer to build a missing table.
 *
 * @import { ActionValues, PlayState } from "../../net/wire.d.ts"
 * @import { Line, Moment } from "../../types.d.ts"
 * @typedef {{show: (values: ActionValues | null) => void, choose: (action: string) => void, built?: () => void,
 *   ask?: () => Promise<ActionValues>, isOpen?: boolean}} About `ask` replaces the request about a line, `isOpen` unfolds
 *   the list
 */

import { post } from "../../net/api.js";
import { t } from "../../net/language.js";
import { setting } from "../../net/settings.js";
import { h, sentenceOf } from "../dom.js";
import { tableBox } from "../table-box.js";
import { valueCard } from "./value-summary.js";
import { valueList } from "./values.js";

export class KnownValues {
  /** @type {Line | null} */
  #line = null;
  /** @type {WeakMap<Moment | PlayState, ActionValues>} */
  #kept = new WeakMap();

  /** @param {About} about */
  constructor(about) {
    this.about = about;
    this.element = h("div", { class: "known" });
  }

  /** Shows nothing. */
  clear() {
    this.#line = null;
    this.element.replaceChildren();
  }

  /**
   * Shows the values in a state that a line leads to, if the visitor wants to see values.
   *
   * @param {Moment} state
   * @param {Line} line
   */
  async look(state, line) {
    this.clear();
    if (!setting("values")) {
      this.about.show(null);
      return;
    }
    if (state.result) return;
    this.#line = line;
    try {
      const data = this.#kept.get(state) ?? (await this.#ask(line));
      if (this.#line !== line) return;
      this.#kept.set(state, data);
      this.#draw(state, line, data);
    } catch (error) {
      if (this.#line === line) this.element.replaceChildren(h("p", { class: "soft" }, sentenceOf(error)));
    }
  }

  /** @param {Line} line */
  async #ask(line) {
    this.element.replaceChildren(h("p", { class: "soft" }, t("values.wait")));
    return this.about.ask?.() ?? post("lines/values", line);
  }

  /**
   * Draws the same values with distances counted in another way.
   *
   * @param {Moment} state
   * @param {Line} line
   * @param {ActionValues} data
   */
  #recount(state, line, data) {
    const isOpen = this.element.querySelector("details")?.open;
    this.#draw(state, line, data, true);
    this.element.querySelector("details")?.toggleAttribute("open", isOpen);
    /** @type {HTMLButtonElement | null} */ (this.element.querySelector(".legend button"))?.focus();
  }

  /**
   * @param {Moment} state
   * @param {Line} line
   * @param {ActionValues} data
   */
  #draw(state, line, data, isAgain = false) {
    const offer = h("div", { class: "table-box" });
    const kind = data.is_exact ? "exact" : data.is_from_table ? "table" : "about";
    const title = t(`values.title.${kind}`);
    const about = { actions: state.actions ?? [], pieces: state.pieces, player: state.mover_name ?? "" };
    const card = state.mover === "chance" ? null : valueCard(data, about, () => this.#recount(state, line, data));
    this.element.replaceChildren(
      offer,
      ...(card ? [card] : []),
      h(
        "details",
        { class: "fold", open: this.about.isOpen ?? true },
        h("summary", {}, title),
        valueList(data, this.about.choose),
      ),
    );
    this.about.show(data);
    if (data.is_from_table || isAgain) return;
    tableBox(offer, { game: line.game, options: line.options }, () => {
      this.#kept = new WeakMap();
      if (this.#line === line) this.look(state, line);
      this.about.built?.();
    });
  }
}
