/**
 * The cells that are clicked and focused: a grid with one tab stop, arrows going from cell to cell.
 *
 * @import { CellData } from "../../net/wire.d.ts"
 * @import { BoardPiece } from "../../types.d.ts"
 * @import { Ground } from "../marks/tints.js"
 * @import { Point } from "../view.js"
 */

import { s } from "../../ui/dom.js";
import { DRUM } from "../artwork.js";
import { UNIT } from "../view.js";

/** @type {Record<string, Point>} */
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

export class Hits {
  /** @type {Map<string, {node: SVGGElement, column: SVGPathElement}>} what is clicked, by cell */
  #nodes = new Map();
  /** @type {string} the cell that has the focus, or had it last */
  #focused = "";

  /**
   * @param {Ground} ground
   * @param {SVGGElement} layer
   */
  constructor(ground, layer) {
    this.ground = ground;
    this.layer = layer;
  }

  build() {
    const { drawing, view } = this.ground;
    /** @type {Map<number, {cell: CellData, x: number}[]>} by height */
    const rows = new Map();
    for (const cell of drawing.cells) {
      const [x, y] = view.turned(cell.x, cell.y);
      rows.set(y, [...(rows.get(y) ?? []), { cell, x }]);
    }
    const hadFocus = this.layer.contains(document.activeElement);
    this.#nodes.clear();
    const sorted = [...rows].sort(([a], [b]) => a - b);
    this.layer.replaceChildren(
      ...sorted.map(([, cells]) =>
        s(
          "g",
          { role: "row" },
          cells.sort((a, b) => a.x - b.x).map(({ cell }) => this.#hit(cell)),
        ),
      ),
    );
    if (!this.#nodes.has(this.#focused)) this.#focused = sorted[sorted.length - 1][1][0].cell.name;
    const node = this.#nodes.get(this.#focused)?.node;
    node?.setAttribute("tabindex", "0");
    if (hadFocus) node?.focus();
  }

  /** @param {CellData} cell */
  #hit(cell) {
    const d = this.ground.view.path(cell.outline);
    const column = s("path", { class: "hit" });
    const node = s(
      "g",
      { role: "gridcell", "data-cell": cell.name, tabindex: "-1", "aria-selected": "false", class: cell.kind },
      s("path", { d, class: "hit" }),
      column,
      s("path", { d, class: "focus-ring" }),
    );
    this.#nodes.set(cell.name, { node, column });
    return node;
  }

  /**
   * Describes every cell for screen readers; seen at an angle, its stack can be clicked too.
   *
   * @param {(cell: CellData, pieces: BoardPiece[]) => string} words
   */
  describe(words) {
    const { view, cell, on } = this.ground;
    for (const [name, { node, column }] of this.#nodes) {
      const pieces = on(name);
      node.setAttribute("aria-label", words(cell(name), pieces));
      if (!view.isFlat) column.setAttribute("d", pieces.length ? this.#column(cell(name), pieces.length) : "");
    }
  }

  /**
   * @param {CellData} cell
   * @param {number} levels
   */
  #column(cell, levels) {
    const [x, y] = this.ground.view.spot(cell);
    const [rx, ry, up] = [DRUM.width * UNIT, DRUM.depth * UNIT, levels * DRUM.height * UNIT];
    return `M${x - rx} ${y}A${rx} ${ry} 0 0 0 ${x + rx} ${y}V${y - up}A${rx} ${ry} 0 0 0 ${x - rx} ${y - up}Z`;
  }

  /**
   * Shows which cells may be chosen and which are.
   *
   * @param {Set<string>} open
   * @param {readonly string[]} picked
   */
  mark(open, picked) {
    for (const [name, { node }] of this.#nodes) {
      node.classList.toggle("open", open.has(name));
      node.classList.toggle("grab", open.has(name) && this.ground.on(name).length > 0);
      node.setAttribute("aria-selected", String(picked.includes(name)));
    }
  }

  /** Whether the cell in focus got it by the keyboard. */
  get isByKeys() {
    return this.layer.querySelector(":focus-visible") !== null;
  }

  /** Gives the focus to a cell, else to the one that had it last. */
  focus(cell = this.#focused) {
    this.#nodes.get(cell)?.node.focus({ preventScroll: true });
  }

  /**
   * Makes the cell that got the focus the tab stop.
   *
   * @param {string} cell
   */
  focused(cell) {
    this.#nodes.get(this.#focused)?.node.setAttribute("tabindex", "-1");
    this.#focused = cell;
    this.#nodes.get(cell)?.node.setAttribute("tabindex", "0");
  }

  /**
   * @param {KeyboardEvent} event
   * @param {(cell: string) => void} choose
   * @param {() => void} cancel
   */
  key(event, choose, cancel) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const way = ARROWS[event.key];
    if (way) this.#step(...way);
    else if (event.key === "Home" || event.key === "End") this.#toEnd(event.key === "Home");
    else if (event.key === "Enter" || event.key === " ") choose(this.#focused);
    else if (event.key === "Escape") cancel();
    else return;
    event.preventDefault();
  }

  /** @param {boolean} isHome */
  #toEnd(isHome) {
    const row = this.#nodes.get(this.#focused)?.node.parentElement;
    const cell = isHome ? row?.firstElementChild : row?.lastElementChild;
    if (cell instanceof SVGElement) cell.focus();
  }

  /**
   * Moves the focus to the nearest cell in a direction.
   *
   * @param {number} dx
   * @param {number} dy
   */
  #step(dx, dy) {
    const { drawing, view, cell: cellNamed } = this.ground;
    const [x, y] = view.turned(cellNamed(this.#focused).x, cellNamed(this.#focused).y);
    let best = { cost: Infinity, name: "" };
    for (const cell of drawing.cells) {
      const [toX, toY] = view.turned(cell.x, cell.y);
      const ahead = (toX - x) * dx + (toY - y) * dy;
      const aside = Math.abs((toX - x) * dy) + Math.abs((toY - y) * dx);
      const cost = ahead + 2.5 * aside;
      if (ahead > 0.1 && cost < best.cost) best = { cost, name: cell.name };
    }
    this.#nodes.get(best.name)?.node.focus();
  }
}

/**
 * Returns the cell of what is clicked.
 *
 * @param {EventTarget | null} target
 */
export const cellAt = (target) =>
  (target instanceof Element ? target.closest("[data-cell]")?.getAttribute("data-cell") : undefined) ?? undefined;
