/**
 * The position editor: clicks set pieces down and take them off, and tools set everything else that a position string
 * holds. The server writes the string and says what is wrong with it.
 *
 * @import { CellData, DrawingData, PlayerName, SetupData, SetupRequest } from "../../net/wire.d.ts"
 * @import { BoardPiece, OptionValues } from "../../types.d.ts"
 * @typedef {{game: string, options: OptionValues, drawing: DrawingData, players: PlayerName[],
 *   use: (position: string) => void}} About
 */

import { Board } from "../../board/board.js";
import { smallPiece } from "../../board/pieces.js";
import { post } from "../../net/api.js";
import { t } from "../../net/language.js";
import { button, drawn, h, s, sentenceOf } from "../../ui/dom.js";
import { EditorParts } from "./editor-parts.js";

const OFF = "";
const PART = "part:"; // before the name of a part that clicks set

export class Editor {
  #requests = 0;
  #isReady = false; // whether a position is on the board
  /** @type {BoardPiece[]} */
  pieces = [];
  /** @type {number[]} pieces in hand, by player */
  hands = [];
  /** @type {number[]} all pieces, by player */
  totals = [];

  /** @param {About} about */
  constructor(about) {
    this.about = about;
    this.chosen = about.players[0].player;
    this.parts = new EditorParts(about.players, () => this.#write());
    this.looks = h("fieldset", { class: "looks" });
    this.board = new Board(about.drawing, {
      choose: (cell) => this.#put(cell),
      label: t("editor.board"),
      describe: (cell, pieces) => this.#describe(cell, pieces),
    });
    this.text = h("input", {
      type: "text",
      class: "code",
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      maxlength: 400,
      input: () => this.#ask({}),
    });
    this.problem = h("p", { class: "problem", role: "status" });
    /** @type {HTMLSelectElement} */
    this.side = h(
      "select",
      { autocomplete: "off", change: () => this.#write() },
      about.players.map(({ player, name }) => h("option", { value: player }, name)),
    );
    this.inHand = about.drawing.has_hands ? about.players.map(({ name }, i) => this.#handField(name, i)) : [];
    this.done = h("button", { type: "submit", class: "main" }, t("editor.use"));
    /** @type {HTMLDialogElement} */
    this.dialog = h(
      "dialog",
      { class: "editor", "aria-labelledby": "editor-title", close: () => this.dialog.remove() },
      this.#form(),
    );
  }

  #form() {
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      if (this.done.disabled) return;
      this.dialog.close();
      this.about.use(this.text.value.trim());
    };
    return h(
      "form",
      { submit },
      h("h2", { id: "editor-title" }, t("editor.title")),
      h(
        "div",
        { class: "editor-parts" },
        h("div", { class: "board-place" }, this.board.element),
        h(
          "div",
          { class: "editor-tools" },
          this.looks,
          h("label", { class: "field" }, h("span", {}, t("editor.side")), this.side),
          this.inHand.length > 0 &&
            h(
              "div",
              { class: "fields" },
              this.inHand.map(({ label }) => label),
            ),
          this.parts.fields,
          h(
            "div",
            { class: "buttons" },
            button(t("editor.start"), () => this.show(null)),
            button(t("editor.empty"), () => this.#empty()),
          ),
        ),
      ),
      h("label", { class: "field" }, h("span", {}, t("editor.text")), this.text),
      this.problem,
      h(
        "div",
        { class: "buttons" },
        this.done,
        button(t("start.cancel"), () => this.dialog.close()),
      ),
    );
  }

  /**
   * Opens the editor with a position; null is the first one of the game.
   *
   * @param {string | null} position
   */
  async open(position) {
    document.body.append(this.dialog);
    this.dialog.showModal();
    const answer = await post("records/setup", this.#game()).catch(() => null);
    const first = answer?.state;
    this.parts.build(answer?.tools ?? []);
    this.#drawLooks();
    this.totals = this.about.players.map(({ player }) =>
      first ? count(first.pieces, player) + (first.hand_counts[player] ?? 0) : 0,
    );
    await this.show(position);
  }

  /** @param {string | null} position */
  async show(position) {
    await this.#ask({ position });
  }

  #game() {
    return { game: this.about.game, options: this.about.options };
  }

  // Tools ------------------------------------------------------------------------------------------------------------------

  /** Draws the tools for clicks on the board. */
  #drawLooks() {
    const { drawing, players } = this.about;
    const pieces = players.map(({ player }) => ({
      tool: player,
      name: drawing.looks[player].name,
      picture: smallPiece(drawing.looks[player]),
    }));
    const parts = this.parts.onBoard.map(({ name, title, mark }) => ({
      tool: PART + name,
      name: title,
      picture: mark && drawing.artwork.marks[mark] ? markPicture(drawing.artwork.marks[mark]) : null,
    }));
    const tools = [...pieces, ...parts, { tool: OFF, name: t("editor.off"), picture: null }];
    this.looks.replaceChildren(
      h("legend", {}, t("editor.piece")),
      ...tools.map(({ tool, name, picture }) =>
        h(
          "label",
          {},
          h("input", {
            type: "radio",
            name: "look",
            value: tool,
            checked: tool === this.chosen,
            change: () => (this.chosen = tool),
          }),
          h("span", {}, picture, name),
        ),
      ),
    );
  }

  /**
   * @param {string} name
   * @param {number} i
   */
  #handField(name, i) {
    /** @type {HTMLInputElement} */
    const input = h("input", {
      type: "number",
      min: 0,
      max: 99,
      inputmode: "numeric",
      value: 0,
      change: () => {
        this.hands[i] = Math.max(0, Math.min(99, Math.round(Number(input.value)) || 0));
        this.#write();
      },
    });
    return { input, label: h("label", { class: "field" }, h("span", {}, t("editor.hand", { player: name })), input) };
  }

  // Changing ---------------------------------------------------------------------------------------------------------------

  /**
   * Sets a piece down on a cell, or takes one off.
   *
   * @param {string} cell
   */
  #put(cell) {
    const { drawing } = this.about;
    if (!this.#isReady || !this.board.cell(cell).can_hold) return;
    if (this.chosen.startsWith(PART)) {
      this.parts.put(this.chosen.slice(PART.length), cell);
      this.#write();
      return;
    }
    const here = this.pieces.filter((piece) => piece.cell === cell);
    const top = here.at(-1);
    const canStack = drawing.view === "isometric";
    const isOff = this.chosen === OFF || (!canStack && top?.player === this.chosen);
    if (top && (isOff || !canStack)) this.#take(top);
    if (!isOff) this.#give(cell);
    this.#write();
  }

  /** @param {BoardPiece} piece */
  #take(piece) {
    this.pieces.splice(this.pieces.indexOf(piece), 1);
    this.parts.lose(piece);
    this.#adjust(piece.player, 1);
  }

  /** @param {string} cell */
  #give(cell) {
    this.pieces.push({ player: this.chosen, cell, level: this.pieces.filter((piece) => piece.cell === cell).length });
    this.#adjust(this.chosen, -1);
  }

  /**
   * Adds pieces that are taken off the board to the hand, up to the number of pieces of the player.
   *
   * @param {string} player
   * @param {number} by
   */
  #adjust(player, by) {
    const i = this.about.players.findIndex((each) => each.player === player);
    if (!this.about.drawing.has_hands) return;
    const most = this.totals[i] - count(this.pieces, player);
    this.hands[i] = Math.max(0, Math.min(this.hands[i] + by, most));
  }

  #empty() {
    this.pieces = [];
    this.parts.clear();
    if (this.about.drawing.has_hands) this.hands = [...this.totals];
    this.#write();
  }

  /** Requests the string of what is on the board. */
  #write() {
    this.#draw();
    const pieces = this.pieces.map(({ player, cell }) => ({ player, cell }));
    const hands = this.about.drawing.has_hands ? this.hands : null;
    return this.#ask({ pieces, side: this.side.value, hands, parts: this.parts.texts });
  }

  /** @param {Partial<SetupRequest>} what */
  async #ask(what) {
    const mine = ++this.#requests;
    const isTyped = !("pieces" in what) && !("position" in what);
    const body = { ...this.#game(), position: this.text.value.trim() || null, ...what };
    /** @type {Partial<SetupData>} */
    const answer = await post("records/setup", body).catch((error) => ({ problem: sentenceOf(error) }));
    if (mine !== this.#requests) return;
    if (!isTyped) this.text.value = answer.position || (what.position ?? this.text.value);
    this.problem.textContent = answer.problem ?? "";
    this.done.disabled = Boolean(answer.problem);
    if (answer.parts && answer.state) this.parts.adopt(answer.parts);
    if (answer.state) this.#adopt(answer.state, answer.side ?? "");
  }

  /**
   * @param {NonNullable<SetupData["state"]>} state
   * @param {string} side
   */
  #adopt(state, side) {
    this.#isReady = true;
    this.pieces = state.pieces.map((piece) => ({ ...piece }));
    this.hands = this.about.players.map(({ player }) => state.hand_counts[player] ?? 0);
    this.side.value = side;
    this.#draw();
  }

  #draw() {
    const pieces = this.pieces.map((piece) => ({ ...piece, marks: this.parts.marksOf(piece) }));
    this.board.show({ pieces, marks: this.parts.cellMarks(), last: null }, { isBack: true });
    this.board.mark({ starts: this.about.drawing.cells.filter((cell) => cell.can_hold).map(({ name }) => name) });
    for (const [i, { input }] of this.inHand.entries()) input.value = String(this.hands[i] ?? 0);
  }

  /**
   * @param {CellData} cell
   * @param {BoardPiece[]} pieces
   */
  #describe(cell, pieces) {
    const { looks, marks } = this.about.drawing;
    const names = pieces
      .flatMap((piece) => [looks[piece.player].name, ...(piece.marks ?? []).map((mark) => marks[mark])])
      .join(", ");
    return `${cell.name}, ${names || (cell.can_hold ? t("cell.empty") : t(`cell.${cell.kind}`))}`;
  }
}

/**
 * @param {readonly BoardPiece[]} pieces
 * @param {string} player
 */
const count = (pieces, player) => pieces.filter((piece) => piece.player === player).length;

/**
 * Makes the small picture of a mark.
 *
 * @param {string} drawing SVG
 */
const markPicture = (drawing) =>
  s("svg", { viewBox: "-.5 -.5 1 1", class: "small-piece", "aria-hidden": "true" }, drawn(drawing));
