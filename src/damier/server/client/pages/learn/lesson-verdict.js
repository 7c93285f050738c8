/** What is said about an answer. */

import { isStill } from "../../net/settings.js";
import { h } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";

/** @typedef {"" | "right" | "wrong" | "so-far"} VerdictKind */

export class VerdictBox {
  element = h("div", { class: "verdict", role: "status" });

  /**
   * Shows a sentence; with an empty kind, none.
   *
   * @param {VerdictKind} kind
   * @param {string} sentence
   * @param {HTMLElement | false} more
   * @param {HTMLElement} board must not be covered
   */
  tell(kind, sentence, more, board) {
    this.element.className = `verdict ${kind}`;
    this.element.replaceChildren();
    if (!kind) return;
    this.element.append(h("p", {}, kind === "right" && icon("check"), sentence), ...(more ? [more] : []));
    this.#uncover(board);
  }

  /**
   * Scrolls the board up as far as the verdict covers it on a small screen.
   *
   * @param {HTMLElement} board
   */
  #uncover(board) {
    const hidden = board.getBoundingClientRect().bottom - this.element.getBoundingClientRect().top;
    if (hidden > 0 && getComputedStyle(this.element).position === "fixed")
      scrollBy({ top: hidden, behavior: isStill() ? "auto" : "smooth" });
  }
}
