/** Tells in the tab of the browser, and by a sound where the page is out of sight, that it is the visitor's turn. */

import { t } from "../../net/language.js";
import { play as sound } from "../../ui/sound.js";

const ICON = new URL("../../icon.svg", import.meta.url).pathname;
const ICON_ON_TURN = new URL("../../icon-turn.svg", import.meta.url).pathname;

export class Attention {
  #isMine = false;

  /** @param {string} title of the game */
  constructor(title) {
    this.title = title;
    this.#draw();
  }

  /** @param {boolean} isMine */
  update(isMine) {
    if (isMine === this.#isMine) return;
    this.#isMine = isMine;
    this.#draw();
    if (isMine && !document.hasFocus()) sound("turn");
  }

  #draw() {
    document.title = this.#isMine ? `● ${t("match.your_turn")} · ${this.title}` : `${this.title} · damier`;
    showIcon(this.#isMine ? ICON_ON_TURN : ICON);
  }

  close() {
    showIcon(ICON);
  }
}

/** @param {string} path */
const showIcon = (path) => document.querySelector('link[rel="icon"]')?.setAttribute("href", path);
