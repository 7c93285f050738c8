/**
 * The card that says what to do now, and how the game ended. With the coach it also says how, and explains the marks on
 * the board.
 *
 * @import { DrawingData, GuideData } from "../../net/wire.d.ts"
 * @import { PlayBoard } from "../../board/play-board.js"
 * @typedef {{look: string, title: string, note: string, guide: GuideData | null, turnsOf: string[], foot: Node[],
 *   key: string}} Said `look`: mine, over, or empty; `guide` tells the visitor what to do; `turnsOf`: whose last turns are
 *   marked; `key` is the same as long as `foot` need not be drawn anew
 */

import { Board } from "../../board/board.js";
import { atFirst } from "../../board/choosing/narrowing.js";
import { t } from "../../net/language.js";
import { button, h } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { explained, fitSamples, legendItems } from "./legend.js";

/**
 * Makes a small picture of a position in which the aim is reached.
 *
 * @param {DrawingData} drawing
 */
function goalPicture(drawing) {
  if (!drawing.goal) return null;
  const board = new Board(drawing, { coordinates: false, label: drawing.aim });
  board.show(drawing.goal);
  return h("div", { class: "goal" }, board.element);
}

export class StatusCard {
  /** @type {Said} */
  #said = { look: "", title: "", note: "", guide: null, turnsOf: [], foot: [], key: "" };
  #hint = "";
  #legendKey = "";
  #frame = 0;

  /**
   * @param {DrawingData} drawing
   * @param {PlayBoard} board
   * @param {{isCoached: boolean, toggle: (isOn: boolean) => void}} about `toggle` is called by the visitor's choice
   */
  constructor(drawing, board, { isCoached, toggle }) {
    this.drawing = drawing;
    this.board = board;
    this.isCoached = isCoached;
    this.title = h("h2", { class: "now" });
    this.note = h("p", { class: "soft" });
    this.text = h("p", { class: "coach-text" });
    this.legend = h("ul", { class: "legend", "aria-label": t("legend.title") });
    this.coach = h(
      "div",
      { class: "coach" },
      h("div", { class: "coach-said" }, this.text, goalPicture(drawing)),
      this.legend,
      h("p", { class: "soft aim" }, drawing.aim),
    );
    this.foot = h("div", { class: "foot" });
    this.switch = button("", () => {
      this.setCoached(!this.isCoached);
      toggle(this.isCoached);
    });
    this.switch.className = "quiet coach-switch";
    this.element = h(
      "section",
      { class: "status", "aria-label": t("coach.label") },
      h("header", {}, this.title, this.switch),
      this.note,
      this.coach,
      this.foot,
    );
    this.#observer = new MutationObserver(() => this.#soon());
    this.#observer.observe(board.board.element, { childList: true, subtree: true });
    this.setCoached(isCoached);
  }

  #observer;

  close() {
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  /** @param {boolean} isCoached */
  setCoached(isCoached) {
    this.isCoached = isCoached;
    const label = t(isCoached ? "coach.hide" : "coach.show");
    this.switch.replaceChildren(icon(isCoached ? "close" : "help"), h("span", {}, label));
    this.#draw();
  }

  /** @param {Said} said */
  show(said) {
    const isOther = said.key !== this.#said.key;
    this.#said = said;
    this.#hint = "";
    this.title.textContent = said.title;
    this.note.textContent = said.note;
    if (isOther) {
      const hadFocus = this.foot.contains(document.activeElement);
      this.foot.replaceChildren(...said.foot);
      if (hadFocus) this.board.board.focus();
    }
    this.#draw();
  }

  /**
   * Shows a hint until the next state; returns whether the coach is there to show it.
   *
   * @param {string} text
   */
  hint(text) {
    this.#hint = text;
    this.#draw();
    return !this.coach.hidden;
  }

  #soon() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    const { look, guide, turnsOf } = this.#said;
    const isOver = look === "over";
    this.element.className = `status ${look}${this.isCoached && !isOver ? " coached" : ""}`;
    this.switch.hidden = isOver;
    this.coach.hidden = !this.isCoached || isOver;
    if (this.coach.hidden) return;
    this.text.textContent = this.#hint || (guide ? this.#next(guide) || guide.text : "");
    const entries = explained(this.board.board.element, this.drawing, this.board.state, turnsOf);
    const key = JSON.stringify(entries);
    if (key === this.#legendKey) return;
    this.#legendKey = key;
    this.legend.replaceChildren(...legendItems(entries));
    fitSamples(this.legend);
  }

  /**
   * Returns what to choose after the clicks so far, if there were any.
   *
   * @param {GuideData} guide
   */
  #next(guide) {
    const { picked, actions, canAct } = this.board;
    if (!canAct || picked.join() === atFirst(actions).join()) return "";
    return guide.next[picked.join(" ")] ?? "";
  }
}
