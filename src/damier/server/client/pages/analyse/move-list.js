/** The moves of a tree of variations as text to go about in; what has not changed keeps its elements. */

import { die } from "../../board/pieces.js";
import { t, tOr } from "../../net/language.js";
import { h } from "../../ui/dom.js";
import { paragraphs } from "./tree.js";

const DEEPEST = 4; // how far variations are set in
const MANY = 60; // paragraphs, above which only those in sight are laid out

/** @param {(node) => void} choose */
export class MoveList {
  #rows = new Map();
  #buttons = new Map();
  #current;
  #frame;
  #nodes = new Map();

  constructor(choose) {
    this.body = h("div", { class: "moves-body" });
    this.element = h(
      "div",
      {
        class: "moves",
        role: "group",
        "aria-label": t("analyse.moves"),
        click: ({ target }) => {
          const id = target.closest("[data-node]")?.dataset.node;
          if (id) choose(this.#nodes.get(Number(id)));
        },
      },
      this.body,
    );
  }

  /** Draws the tree. */
  update(root, current) {
    const rows = new Map();
    if (root.comment)
      this.#keep(rows, `comment ${root.comment}`, () => h("p", { class: "line depth-0" }, comment(root.comment)));
    for (const paragraph of paragraphs(root)) this.#keep(rows, keyOf(paragraph), () => this.#paragraph(paragraph));
    if (!rows.size) this.#keep(rows, "nothing", () => h("p", { class: "soft" }, t("analyse.moves.none")));
    for (const [key, row] of this.#rows) if (!rows.has(key)) this.#forget(row);
    this.#rows = rows;
    this.#arrange([...rows.values()]);
    this.element.classList.toggle("long", rows.size > MANY);
    this.mark(current);
  }

  #keep(rows, key, make) {
    rows.set(key, this.#rows.get(key) ?? make());
  }

  #forget(row) {
    row.remove();
    for (const button of row.querySelectorAll("[data-node]")) {
      const id = Number(button.dataset.node);
      if (this.#buttons.get(id) !== button) continue;
      this.#buttons.delete(id);
      this.#nodes.delete(id);
    }
  }

  #arrange(rows) {
    let next = this.body.firstChild;
    for (const row of rows) {
      if (row === next) next = next.nextSibling;
      else this.body.insertBefore(row, next);
    }
  }

  #paragraph({ depth, turns }) {
    return h(
      "p",
      { class: `line depth-${Math.min(depth, DEEPEST)}` },
      turns.map(({ turn, isFirst, nodes }) => [
        h(
          "span",
          { class: "turn" },
          h("span", { class: "number" }, `${turn}${isFirst ? "." : "…"}`),
          nodes.map((node) => this.#move(node)),
        ),
        " ",
      ]),
    );
  }

  #move(node) {
    const button = h(
      "button",
      { type: "button", class: "move", "data-node": node.id, tabindex: "-1" },
      readable(node.action),
    );
    this.#buttons.set(node.id, button);
    this.#nodes.set(node.id, node);
    return node.comment ? [button, comment(node.comment)] : button;
  }

  /** Shows where one is; the list has one tab stop, there. */
  mark(node) {
    this.#current?.removeAttribute("aria-current");
    this.#current?.setAttribute("tabindex", "-1");
    const button = this.#buttons.get(node.id);
    this.#current = button;
    const stop = button ?? this.body.querySelector(".move");
    stop?.setAttribute("tabindex", "0");
    button?.setAttribute("aria-current", "step");
    if (this.element.contains(document.activeElement)) stop?.focus({ preventScroll: true });
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#bringToSight());
  }

  /** Scrolls the list alone, never the page. */
  #bringToSight() {
    if (!this.#current) {
      this.element.scrollTop = 0;
      return;
    }
    const [box, list] = [this.#current.getBoundingClientRect(), this.element.getBoundingClientRect()];
    if (box.top < list.top) this.element.scrollTop += box.top - list.top - 8;
    else if (box.bottom > list.bottom) this.element.scrollTop += box.bottom - list.bottom + 8;
  }
}

const keyOf = ({ depth, turns }) =>
  `${depth} ${turns.map(({ nodes }) => nodes.map(({ id, comment: text }) => (text ? `${id} ${text}` : id)).join()).join(";")}`;

const comment = (text) => h("span", { class: "comment" }, ` ${text} `);

/** A roll is shown as a die. */
export function readable(action) {
  const points = /^roll:(\d)$/.exec(action)?.[1];
  return points ? die(Number(points), t("dice.shows", { points })) : tOr(`said.${action}`, action);
}
