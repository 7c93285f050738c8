/**
 * Depth on a board seen at an angle: shadows under stacks, room above for high ones, the die on the table beside the
 * board, and which stacks hide a cell that matters. Nothing here knows rules.
 *
 * @import { CellData } from "../net/wire.d.ts"
 * @import { BoardPiece } from "../types.d.ts"
 * @import { View } from "./view.js"
 * @typedef {Map<string, CellData>} Cells by name
 */

import { drawn, s } from "../ui/dom.js";
import { CUBE, DIE, DRUM, EDGE as DIE_EDGE, SHADOW, SPREAD, TILT } from "./artwork.js";
import { UNIT } from "./view.js";

const EDGE = DIE_EDGE * UNIT;
const NEAR = 0.8 * UNIT; // a stack less far to the side than this hides what stands behind it

/**
 * Counts the pieces on each cell that holds any.
 *
 * @param {readonly BoardPiece[]} pieces
 * @returns {Map<string, number>}
 */
export function heights(pieces) {
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const { cell } of pieces) found.set(cell, (found.get(cell) ?? 0) + 1);
  return found;
}

/**
 * Returns how far up the highest stack reaches in the picture.
 *
 * @param {View} view
 * @param {Cells} cells
 * @param {readonly BoardPiece[]} pieces
 */
export const topOf = (view, cells, pieces) =>
  Math.min(
    Infinity,
    ...[...heights(pieces)].map(([name, levels]) => view.spot(cellOf(cells, name), levels)[1] - DRUM.depth * UNIT),
  );

/**
 * Makes the shadow under each stack; those of higher stacks reach farther.
 *
 * @param {View} view
 * @param {Cells} cells
 * @param {readonly BoardPiece[]} pieces
 */
export const shadows = (view, cells, pieces) =>
  [...heights(pieces)].map(([name, levels]) => {
    const [x, y] = view.spot(cellOf(cells, name));
    const wide = UNIT * (1 + SPREAD * (levels - 1));
    const at = `translate(${(x + wide - UNIT).toFixed(1)} ${y.toFixed(1)}) scale(${wide.toFixed(1)} ${UNIT})`;
    return s("g", { transform: at, class: "shadow" }, drawn(SHADOW));
  });

/**
 * Makes the die that lies on the table, left of the near corner of the board.
 *
 * @param {View} view
 * @param {number} points
 */
export function tableDie(view, points) {
  const [left, top, , height] = view.box;
  const at = `translate(${left + EDGE * 1.25} ${top + height - EDGE * 1.75}) scale(${EDGE})`;
  const face = s("g", { transform: `matrix(1 ${TILT} -1 ${TILT} 0 0)` }, drawn(DIE[points - 1]));
  const inner = s("g", { class: "die", "data-points": points }, drawn(CUBE), face);
  return s("g", { class: "dice", transform: at, "aria-hidden": "true" }, inner);
}

/**
 * Returns the cells whose stacks hide the top of what stands on a cell that matters.
 *
 * @param {View} view
 * @param {Cells} cells
 * @param {readonly BoardPiece[]} pieces
 * @param {Iterable<string>} wanted
 */
export function hiding(view, cells, pieces, wanted) {
  const levels = heights(pieces);
  /** @type {Set<string>} */
  const found = new Set();
  for (const name of wanted) {
    const behind = cellOf(cells, name);
    const ground = view.point(behind.x, behind.y)[1];
    const [x, y] = view.spot(behind, levels.get(name) ?? 0);
    for (const [other, count] of levels) {
      const cell = cellOf(cells, other);
      const [otherX, otherTop] = view.spot(cell, count);
      const isNearer = view.point(cell.x, cell.y)[1] > ground + 1;
      if (isNearer && Math.abs(otherX - x) < NEAR && otherTop - DRUM.depth * UNIT < y) found.add(other);
    }
  }
  return found;
}

/**
 * @param {Cells} cells
 * @param {string} name
 */
function cellOf(cells, name) {
  const found = cells.get(name);
  if (!found) throw new Error(`no cell ${name}`);
  return found;
}
