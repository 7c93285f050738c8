/**
 * Tools of the position editor for what is neither a piece, nor a hand, nor whose turn it is: characters, markers, a die.
 * Which parts a position has, and how each is chosen, the server says.
 *
 * @import { PartData, PlayerName } from "../../net/wire.d.ts"
 * @import { BoardPiece } from "../../types.d.ts"
 */

import { t } from "../../net/language.js";
import { h } from "../../ui/dom.js";

const NONE = "-";

export class EditorParts {
  /** @type {Record<string, string>} the text of each part, by name */
  texts = {};
  /** @type {PartData[]} */
  tools = [];
  /** @type {Map<string, () => void>} what draws the text of a part, by its name */
  #drawers = new Map();

  /**
   * @param {readonly PlayerName[]} players
   * @param {() => void} changed
   */
  constructor(players, changed) {
    this.players = players;
    this.changed = changed;
    this.fields = h("div", { class: "fields part-fields" });
  }

  /** The parts that are chosen on the board. */
  get onBoard() {
    return this.tools.filter(({ kind }) => kind === "cell" || kind === "pair");
  }

  /**
   * Makes the fields of the parts that are not chosen on the board.
   *
   * @param {PartData[]} tools
   */
  build(tools) {
    this.tools = tools;
    const choices = tools.filter(({ kind }) => kind === "choice").map((part) => this.#choice(part));
    const orders = tools.filter(({ kind }) => kind === "players").map((part) => this.#order(part));
    this.fields.replaceChildren(...choices, ...orders);
  }

  /** @param {Record<string, string>} texts */
  adopt(texts) {
    this.texts = { ...texts };
    this.draw();
  }

  draw() {
    for (const drawer of this.#drawers.values()) drawer();
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  #set(name, text) {
    this.texts[name] = text;
    this.draw();
    this.changed();
  }

  /** @param {PartData} part */
  #choice({ name, title, choices }) {
    /** @type {HTMLSelectElement} */
    const select = h(
      "select",
      { autocomplete: "off", "data-part": name, change: () => this.#set(name, select.value) },
      Object.entries(choices).map(([text, said]) => h("option", { value: text }, said)),
    );
    this.#drawers.set(name, () => (select.value = this.texts[name]));
    return h("label", { class: "field" }, h("span", {}, title), select);
  }

  /**
   * Makes a button for each player; the order in which they are pressed counts.
   *
   * @param {PartData} part
   */
  #order({ name, title }) {
    const chosen = () => listOf(this.texts[name]);
    const buttons = this.players.map((each) => {
      const click = () => {
        const others = chosen().filter((player) => player !== each.player);
        const isIn = others.length < chosen().length;
        this.#set(name, textOf(isIn ? others : [...others, each.player]));
      };
      return { ...each, button: h("button", { type: "button", "data-part": name, click }) };
    });
    this.#drawers.set(name, () => {
      for (const { player, name: called, button } of buttons) {
        const place = chosen().indexOf(player);
        button.setAttribute("aria-pressed", String(place >= 0));
        button.textContent = place < 0 ? called : t("editor.order", { player: called, place: place + 1 });
      }
    });
    return h(
      "fieldset",
      { class: "order" },
      h("legend", {}, title),
      buttons.map(({ button }) => button),
    );
  }

  /**
   * Sets a part on the board: a click on the cell where it is takes it away, if it may be missing.
   *
   * @param {string} name
   * @param {string} cell
   */
  put(name, cell) {
    const part = this.tools.find((each) => each.name === name);
    if (!part) return;
    const here = listOf(this.texts[name]);
    if (part.kind === "cell") this.texts[name] = here.includes(cell) && part.can_be_none ? NONE : cell;
    else if (here.includes(cell)) this.texts[name] = textOf(here.filter((each) => each !== cell));
    else this.texts[name] = textOf(here.length < 2 ? [...here, cell] : [cell]);
  }

  /**
   * Takes away what stood on a piece that is taken off.
   *
   * @param {BoardPiece} piece
   */
  lose({ player, cell }) {
    for (const part of this.onBoard) {
      const isOurs = part.player === null || part.player === player;
      if (isOurs && part.can_be_none && listOf(this.texts[part.name]).includes(cell)) this.texts[part.name] = NONE;
    }
  }

  /** Takes away all that may be missing on the board. */
  clear() {
    for (const part of this.onBoard) if (part.can_be_none) this.texts[part.name] = NONE;
  }

  /**
   * Returns the marks of a piece.
   *
   * @param {BoardPiece} piece
   */
  marksOf({ player, cell }) {
    return this.onBoard
      .filter((part) => part.kind === "cell" && part.player === player && this.texts[part.name] === cell)
      .flatMap(({ mark }) => mark ?? []);
  }

  /** Returns the marks of cells. */
  cellMarks() {
    /** @type {Record<string, string[]>} */
    const found = {};
    for (const { kind, name, mark } of this.onBoard)
      if (kind === "pair" && mark) for (const cell of listOf(this.texts[name])) found[cell] = [mark];
    return found;
  }
}

/** @param {string | undefined} text */
const listOf = (text) => (!text || text === NONE ? [] : text.split(","));

/** @param {readonly string[]} list */
const textOf = (list) => list.join(",") || NONE;
