/**
 * The actions of a tree of variations as text to click on; what has not changed keeps its elements.
 *
 * @import { DrawingData } from "../../net/wire.d.ts"
 * @import { TreeNode, TurnOfNodes } from "./tree.js"
 * @typedef {{depth: number, turns: TurnOfNodes[]}} Paragraph
 */

import { shownAction } from "../../board/rolls.js";
import { t } from "../../net/language.js";
import { h } from "../../ui/dom.js";
import { gradeSign } from "./grades.js";
import { paragraphs } from "./tree.js";

const DEEPEST = 4; // levels by which variations are indented
const MANY = 60; // paragraphs, above which only those in sight are laid out

export class MoveList {
  /** @type {Map<string, HTMLElement>} by what they show */
  #rows = new Map();
  /** @type {Map<number, HTMLButtonElement>} by the id of their node */
  #buttons = new Map();
  /** @type {Map<number, TreeNode>} */
  #nodes = new Map();
  /** @type {HTMLButtonElement | undefined} */
  #current;
  #frame = 0;

  /**
   * @param {DrawingData} drawing
   * @param {(node: TreeNode) => void} choose
   */
  constructor(drawing, choose) {
    this.drawing = drawing;
    this.body = h("div", { class: "moves-body" });
    this.element = h(
      "div",
      {
        class: "moves",
        role: "group",
        "aria-label": t("analyse.moves"),
        click: ({ target }) => {
          const button = target instanceof Element ? target.closest("[data-node]") : null;
          const node = this.#nodes.get(Number(button?.getAttribute("data-node")));
          if (node) choose(node);
        },
      },
      this.body,
    );
  }

  /**
   * Draws the tree.
   *
   * @param {TreeNode} root
   * @param {TreeNode} current
   */
  update(root, current) {
    /** @type {Map<string, HTMLElement>} */
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

  /**
   * @param {Map<string, HTMLElement>} rows
   * @param {string} key
   * @param {() => HTMLElement} make
   */
  #keep(rows, key, make) {
    rows.set(key, this.#rows.get(key) ?? make());
  }

  /** @param {HTMLElement} row */
  #forget(row) {
    row.remove();
    for (const button of row.querySelectorAll("[data-node]")) {
      const id = Number(button.getAttribute("data-node"));
      if (this.#buttons.get(id) !== button) continue;
      this.#buttons.delete(id);
      this.#nodes.delete(id);
    }
  }

  /** @param {HTMLElement[]} rows */
  #arrange(rows) {
    let next = this.body.firstChild;
    for (const row of rows) {
      if (row === next) next = next.nextSibling;
      else this.body.insertBefore(row, next);
    }
  }

  /** @param {Paragraph} paragraph */
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

  /** @param {TreeNode} node */
  #move(node) {
    const button = h(
      "button",
      { type: "button", class: "move", "data-node": node.id, tabindex: "-1" },
      shownAction(this.drawing, node.action, node.player),
      node.mark && gradeSign(node.mark),
    );
    this.#buttons.set(node.id, button);
    this.#nodes.set(node.id, node);
    return node.comment ? [button, comment(node.comment)] : button;
  }

  /**
   * Marks the current node; the list has one tab stop, there.
   *
   * @param {TreeNode} node
   */
  mark(node) {
    this.#current?.removeAttribute("aria-current");
    this.#current?.setAttribute("tabindex", "-1");
    const button = this.#buttons.get(node.id);
    this.#current = button;
    const stop = button ?? this.#buttons.values().next().value;
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

/** @param {Paragraph} paragraph */
const keyOf = ({ depth, turns }) => `${depth} ${turns.map(({ nodes }) => nodes.map(nodeKey).join()).join(";")}`;

/** @param {TreeNode} node */
const nodeKey = ({ id, mark, comment: text }) => `${id}${mark ?? ""}${text ? ` ${text}` : ""}`;

/** @param {string} text */
const comment = (text) => h("span", { class: "comment" }, ` ${text} `);
