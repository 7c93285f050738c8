/**
 * What lies on cells: the tints and arrows of the last turns, and the brackets of marked cells.
 *
 * @import { CellData } from "../../net/wire.d.ts"
 * @import { MarkedTurn } from "../../types.d.ts"
 * @import { Board } from "../board.js"
 * @import { Point } from "../view.js"
 * @typedef {Pick<Board, "drawing" | "view" | "cell" | "on">} Ground a board and what stands on it
 */

import { s } from "../../ui/dom.js";
import { ARROW, BRACKET } from "../artwork.js";
import { arrow, cellsOf, markedCells, moves } from "./trails.js";
import { UNIT } from "../view.js";

/**
 * Makes the tints of the last turns and the signs of marked cells.
 *
 * @param {Ground} ground
 * @param {readonly MarkedTurn[]} turns
 * @param {Record<string, string[]>} marks by cell
 */
export function tints(ground, turns, marks) {
  const tinted = markedCells(turns).map((name) =>
    s("path", { d: ground.view.path(ground.cell(name).outline), class: "last", "data-marked": name }),
  );
  const signs = Object.entries(marks).map(([name, kinds]) => cellMark(ground, ground.cell(name), kinds));
  return [...tinted, ...signs];
}

/**
 * Makes arrows along the ways of pieces; seen at an angle, from the top of one stack to that of the next, with a halo
 * that makes them stand out from pieces of any colour. Turns of several players have the colours of their pieces.
 *
 * @param {Ground} ground
 * @param {readonly MarkedTurn[]} turns
 */
export function trails(ground, turns) {
  return turns.flatMap((turn) => {
    const owner = turns.length > 1 ? ` of-player ${ground.drawing.looks[turn.player]?.colour}` : "";
    return moves([turn]).flatMap((route) => {
      const d = arrow(
        cellsOf(route).map((name) => topOf(ground, name)),
        UNIT,
      );
      const ends = { "data-from": route.origin, "data-to": route.target };
      const line = s("path", { d, class: `trail${owner}`, "stroke-width": ARROW.width * UNIT, ...ends });
      if (ground.view.isFlat && !owner) return [line];
      return [s("path", { d, class: "trail-halo", "stroke-width": ARROW.halo * UNIT }), line];
    });
  });
}

/**
 * Returns where the next piece on a cell would stand: on a flat board in its middle, else on top of its stack.
 *
 * @param {Ground} ground
 * @param {string} name
 */
export const topOf = ({ view, cell, on }, name) => view.spot(cell(name), view.isFlat ? 0 : on(name).length);

/**
 * Makes a bracket in each corner of a cell and the names of its marks.
 *
 * @param {Ground} ground
 * @param {CellData} cell
 * @param {string[]} kinds
 */
function cellMark({ drawing, view }, cell, kinds) {
  /** @type {Point[]} */
  const corners = cell.outline.map(([x, y]) => [x + (cell.x - x) * BRACKET.inset, y + (cell.y - y) * BRACKET.inset]);
  const place = (/** @type {number} */ x, /** @type {number} */ y) =>
    view
      .point(x, y)
      .map((n) => n.toFixed(1))
      .join(" ");
  const lines = corners.map(([x, y], i) => {
    const [a, b] = [corners[(i || corners.length) - 1], corners[(i + 1) % corners.length]];
    const arm = (/** @type {Point} */ [toX, toY]) => place(x + (toX - x) * BRACKET.arm, y + (toY - y) * BRACKET.arm);
    return `M${arm(a)}L${place(x, y)}L${arm(b)}`;
  });
  const [x, y] = view.point(cell.x, cell.y);
  const text = kinds.map((kind) => drawing.marks[kind] ?? kind).join(", ");
  return s("g", { class: "cell-mark" }, s("path", { d: lines.join("") }), s("text", { x, y: y - UNIT * 0.36 }, text));
}
