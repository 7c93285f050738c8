/** The button to the next match in which it is the visitor's turn, while this one waits for others or is over. */

import { get } from "../../net/api.js";
import { t } from "../../net/language.js";
import { h } from "../../ui/dom.js";

export class NextGame {
  #isWaiting = false;
  #asked = 0;

  /** @param {string} number of the match on the page */
  constructor(number) {
    this.number = number;
    this.element = h("p", { class: "next-game", hidden: true });
  }

  /** @param {boolean} isWaiting whether the visitor has nothing to do here */
  async update(isWaiting) {
    if (isWaiting === this.#isWaiting) return;
    this.#isWaiting = isWaiting;
    this.element.hidden = true;
    const asked = ++this.#asked;
    if (!isWaiting) return;
    const next = await get("my/next", { after: this.number }).catch(() => null);
    if (asked !== this.#asked || !next?.number) return;
    const title = t("matches.next.title", { count: next.count });
    const label = `${t("matches.next")}: ${title}`;
    this.element.replaceChildren(
      h("a", { class: "as-button", href: `/m/${next.number}`, title, "aria-label": label }, t("matches.next")),
    );
    this.element.hidden = false;
  }
}
