/** The values of all actions of a position: on the board, as a list, and the building of a table that is missing. */

import { post } from "../net/api.js";
import { t } from "../net/language.js";
import { setting } from "../net/settings.js";
import { h } from "./dom.js";
import { tableBox } from "./table-box.js";
import { valueList } from "./values.js";

export class KnownValues {
  #line = null;
  #kept = new WeakMap();

  /**
   * @param {{show: (values) => void, choose: (action: string) => void, built?: () => void, ask?: () => Promise<object>,
   *   isOpen?: boolean}} about `ask` is another request than the one about a line; `isOpen` whether the list is unfolded
   */
  constructor(about) {
    this.about = about;
    this.element = h("div", { class: "known" });
  }

  /** Forgets what is shown: another position is. */
  clear() {
    this.#line = null;
    this.element.replaceChildren();
  }

  /** Shows the values in a state that a line leads to, if the visitor wants to see values. */
  async look(state, line) {
    this.clear();
    if (!setting("values")) return void this.about.show(null);
    if (state.result) return;
    this.#line = line;
    const data = this.#kept.get(state) ?? (await this.#ask(line));
    if (this.#line !== line) return;
    if (data.error) return void this.element.replaceChildren(h("p", { class: "soft" }, data.error));
    this.#kept.set(state, data);
    this.#draw(state, line, data);
  }

  async #ask(line) {
    this.element.replaceChildren(h("p", { class: "soft" }, t("values.wait")));
    return (this.about.ask?.() ?? post("lines/values", line)).catch((error) => ({ error: error.message }));
  }

  #draw(state, line, data) {
    const offer = h("div", { class: "table-box" });
    this.element.replaceChildren(
      offer,
      h(
        "details",
        { class: "fold", open: this.about.isOpen ?? true },
        h("summary", {}, t(data.is_exact ? "values.title.exact" : "values.title.about")),
        valueList(data, this.about.choose),
      ),
    );
    this.about.show(data);
    if (data.is_exact) return;
    tableBox(offer, { game: line.game, options: line.options }, () => {
      this.#kept = new WeakMap();
      if (this.#line === line) this.look(state, line);
      this.about.built?.();
    });
  }
}
