/**
 * A board on which one plays: clicks narrow the actions that the state allows, those without cells are buttons, and one
 * may type. What is chosen goes to `play`; what fits nothing is asked about with `why`. It knows no rules.
 */

import { t, tOr } from "../net/language.js";
import { onChange, setting } from "../net/settings.js";
import { button, h } from "../ui/dom.js";
import { handCount } from "../ui/seats.js";
import { play as sound } from "../ui/sound.js";
import { speak } from "../ui/speak.js";
import { onCells } from "../ui/values.js";
import { Board } from "./board.js";
import { atFirst, buttons, complete, following, HAND, pick } from "./narrowing.js";
import { smallPiece } from "./pieces.js";

const MESSAGE_TIME = 7000;
let boards = 0;

const SIGNS = [
  [/^\*(\w+)$/, "action.star"],
  [/>\?$/, "action.question"],
];

/** What one calls an action on a button. */
export function actionName(action) {
  const [sign, key] = SIGNS.find(([pattern]) => pattern.test(action)) ?? [];
  return key ? t(key, { cell: sign.exec(action)[1] ?? "" }) : tOr(`action.${action}`, action);
}

export class PlayBoard {
  state = { pieces: [], marks: {}, actions: [], captions: [] };
  picked = [];
  choices = [];
  hint = [];
  values = null;
  canAct = false;

  /**
   * @param {{title: string, turn?: number, play: (action) => void, why: (what) => Promise<{sentence: string, rules?: string}>,
   *   refuse?: () => void, tap?: (cell: string) => boolean, more?: () => Node[]}} about
   *   `refuse` when nothing can be chosen now, `tap` may take a click for itself, `more` stands under the board
   */
  constructor(drawing, about) {
    Object.assign(this, { drawing, about });
    this.board = new Board(drawing, {
      choose: (cell) => this.choose(cell),
      label: t("board.label", { game: about.title }),
      describe: (cell, pieces, marks) => this.#describe(cell, pieces, marks),
      coordinates: setting("coordinates"),
      turn: about.turn ?? 0,
    });
    this.board.cancel = () => this.cancel();
    this.board.canDrag = (cell) =>
      this.canAct && (this.picked.at(-1) === cell || following(this.state.actions, [cell]).size > 0);
    this.board.onDrag = (cell) => this.#beginDrag(cell);
    this.message = h("p", { role: "alert" });
    this.explained = h("a", { target: "_blank", hidden: true }, t("rules.link"));
    this.bubble = h("div", { class: "at-board", hidden: true }, this.message, this.explained);
    this.place = h("div", { class: "board-place" }, this.board.element, this.bubble);
    this.under = h("div", { class: "under" });
    this.typed = this.#typeBox();
    this.#endListening = onChange((name) => this.#changed(name));
  }

  #endListening;
  #timer;

  close() {
    clearTimeout(this.#timer);
    this.#endListening();
  }

  // Drawing ----------------------------------------------------------------------------------------------------------

  /** Draws a state; with `canAct` its actions can be chosen. */
  show(state, { canAct = false, isBack = false } = {}) {
    Object.assign(this, { state, canAct, choices: [], hint: [], values: null });
    this.picked = canAct ? atFirst(state.actions) : [];
    const singles = canAct ? state.actions.filter(({ cells }) => cells.length === 1).map(({ cells }) => cells[0]) : [];
    this.board.show(state, { isBack, lit: new Set(singles) });
    this.completions.replaceChildren(
      ...(canAct ? state.actions : []).map(({ action }) => h("option", { value: action })),
    );
    this.draw();
  }

  /** Draws what may be chosen. */
  draw() {
    const { actions } = this.state;
    if (!this.canAct) this.board.mark({ hint: this.hint });
    else {
      const next = following(actions, this.picked);
      const first = following(actions, []);
      const fromHand = [...following(actions, [HAND]).keys()].filter((cell) => !first.has(cell));
      const isSingle = ([, through]) => through.some(({ cells }) => cells.length === 1);
      const singles = this.picked.length ? [] : [...[...next].filter(isSingle).map(([cell]) => cell), ...fromHand];
      const targets = this.picked.length ? [...next.keys()] : [];
      this.board.mark({ picked: this.picked, starts: first.keys(), targets, singles, hint: this.hint });
    }
    this.#drawUnder();
    this.board.showValues(this.canAct && this.values ? this.#valuesOnCells() : new Map());
  }

  /** The values of what may be picked next; as long as nothing is, also of bringing in a piece from the hand. */
  #valuesOnCells() {
    const isNarrow = (cell) => this.drawing.view !== "flat" || this.board.on(cell).length > 0;
    const beside = (picked) => onCells(this.state.actions, picked, this.values, isNarrow);
    return new Map([...(this.picked.length ? [] : beside([HAND])), ...beside(this.picked)]);
  }

  /** Under the board: the hand, buttons for actions without cells, choices, and what the page adds. */
  #drawUnder() {
    const { actions } = this.state;
    const shown = [];
    if (this.canAct && following(actions, []).has(HAND)) shown.push(this.#tray());
    const finishing = this.picked.length ? complete(actions, this.picked) : [];
    const asked = this.choices.length ? this.choices : this.canAct ? [...buttons(actions), ...finishing] : [];
    if (this.choices.length) shown.push(h("p", {}, t("choose.which")));
    shown.push(
      ...asked.map((action) => button(actionName(action.action), () => this.about.play(action), { look: "main" })),
    );
    if (this.choices.length || this.picked.some((cell) => cell !== HAND))
      shown.push(button(t("choose.cancel"), () => this.cancel(), { look: "quiet" }));
    const hadFocus = this.under.contains(document.activeElement);
    this.under.replaceChildren(...shown, ...(this.about.more?.() ?? []));
    if (hadFocus) this.board.focus();
  }

  #tray() {
    const look = this.drawing.looks[this.state.mover];
    const isPicked = this.picked[0] === HAND;
    const count = handCount(this.state, this.state.mover);
    return h(
      "button",
      {
        type: "button",
        class: `tray${isPicked ? " picked" : ""}`,
        "aria-pressed": String(isPicked),
        click: () => this.choose(HAND),
      },
      h("span", {}, t("hand.bring")),
      Array.from({ length: Math.min(count, 8) }, () => smallPiece(look)),
    );
  }

  /** What one says of a cell. */
  #describe(cell, pieces, marks) {
    const special = marks.map((mark) => this.drawing.marks[mark] ?? mark);
    if (pieces.length > 1) {
      const names = pieces.map(({ player }) => this.drawing.looks[player].name).join(", ");
      return [cell.name, t("cell.stack", { count: pieces.length, pieces: names }), ...special].join(", ");
    }
    const what = cell.can_hold ? t("cell.empty") : t(`cell.${cell.kind}`);
    return [pieces[0]?.label ?? `${cell.name}, ${what}`, ...special].join(", ");
  }

  setTurn(turn) {
    this.board.setTurn(turn);
    this.draw();
  }

  #changed(name) {
    if (name !== "coordinates") return;
    this.board.setCoordinates(setting("coordinates"));
    this.draw();
  }

  /** A sentence at the board, with the address of the rule that it names; an empty one takes it away. */
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

  choose(cell) {
    if (this.about.tap?.(cell)) return;
    if (!this.canAct) return this.about.refuse?.();
    this.say("");
    const outcome = pick(this.state.actions, this.picked, cell);
    this.picked = outcome.picked;
    this.choices = outcome.choices ?? [];
    this.hint = [];
    if (outcome.play) return this.about.play(outcome.play);
    this.draw();
    if (outcome.misfit) this.explain({ cells: outcome.misfit });
    else if (this.picked.length)
      speak(t("said.picked", { cells: this.picked.filter((each) => each !== HAND).join(" ") || t("hand.title") }));
  }

  cancel() {
    this.picked = this.canAct ? atFirst(this.state.actions) : [];
    this.choices = [];
    this.say("");
    this.draw();
  }

  #beginDrag(cell) {
    if (this.picked.at(-1) === cell) return;
    this.picked = [cell];
    this.choices = [];
    this.draw();
  }

  /** Plays an action by its name. */
  type(action) {
    const found = this.state.actions.find((each) => each.action === action);
    if (!this.canAct) this.about.refuse?.();
    else if (found) this.about.play(found);
    else this.explain({ action });
  }

  async explain(what) {
    sound("no");
    const answer = await this.about.why(what).catch((error) => ({ sentence: error.message }));
    this.say(answer.sentence, false, answer.rules);
  }

  /** Draws an action that has been chosen and is not confirmed yet; nothing more can be chosen until then. */
  pend(action) {
    this.canAct = false;
    this.picked = [];
    this.choices = [];
    this.board.showPending(action.cells, this.state.mover);
    this.draw();
  }

  /** Points at the cells of an action. */
  point(action) {
    this.hint = this.state.actions.find((each) => each.action === action)?.cells ?? [];
    this.draw();
  }

  showValues(values) {
    this.values = values;
    this.draw();
  }

  #typeBox() {
    const id = `actions-${++boards}`;
    this.completions = h("datalist", { id });
    const input = h("input", {
      type: "text",
      list: id,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      placeholder: t("type.place", { action: this.drawing.example }),
    });
    const submit = (event) => {
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
