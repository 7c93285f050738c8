/**
 * A board to play on: clicks narrow the legal actions of the state, actions without cells are buttons, and an action can
 * be typed. What is chosen goes to `play`; what fits no action is asked about with `why`. What an action would do is
 * shown under pointer and focus; before one that cannot be undone the board asks. In a match, what ends a turn may wait
 * for a confirmation (`held`), and cells may be chosen while others think (`ahead`). It knows no rules.
 *
 * @import { ActionData, ActionValues, Attempt, CellData, DrawingData, PreviewData, Refusal } from "../net/wire.d.ts"
 * @import { BoardMoment, BoardPiece, OptionValues } from "../types.d.ts"
 * @typedef {BoardMoment & {position?: string, actions?: ActionData[], mover?: string,
 *   hand_counts?: Record<string, number>}} Shown
 * @import { Outcome } from "./choosing/narrowing.js"
 * @typedef {{title: string, of?: {game: string, options: OptionValues}, turn?: number, play: (action: ActionData) => void,
 *   why: (attempt: Attempt) => Promise<Partial<Refusal>>, refuse?: () => void, tap?: (cell: string) => boolean,
 *   confirms?: boolean, plans?: () => boolean, more?: () => Node[]}} About `of`: what is played, for previews; `confirms`:
 *   whether the visitor may have turns confirmed; `plans`: whether one may choose in advance now; `refuse`: nothing can be chosen now; `tap` returns true if it has handled a click itself;
 *   `more` stands under the board
 */

import { t } from "../net/language.js";
import { onChange, setting } from "../net/settings.js";
import { button, h, sentenceOf } from "../ui/dom.js";
import { play as sound } from "../ui/sound.js";
import { speak } from "../ui/speak.js";
import { Board } from "./board.js";
import { clickAhead, meantBy } from "./choosing/ahead.js";
import { atFirst, buttons, complete, following, HAND, pick } from "./choosing/narrowing.js";
import { smallPiece } from "./pieces.js";
import { stackList } from "./stacks.js";
import { chips, valuesOnCells } from "./marks/value-chips.js";
import { PreviewBubble } from "./choosing/preview-bubble.js";
import { Previews } from "./choosing/previews.js";
import { turnsAt } from "./marks/trails.js";

const MESSAGE_TIME = 7000;
let boards = 0;

export class PlayBoard {
  /** @type {Shown} */
  state = { pieces: [] };
  /** @type {string[]} */
  picked = [];
  /** @type {ActionData[]} */
  choices = [];
  /** @type {string[]} */
  hint = [];
  /** @type {ActionValues | null} */
  values = null;
  canAct = false;
  /** @type {ActionData | null} the action that is drawn and waits for a confirmation */
  held = null;
  /** @type {string[]} the cells that are chosen in advance */
  ahead = [];
  /** @type {{action: ActionData, cell: string} | null} the action that the board asks about, and where it was chosen */
  asked = null;
  /** @type {ActionData | undefined} what pointer or focus point at */
  #aimed;

  /**
   * @param {DrawingData} drawing
   * @param {About} about
   */
  constructor(drawing, about) {
    this.drawing = drawing;
    this.about = about;
    this.board = new Board(drawing, {
      choose: (cell) => this.choose(cell),
      label: t("board.label", { game: about.title }),
      describe: (cell, pieces, marks) => this.#describe(cell, pieces, marks),
      coordinates: setting("coordinates"),
      turn: about.turn ?? 0,
    });
    this.board.cancel = () => this.cancel();
    this.board.canDrag = (cell) =>
      this.canAct && (this.picked.at(-1) === cell || following(this.actions, [cell]).size > 0);
    this.board.onDrag = (cell) => this.#beginDrag(cell);
    this.board.onAim = (cell, isKey) => void this.#aim(cell, isKey);
    this.previews = new Previews(about.of);
    this.preview = new PreviewBubble(this.board);
    this.message = h("p", { role: "alert" });
    this.explained = h("a", { target: "_blank", hidden: true }, t("rules.link"));
    this.bubble = h("div", { class: "at-board", hidden: true }, this.message, this.explained);
    this.waits = h("p", { class: "unseen", id: `waits-${++boards}` });
    this.board.element.setAttribute("aria-describedby", this.waits.id);
    this.place = h(
      "div",
      {
        class: "board-place",
        pointerdown: () => this.canAct && void this.previews.load(this.state.position),
        keydown: (event) => event.key === "Escape" && this.asked && this.cancel(),
      },
      this.board.element,
      this.preview.element,
      this.bubble,
      this.waits,
    );
    this.place.addEventListener("keydown", (event) => this.#confirmByKey(event), true);
    this.under = h("div", {
      class: "under",
      keydown: ({ key }) => key === "Escape" && (this.held || this.ahead.length) && this.cancel(),
    });
    this.completions = h("datalist", { id: `actions-${boards}` });
    this.typed = this.#typeBox(this.completions.id);
    this.#endListening = onChange((name) => this.#changed(name));
  }

  #endListening;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** The legal actions, as far as they are known. */
  get actions() {
    return this.state.actions ?? [];
  }

  close() {
    clearTimeout(this.#timer);
    this.#endListening();
  }

  // Drawing ----------------------------------------------------------------------------------------------------------

  /**
   * Draws a state; with `canAct` its actions can be chosen.
   *
   * @param {Shown} state
   */
  show(state, { canAct = false, isBack = false } = {}) {
    const held = canAct && this.state.position === state.position ? this.held : null;
    this.held = null;
    this.state = state;
    this.canAct = canAct;
    this.choices = [];
    this.hint = [];
    this.values = null;
    this.#dropPreview();
    const actions = canAct ? this.actions : [];
    this.picked = atFirst(actions);
    const singles = actions.filter(({ cells }) => cells.length === 1).map(({ cells }) => cells[0]);
    this.board.show(state, { isBack, lit: new Set(singles) });
    this.waits.textContent = (state.waiting ?? []).map(({ label }) => label).join(" ");
    this.completions.replaceChildren(...actions.map(({ action }) => h("option", { value: action })));
    this.draw();
    const again = held && actions.find(({ action }) => action === held.action);
    if (again) this.#hold(again);
  }

  /** Draws what may be chosen. */
  draw() {
    const { actions } = this;
    if (this.asked || !this.canAct) this.board.mark({ hint: this.hint, ahead: this.ahead });
    else {
      const next = following(actions, this.picked);
      const first = following(actions, []);
      const fromHand = [...following(actions, [HAND]).keys()].filter((cell) => !first.has(cell));
      const isSingle = (/** @type {ActionData[]} */ through) => through.some(({ cells }) => cells.length === 1);
      const wholes = [...next].filter(([, through]) => isSingle(through)).map(([cell]) => cell);
      const singles = this.picked.length ? [] : [...wholes, ...fromHand];
      const targets = this.picked.length ? [...next.keys()] : [];
      const isChosen = this.picked.some((cell) => cell !== HAND);
      const halos = isChosen ? [] : [...first.keys()].filter((cell) => !singles.includes(cell) && this.#isTaken(cell));
      this.board.mark({ picked: this.picked, starts: first.keys(), halos, targets, singles, hint: this.hint });
    }
    this.#drawUnder();
    this.board.showValues(this.canAct && this.values ? this.#chips(this.values) : new Map());
  }

  /** @param {string} cell */
  #isTaken(cell) {
    return this.board.on(cell).length > 0;
  }

  /**
   * Returns the chips of what may be picked next; before the first pick also of pieces from the hand.
   *
   * @param {ActionValues} values
   */
  #chips(values) {
    const beside = (/** @type {string[]} */ picked) => valuesOnCells(this.actions, picked, values);
    const found = new Map([...(this.picked.length ? [] : beside([HAND])), ...beside(this.picked)]);
    return chips(found, (cell) => this.board.chipPlace(cell, this.hint.includes(cell)), this.drawing.width);
  }

  /** Under the board: the hand, buttons for actions without cells, choices, and what the page adds. */
  #drawUnder() {
    const { actions } = this;
    /** @type {Node[]} */
    const shown = [];
    if (this.canAct && following(actions, []).has(HAND)) shown.push(this.#tray());
    const finishing = this.picked.length && !this.asked ? complete(actions, this.picked) : [];
    const asked = this.choices.length ? this.choices : this.canAct ? [...buttons(actions), ...finishing] : [];
    if (this.choices.length) shown.push(h("p", {}, t("choose.which")));
    shown.push(
      ...asked.map((action) => button(action.name ?? action.action, () => this.#send(action), { look: "main" })),
    );
    if (this.held) shown.push(...this.#heldBox(this.held));
    else if (this.ahead.length) shown.push(...this.#aheadBox());
    if (!this.asked && (this.choices.length || this.picked.some((cell) => cell !== HAND)))
      shown.push(button(t("choose.cancel"), () => this.cancel(), { look: "quiet" }));
    const hadFocus = this.under.contains(document.activeElement);
    this.under.replaceChildren(...shown, ...(this.about.more?.() ?? []));
    if (hadFocus) this.board.focus();
  }

  #tray() {
    const mover = this.state.mover ?? "";
    const isPicked = this.picked[0] === HAND;
    const count = this.state.hand_counts?.[mover] ?? 0;
    return h(
      "button",
      {
        type: "button",
        class: `tray${isPicked ? " picked" : ""}`,
        "aria-pressed": String(isPicked),
        click: () => this.choose(HAND),
      },
      h("span", {}, t("hand.bring")),
      Array.from({ length: Math.min(count, 8) }, () => smallPiece(this.drawing.looks[mover])),
    );
  }

  /**
   * Describes a cell for screen readers.
   *
   * @param {CellData} cell
   * @param {BoardPiece[]} pieces
   * @param {string[]} marks
   */
  #describe(cell, pieces, marks) {
    const special = [...marks.map((mark) => this.drawing.marks[mark] ?? mark), ...this.#lastTurns(cell.name)];
    if (pieces.length > 1) {
      const names = pieces.map(({ player }) => this.drawing.looks[player].name).join(", ");
      return [cell.name, t("cell.stack", { count: pieces.length, pieces: names }), ...special].join(", ");
    }
    const what = cell.can_hold ? t("cell.empty") : t(`cell.${cell.kind}`);
    return [pieces[0]?.label ?? `${cell.name}, ${what}`, ...special].join(", ");
  }

  /**
   * Says what the last turns did on a cell.
   *
   * @param {string} cell
   */
  #lastTurns(cell) {
    return turnsAt(this.state.last_turns ?? [], cell).map(({ player, origin, target }) => {
      const piece = this.drawing.looks[player]?.name ?? player;
      if (target === undefined) return t("cell.last.changed", { piece });
      if (!origin) return t("cell.last.set", { piece });
      return t("cell.last.moved", { piece, from: origin, to: target });
    });
  }

  /**
   * Lists the stacks of a state, with a button that turns the board, if it is seen at an angle.
   *
   * @param {HTMLElement} place
   * @param {BoardMoment} state
   */
  listStacks(place, state) {
    if (this.drawing.view !== "isometric") return;
    const choose = (/** @type {string} */ cell) => this.choose(cell);
    stackList(place, this.drawing, state, this.board, choose, (turn) => this.setTurn(turn));
  }

  /** @param {number} turn in quarter turns */
  setTurn(turn) {
    this.board.setTurn(turn);
    this.draw();
  }

  /** @param {string} name */
  #changed(name) {
    if (name !== "coordinates") return;
    this.board.setCoordinates(setting("coordinates"));
    this.draw();
  }

  /**
   * Shows a sentence at the board, with the address of the rule that it names; an empty one removes it.
   *
   * @param {string} text
   */
  say(text, isLasting = false, rules = "") {
    clearTimeout(this.#timer);
    this.message.textContent = text;
    this.explained.hidden = !rules;
    this.explained.setAttribute("href", rules);
    this.bubble.hidden = !text;
    if (text && !isLasting) this.#timer = setTimeout(() => this.#fade(), MESSAGE_TIME);
  }

  /** Takes the sentence away, unless its link has the focus. */
  #fade() {
    if (document.activeElement === this.explained) this.#timer = setTimeout(() => this.#fade(), MESSAGE_TIME);
    else this.say("");
  }

  // Choosing ---------------------------------------------------------------------------------------------------------

  /** @param {string} cell */
  choose(cell) {
    if (this.about.tap?.(cell)) return;
    if (this.held) {
      if (this.held.cells.at(-1) === cell) this.#sendHeld();
      else this.cancel();
      return;
    }
    if (!this.canAct && this.about.plans?.()) {
      this.#plan(cell);
      return;
    }
    if (!this.canAct) {
      this.about.refuse?.();
      return;
    }
    if (this.asked?.cell === cell) {
      this.#confirm();
      return;
    }
    if (this.asked) this.picked = atFirst(this.actions);
    this.#dropPreview();
    this.say("");
    const outcome = pick(this.actions, this.picked, cell);
    this.picked = outcome.picked;
    this.choices = outcome.choices ?? [];
    this.hint = [];
    if (outcome.play || outcome.choices?.length === 1) {
      this.#weigh(outcome, cell);
      return;
    }
    this.draw();
    if (outcome.misfit) this.explain({ cells: outcome.misfit });
    else if (this.picked.length)
      speak(t("said.picked", { cells: this.picked.filter((each) => each !== HAND).join(" ") || t("hand.title") }));
  }

  /**
   * Plays the action of a click, or asks first if it cannot be undone; what is not known about it is awaited.
   *
   * @param {Outcome} outcome
   * @param {string} cell
   */
  async #weigh({ play, choices = [] }, cell) {
    const action = play ?? choices[0];
    const { state } = this;
    const known = setting("asks") ? this.previews.known(state.position) : {};
    const table = known ?? (await this.#awaited(this.previews.load(state.position)));
    if (this.state.position !== state.position || !this.canAct) return;
    const preview = table[action.action];
    if (preview?.is_irreversible) this.#ask(action, cell, preview);
    else if (play) this.#send(play);
    else this.draw();
  }

  /**
   * Marks the board as busy until something is known.
   *
   * @template T
   * @param {Promise<T>} coming
   */
  async #awaited(coming) {
    this.place.setAttribute("aria-busy", "true");
    const found = await coming;
    this.place.removeAttribute("aria-busy");
    return found;
  }

  /**
   * Asks about an action, with what it would do.
   *
   * @param {ActionData} action
   * @param {string} cell
   * @param {PreviewData} preview
   */
  #ask(action, cell, preview) {
    this.asked = { action, cell };
    this.picked = action.cells;
    this.choices = [];
    this.draw();
    const name = action.name ?? action.action;
    this.preview.show(preview, this.state.mover ?? "", cell, [
      button(name, () => this.#confirm(), { look: "main" }),
      button(t("ask.no"), () => this.cancel()),
    ]);
    speak([preview.sentence, t("ask.said", { action: name })].join(" "));
  }

  #confirm() {
    const action = this.asked?.action;
    const hadFocus = this.preview.element.contains(document.activeElement);
    this.#dropPreview();
    if (action) this.about.play(action);
    if (hadFocus) this.board.focus();
  }

  /**
   * Shows what a click on a cell would do.
   *
   * @param {string | undefined} cell
   * @param {boolean} isKey whether the keyboard came to the cell
   */
  async #aim(cell, isKey) {
    if (this.asked) return;
    const outcome = cell && this.canAct ? pick(this.actions, this.picked, cell) : undefined;
    const action = outcome?.play ?? (outcome?.choices?.length === 1 ? outcome.choices[0] : undefined);
    this.#aimed = action;
    this.preview.hide();
    if (!cell || !action) return;
    const { state, picked } = this;
    const preview = (await this.previews.load(state.position))[action.action];
    if (!preview || this.#aimed !== action || this.state !== state || this.picked !== picked || !this.canAct) return;
    this.preview.show(preview, state.mover ?? "", cell);
    if (isKey && preview.sentence) speak(preview.sentence);
  }

  #dropPreview() {
    this.asked = null;
    this.#aimed = undefined;
    this.preview.hide();
  }

  cancel() {
    if (this.ahead.length) speak(t("ahead.gone"));
    this.ahead = [];
    if (this.held) {
      this.held = null;
      this.show(this.state, { canAct: true, isBack: true });
      return;
    }
    const hadFocus = this.preview.element.contains(document.activeElement);
    this.#dropPreview();
    this.picked = this.canAct ? atFirst(this.actions) : [];
    this.choices = [];
    this.say("");
    this.draw();
    if (hadFocus) this.board.focus();
  }

  /** @param {string} cell */
  #beginDrag(cell) {
    if (this.picked.at(-1) === cell) return;
    this.#dropPreview();
    this.picked = [cell];
    this.choices = [];
    this.draw();
  }

  /**
   * Plays an action by its text.
   *
   * @param {string} action
   */
  type(action) {
    const found = this.actions.find((each) => each.action === action);
    if (!this.canAct) this.about.refuse?.();
    else if (found) this.#send(found);
    else this.explain({ action });
  }

  // Confirming -------------------------------------------------------------------------------------------------------

  /**
   * Plays an action; if it ends the turn and the visitor wants to confirm that, it is drawn and waits.
   *
   * @param {ActionData} action
   */
  async #send(action) {
    if (!this.about.confirms || !setting("confirm")) {
      this.about.play(action);
      return;
    }
    const { position } = this.state;
    const table = this.previews.known(position) ?? (await this.#awaited(this.previews.load(position)));
    if (this.state.position !== position || !this.canAct) return;
    if (table[action.action]?.ends_turn === false) this.about.play(action);
    else this.#hold(action);
  }

  /** @param {ActionData} action */
  #hold(action) {
    this.held = action;
    this.pend(action);
    speak(t("confirm.said", { action: action.name ?? action.action }));
    if (this.typed.contains(document.activeElement)) this.board.focus();
  }

  #sendHeld() {
    const action = this.held;
    this.held = null;
    if (action) this.about.play(action);
  }

  /** @param {KeyboardEvent} event */
  #confirmByKey(event) {
    if (!this.held || event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    this.#sendHeld();
  }

  /** @param {ActionData} action */
  #heldBox({ action, name }) {
    return [
      h("p", {}, t("confirm.ask")),
      button(t("confirm.yes", { action: name ?? action }), () => this.#sendHeld(), { look: "main" }),
      button(t("confirm.no"), () => this.cancel()),
    ];
  }

  // Choosing in advance ----------------------------------------------------------------------------------------------

  /** @param {string} cell */
  #plan(cell) {
    this.say("");
    this.ahead = clickAhead(this.ahead, cell);
    this.draw();
    speak(this.ahead.length ? t("ahead.said", { cells: this.ahead.join(" ") }) : t("ahead.gone"));
  }

  #aheadBox() {
    return [
      h("p", {}, t("ahead.shown", { cells: this.ahead.join(" ") })),
      button(t("ahead.remove"), () => this.cancel(), { look: "quiet" }),
    ];
  }

  /**
   * Forgets what is chosen in advance, and says why if there was anything.
   *
   * @param {string} why
   */
  dropAhead(why) {
    if (!this.ahead.length) return;
    this.ahead = [];
    this.draw();
    this.say(why);
  }

  /** Plays what was chosen in advance, or drops it; an action that cannot be undone is asked about. */
  async useAhead() {
    const { state, ahead } = this;
    const dropped = t("ahead.dropped", { cells: ahead.join(" ") });
    const found = meantBy(this.actions, ahead);
    if (!found) return this.dropAhead(dropped);
    if ("picked" in found) {
      this.ahead = [];
      this.picked = found.picked;
      this.draw();
      return;
    }
    const { action, rest } = found;
    if (rest.length || setting("asks")) {
      const preview = (await this.previews.load(state.position))[action.action];
      if (this.state !== state || this.ahead !== ahead || !this.canAct) return;
      if (rest.length && preview?.ends_turn !== false) return this.dropAhead(dropped); // not what was meant
      if (setting("asks") && preview?.is_irreversible) {
        this.ahead = [];
        this.#ask(action, action.cells.at(-1) ?? "", preview);
        return;
      }
    }
    this.ahead = rest;
    this.about.play(action);
  }

  /** @param {Attempt} attempt that fits no action */
  async explain(attempt) {
    sound("no");
    try {
      const { sentence = "", rules } = await this.about.why(attempt);
      this.say(sentence, false, rules ?? "");
    } catch (error) {
      this.say(sentenceOf(error));
    }
  }

  /**
   * Draws an action that has been chosen and is not confirmed yet; nothing can be chosen until it is.
   *
   * @param {Pick<ActionData, "cells">} action
   */
  pend(action) {
    this.canAct = false;
    this.picked = [];
    this.choices = [];
    this.#dropPreview();
    this.board.showPending(action.cells, this.state.mover ?? "");
    this.draw();
  }

  /**
   * Points at the cells of an action.
   *
   * @param {string} action
   */
  point(action) {
    this.hint = this.actions.find((each) => each.action === action)?.cells ?? [];
    this.draw();
  }

  /** @param {ActionValues | null} values */
  showValues(values) {
    this.values = values;
    this.draw();
  }

  /** @param {string} id of the list of actions */
  #typeBox(id) {
    const input = h("input", {
      type: "text",
      list: id,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      placeholder: t("type.place", { action: this.drawing.example }),
    });
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const action = input.value.trim();
      if (action) this.type(action);
      input.value = "";
    };
    return h(
      "form",
      { class: "typed", submit },
      h("label", { class: "field" }, h("span", {}, t("type.label")), input),
      h("button", { type: "submit" }, t("type.go")),
      this.completions,
    );
  }
}
