/**
 * A line of play on a board: buttons to step through it, its actions to click on, and where a rule cuts it off.
 *
 * @import { DrawingData, MomentState, ResultData } from "../net/wire.d.ts"
 * @import { OptionValues } from "../types.d.ts"
 * @import { Icon } from "../ui/icons.js"
 * @typedef {{start: string | null, actions: string[], forbidden?: number | null, result?: ResultData | null}} ShownLine
 *   `forbidden`: the number of the first action that is ruled out; `result`: how players ended the game
 */

import { post } from "../net/api.js";
import { t } from "../net/language.js";
import { setting } from "../net/settings.js";
import { button, h } from "../ui/dom.js";
import { speak } from "../ui/speak.js";
import { Board } from "./board.js";
import { smallPiece } from "./pieces.js";
import { stackList } from "./stacks.js";

const PAUSE = 900;

export class LinePlayer {
  /** @type {MomentState[]} */
  #states = [];
  #moment = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  /** @type {ShownLine} */
  line = { start: null, actions: [] };

  /**
   * @param {DrawingData} drawing
   * @param {{game: string, options: OptionValues, title: string}} about
   */
  constructor(drawing, about) {
    this.drawing = drawing;
    this.about = about;
    this.board = new Board(drawing, { label: about.title, coordinates: setting("coordinates") });
    this.status = h("p", { class: "line-status" });
    this.bar = h("div", { class: "moments", role: "toolbar", "aria-label": t("moment.label") });
    this.list = h("ol", { class: "line-actions" });
    this.stacks = h("div", { class: "stacks" });
    this.note = h("p", { class: "line-note", hidden: true });
    this.element = h(
      "div",
      { class: `line-player ${drawing.view}` },
      h("div", { class: "line-board" }, this.board.element),
      h("div", { class: "line-side" }, this.status, this.bar, this.list, this.note, this.stacks),
    );
  }

  close() {
    clearInterval(this.#timer);
  }

  /**
   * Shows a line, at first at its start or at another moment.
   *
   * @param {ShownLine} line
   */
  async show(line, moment = 0) {
    this.#stop();
    this.line = line;
    const count = line.forbidden ? line.forbidden - 1 : line.actions.length;
    const asked = {
      game: this.about.game,
      options: this.about.options,
      start: line.start,
      actions: line.actions.slice(0, count),
    };
    const { states } = await post("lines/states", asked);
    if (this.line !== line) return;
    states[states.length - 1].result ??= line.result ?? null;
    this.#states = states;
    this.note.hidden = !line.forbidden;
    this.note.textContent = line.forbidden
      ? t("line.forbidden", { action: line.actions[count], number: line.forbidden })
      : "";
    this.#go(moment, true);
  }

  get #last() {
    return this.#states.length - 1;
  }

  /** @param {number} moment */
  #go(moment, isBack = moment < this.#moment) {
    this.#moment = moment;
    const state = this.#states[moment];
    this.board.show(state, { isBack });
    const look = this.drawing.looks[(state.result ? state.result.winner : state.mover) ?? ""];
    const text = state.result?.sentence ?? state.captions[0] ?? "";
    this.status.replaceChildren(...(look ? [smallPiece(look)] : []), h("span", {}, text));
    this.board.element.setAttribute(
      "aria-label",
      `${this.about.title}. ${text} ${state.pieces.map(({ label }) => label).join("; ")}`,
    );
    if (this.drawing.view === "isometric")
      stackList(
        this.stacks,
        this.drawing,
        state,
        this.board,
        () => {},
        (turn) => this.board.setTurn(turn),
      );
    this.#drawBar();
    this.#drawList();
  }

  /** @param {number} moment */
  #choose(moment) {
    this.#stop();
    this.#go(moment);
    speak(`${t("moment.after", { count: moment, all: this.#last })}. ${this.status.textContent}`);
  }

  #drawBar() {
    const [now, last] = [this.#moment, this.#last];
    const step = (/** @type {string} */ key, /** @type {Icon} */ sign, /** @type {number} */ to) =>
      button(t(key), () => this.#choose(to), { sign, look: "step", disabled: to < 0 || to > last || to === now });
    const focused = [...this.bar.children].findIndex((each) => each === document.activeElement);
    const toggle = button(t(this.#timer ? "line.stop" : "line.play"), () => this.#toggle(), { look: "quiet" });
    this.bar.replaceChildren(
      step("moment.first", "first", 0),
      step("moment.back", "back", now - 1),
      h("span", {}, t("moment.after", { count: now, all: last })),
      step("moment.on", "on", now + 1),
      step("line.last", "last", last),
      toggle,
    );
    const again = this.bar.children[focused];
    if (again instanceof HTMLButtonElement) (again.disabled ? toggle : again).focus();
  }

  #drawList() {
    const { actions, forbidden } = this.line;
    const hadFocus = this.list.contains(document.activeElement);
    this.list.replaceChildren(
      ...actions.map((action, i) => {
        const isLost = forbidden && i >= forbidden - 1;
        const left = h(
          "small",
          { "aria-label": t("line.left", { count: actions.length - i - 1 }) },
          String(actions.length - i - 1),
        );
        if (isLost) return h("li", {}, h("s", {}, action), left);
        const player = this.#states[i].mover;
        const look = this.drawing.looks[player];
        return h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: "plain",
              "aria-current": i + 1 === this.#moment ? "step" : null,
              click: () => this.#choose(i + 1),
            },
            look && smallPiece(look),
            h("span", {}, action),
            left,
          ),
        );
      }),
    );
    if (hadFocus) /** @type {HTMLButtonElement | null} */ (this.list.querySelector("button[aria-current]"))?.focus();
  }

  #toggle() {
    if (this.#timer) return this.#stop();
    const start = this.#moment >= this.#last ? 0 : this.#moment + 1;
    this.#timer = setInterval(() => (this.#moment < this.#last ? this.#go(this.#moment + 1) : this.#stop()), PAUSE);
    this.#go(Math.min(start, this.#last));
  }

  #stop() {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.#states.length) this.#drawBar();
  }
}
