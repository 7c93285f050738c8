/**
 * The rules of a game, with boards that can be played on.
 *
 * @import { ActionData, PictureBlock, PlayState, RulePage, TableBlock, TextBlock, TextSpan } from "../../net/wire.d.ts"
 * @import { Line, OpenPage } from "../../types.d.ts"
 */

import { smallPiece } from "../../board/pieces.js";
import { PlayBoard } from "../../board/play-board.js";
import { get, post } from "../../net/api.js";
import { t } from "../../net/language.js";
import { button, h, sentenceOf, styles } from "../../ui/dom.js";
import { play as sound } from "../../ui/sound.js";
import { speak } from "../../ui/speak.js";

/** @type {OpenPage} */
export async function open(page, { argument: name }) {
  const [rules] = await Promise.all([get(`games/${encodeURIComponent(name)}/rules`), styles("learn")]);
  document.title = `${t("rules.title", { game: rules.title })} · damier`;
  /** @type {RuleBoard[]} */
  const boards = [];
  let rulings = 0;
  const made = rules.blocks.map((block) => {
    if (block.kind === "table") return table(block);
    if (block.kind !== "picture") return textBlock(block, block.kind === "ruling" ? ++rulings : 0);
    const board = new RuleBoard(name, rules.title, block, boards.length + 1);
    boards.push(board);
    return board.element;
  });
  page.className = "rules";
  page.replaceChildren(
    contents(name, rules),
    h("article", { class: "rule-page" }, h("h1", {}, rules.title), h("p", { class: "soft" }, t("rules.try")), made),
  );
  if (location.hash) reach(decodeURIComponent(location.hash.slice(1)));
  return () => boards.forEach((board) => board.close());
}

// Text -----------------------------------------------------------------------------------------------------------------

/** @param {TextSpan[]} line */
const words = (line) => line.map(({ text, style }) => (style === "plain" ? text : h(style, {}, text)));
/** @param {TextSpan[]} line */
const plain = (line) => line.map(({ text }) => text).join("");

/**
 * @param {TextBlock} block
 * @param {number} number of a ruling
 */
function textBlock(block, number) {
  const { kind, id, level, lines } = block;
  if (kind === "ruling") return ruling(block, number);
  if (kind === "paragraph") return h("p", {}, words(lines[0]));
  const rows = lines.map((line) => h("li", {}, words(line)));
  if (kind === "list") return h("ul", {}, rows);
  if (kind === "numbers") return h("ol", {}, rows);
  const tag = /** @type {"h2"} */ (`h${level}`);
  return h(tag, { id, tabindex: "-1" }, words(lines[0]), here(id, plain(lines[0])));
}

/**
 * Makes a ruling: a decision where the sheet is silent, with its reason.
 *
 * @param {TextBlock} block
 * @param {number} number
 */
function ruling({ id, lines }, number) {
  const [first, ...others] = lines;
  const name = t("rules.ruling", { number });
  return h(
    "aside",
    { class: "ruling", id, tabindex: "-1", "aria-label": name },
    h("p", { class: "ruling-name" }, name, here(id, name)),
    [first.slice(1), ...others].map((line) => h("p", {}, words(line))),
  );
}

/**
 * Makes a table, which scrolls by itself where it is wider than the page.
 *
 * @param {TableBlock} block
 */
function table({ rows: [head, ...rows] }) {
  return h(
    "div",
    { class: "wide", tabindex: "0", role: "group", "aria-label": head.map(plain).join(", ") },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          head.map((cell) => h("th", { scope: "col" }, words(cell))),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h(
            "tr",
            {},
            row.map((cell) => h("td", {}, words(cell))),
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {string} id
 * @param {string} what
 */
const here = (id, what) =>
  h("a", { class: "here", href: `#${id}`, click: jump, "aria-label": t("rules.here", { what }) }, "#");

// Finding one's way ------------------------------------------------------------------------------------------------------

/**
 * @param {string} name
 * @param {RulePage} rules
 */
function contents(name, { blocks }) {
  const link = (/** @type {string} */ id, /** @type {string} */ text, look = "") =>
    h("li", { class: look }, h("a", { href: `#${id}`, click: jump }, text));
  const headings = blocks.flatMap((block) => (block.kind === "heading" ? [block] : []));
  const rulings = blocks.filter(({ kind }) => kind === "ruling");
  return h(
    "nav",
    { class: "contents", "aria-label": t("rules.contents") },
    h(
      "details",
      { open: matchMedia("(min-width: 900px)").matches },
      h("summary", {}, t("rules.contents")),
      h(
        "ul",
        {},
        headings.map(({ id, level, lines }) => link(id, plain(lines[0]), `level-${level}`)),
      ),
      h("h2", {}, t("rules.rulings")),
      h("p", { class: "soft" }, t("rules.rulings.about")),
      h(
        "ol",
        { class: "ruling-links" },
        rulings.map(({ id }, i) =>
          h(
            "li",
            {},
            h("a", { href: `#${id}`, click: jump, "aria-label": t("rules.ruling", { number: i + 1 }) }, String(i + 1)),
          ),
        ),
      ),
      h(
        "p",
        { class: "more" },
        h("a", { href: `/learn/${name}` }, t("nav.learn")),
        h("a", { href: `/puzzles/${name}` }, t("learn.puzzles")),
      ),
    ),
  );
}

/**
 * Goes to a place of this page, and puts it into the address.
 *
 * @param {Event & {currentTarget: HTMLAnchorElement}} event
 */
function jump(event) {
  event.preventDefault();
  const hash = event.currentTarget.getAttribute("href") ?? "";
  history.replaceState(null, "", hash);
  reach(hash.slice(1));
}

/** @param {string} id */
function reach(id) {
  const place = document.getElementById(id);
  place?.scrollIntoView();
  place?.focus({ preventScroll: true });
}

// Boards ---------------------------------------------------------------------------------------------------------------

/** A picture of the page as a board to play on. */
class RuleBoard {
  /** @type {string[]} */
  actions = [];

  /**
   * @param {string} game
   * @param {string} title
   * @param {PictureBlock} block
   * @param {number} number
   */
  constructor(game, title, block, number) {
    this.game = game;
    this.block = block;
    this.state = block.state;
    this.board = new PlayBoard(block.drawing, {
      title: `${title}, ${t("rules.picture", { number })}`,
      of: { game, options: block.options },
      play: (action) => this.play(action),
      why: (what) => post("lines/why", { ...this.line(), ...what }),
      refuse: () => this.board.say(this.state.captions[0]),
      more: () =>
        this.actions.length ? [button(t("rules.reset"), () => this.reset(), { sign: "again", look: "reset" })] : [],
    });
    this.status = h("p", { class: "rule-status" });
    /** @type {HTMLElement} */
    this.element = h(
      "figure",
      {
        id: block.id,
        class: `rule-board ${block.drawing.view}`,
        focusin: () => this.element.classList.remove("untouched"),
      },
      this.board.place,
      h("figcaption", {}, h("p", {}, block.alt), this.status, this.board.under),
    );
    this.begin();
  }

  close() {
    this.board.close();
  }

  /** @returns {Line} */
  line() {
    return { game: this.game, options: this.block.options, start: this.block.start, actions: this.actions };
  }

  begin() {
    this.actions = [];
    this.draw(this.block.state, true);
    this.point();
    this.element.classList.add("untouched");
  }

  /** Shows the actions of the picture: where they begin alike by picking that, else by rings. */
  point() {
    const cells = this.block.state.actions
      .filter(({ action }) => this.block.actions.includes(action))
      .map((each) => each.cells);
    const isAlike = (/** @type {string} */ cell, /** @type {number} */ i) =>
      cells.every((each) => each[i] === cell && each.length > i + 1);
    const different = cells.length ? cells[0].findIndex((cell, i) => !isAlike(cell, i)) : 0;
    if (different > 0) this.board.picked = cells[0].slice(0, different);
    else this.board.hint = cells.flat();
    this.board.draw();
  }

  /** @param {PlayState} state */
  draw(state, isBack = false) {
    this.state = state;
    this.board.show(state, { canAct: !state.result, isBack });
    const look = this.block.drawing.looks[(state.result ? state.result.winner : state.mover) ?? ""];
    this.status.classList.toggle("over", Boolean(state.result));
    this.status.replaceChildren(...(look ? [smallPiece(look)] : []), h("span", {}, state.captions.join(" · ")));
  }

  reset() {
    this.begin();
    this.board.board.focus();
    speak(t("rules.reset.done"));
  }

  /** @param {ActionData} action */
  async play(action) {
    const before = this.state;
    this.board.pend(action);
    try {
      const state = await post("lines/state", { ...this.line(), actions: [...this.actions, action.action] });
      this.actions.push(action.action);
      this.draw(state);
      sound(state.pieces.length < before.pieces.length ? "burst" : "set");
      speak(state.captions.join(". "));
    } catch (error) {
      this.draw(before, true);
      this.board.say(sentenceOf(error));
    }
  }
}
