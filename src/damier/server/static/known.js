/** The values of all actions of a position: on the board, as a list, and the building of a table that is missing. */

import { post } from "./api.js";
import { h } from "./dom.js";
import { setting } from "./settings.js";
import { tableBox } from "./tables.js";
import { valueList } from "./values.js";
import { t } from "./words.js";

export class KnownValues {
  #line = null;
  #kept = new WeakMap();

  /** @param {{show: (values) => void, choose: (action: string) => void, built: () => void}} about */
  constructor(about) {
    this.about = about;
    this.element = h("div", { class: "known" });
  }

  /** Forgets what is shown: another position is. */
  clear() {
    this.#line = null;
    this.element.replaceChildren();
  }

  /** Shows the values at a node, if the visitor wants to see values. */
  async look(node, line) {
    this.clear();
    if (!setting("values")) return void this.about.show(null);
    if (node.state.result) return;
    this.#line = line;
    const data = this.#kept.get(node) ?? (await this.#ask(line));
    if (this.#line !== line) return;
    if (data.error) return void this.element.replaceChildren(h("p", { class: "soft" }, data.error));
    this.#kept.set(node, data);
    this.#draw(node, line, data);
  }

  async #ask(line) {
    this.element.replaceChildren(h("p", { class: "soft" }, t("values.wait")));
    return post("lines/values", line).catch((error) => ({ error: error.message }));
  }

  #draw(node, line, data) {
    const offer = h("div", { class: "table-box" });
    this.element.replaceChildren(offer, h("details", { class: "fold", open: true },
      h("summary", {}, t(data.is_exact ? "values.title.exact" : "values.title.about")), valueList(data, this.about.choose)));
    this.about.show(data);
    if (data.is_exact) return;
    tableBox(offer, { game: line.game, options: line.options }, () => {
      this.#kept = new WeakMap();
      if (this.#line === line) this.look(node, line);
      this.about.built();
    });
  }
}
