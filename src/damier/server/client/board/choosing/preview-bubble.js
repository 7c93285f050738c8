/**
 * What an action would do, on the board and as a sentence in a bubble beside the cells that it is about.
 *
 * @import { PreviewData } from "../../net/wire.d.ts"
 * @import { Board } from "../board.js"
 * @import { Box } from "./bubble.js"
 */

import { h } from "../../ui/dom.js";
import { placeBubble } from "./bubble.js";
import { concerned, isPlain } from "../marks/forecast.js";

const WIDTHS = ["15rem", "11rem", "20rem", "8.5rem"]; // the most that it may be, the best first

const REST = 600; // milliseconds before the sentence of a plain move or placement, which the board shows by itself

export class PreviewBubble {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.element = h("div", { class: "preview", hidden: true });
  }

  /**
   * @param {PreviewData} preview
   * @param {string} player who acts
   * @param {string} cell that was chosen or is pointed at
   * @param {HTMLButtonElement[]} buttons
   */
  show(preview, player, cell, buttons = []) {
    this.hide();
    this.board.forecast(preview, player);
    if (!preview.sentence && !buttons.length) return;
    const open = () => this.#open(preview, cell, buttons);
    if (buttons.length || !isPlain(this.board, preview)) open();
    else this.#timer = setTimeout(open, REST);
  }

  /**
   * @param {PreviewData} preview
   * @param {string} cell
   * @param {HTMLButtonElement[]} buttons
   */
  #open(preview, cell, buttons) {
    this.element.hidden = false;
    this.element.classList.toggle("asks", buttons.length > 0);
    this.element.replaceChildren(
      ...(preview.sentence ? [h("p", {}, ...emphasised(preview.sentence))] : []),
      ...(buttons.length ? [h("div", { class: "buttons" }, buttons)] : []),
    );
    this.#place(cell, concerned(preview));
  }

  hide() {
    clearTimeout(this.#timer);
    this.board.forecast(null);
    this.element.hidden = true;
    this.element.classList.remove("asks");
    this.element.replaceChildren();
  }

  /**
   * Puts the bubble where it covers nothing that it is about, as near as possible.
   *
   * @param {string} cell
   * @param {string[]} cells
   */
  #place(cell, cells) {
    const { style } = this.element;
    const room = this.board.element.getBoundingClientRect();
    const around = this.element.offsetParent?.getBoundingClientRect() ?? room;
    /** @type {(name: string) => Box} */
    const boxOf = (name) => {
      const { x, y, width, height } = this.board.boxOf(name);
      return { x: x * room.width, y: y * room.height, width: width * room.width, height: height * room.height };
    };
    const kept = cells.filter((name) => name !== cell).map(boxOf);
    let best = { x: 0, y: 0, covered: Infinity, most: "" };
    style.left = style.top = "0";
    for (const most of WIDTHS) {
      style.maxWidth = `min(${most}, ${room.width}px)`;
      const size = { width: this.element.offsetWidth, height: this.element.offsetHeight };
      const found = placeBubble(room, size, boxOf(cell), kept);
      if (found.covered < best.covered) best = { ...found, most };
      if (!best.covered) break;
    }
    style.maxWidth = `min(${best.most}, ${room.width}px)`;
    style.left = `${best.x + room.x - around.x}px`;
    style.top = `${best.y + room.y - around.y}px`;
  }
}

/**
 * Returns a text with its last sentence emphasised, if it has several: the sum of what the others say.
 *
 * @param {string} text
 */
function emphasised(text) {
  const [, first, last] = /^(.+[.!?]) (\S[^.!?]*[.!?])$/su.exec(text) ?? [];
  return last ? [`${first} `, h("strong", {}, last)] : [text];
}
