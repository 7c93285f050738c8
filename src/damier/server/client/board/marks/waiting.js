/**
 * Pieces that wait beside the board: they lie on the frame, in the lower right corner of the picture, until they are set
 * down. To the board each is a piece on a place of its own, so that it moves there and back like any other.
 *
 * @import { CellData, DrawingData } from "../../net/wire.d.ts"
 * @import { BoardMoment, BoardPiece } from "../../types.d.ts"
 * @import { Cells } from "../change.js"
 * @import { Point, View } from "../view.js"
 */

import { s } from "../../ui/dom.js";
import { UNIT } from "../view.js";

const MARK = "~"; // begins the name of such a place; no cell has it
const MOST = 4;
const RADIUS = 0.28;
const APART = 0.62;

/** @param {{cell: string}} piece */
export const isWaiting = ({ cell }) => cell.startsWith(MARK);

/**
 * Returns the pieces that wait as pieces of the board.
 *
 * @param {Pick<BoardMoment, "waiting">} state
 * @returns {BoardPiece[]}
 */
export const waitingPieces = ({ waiting = [] }) =>
  waiting
    .slice(0, MOST)
    .map(({ player, marks, label }, i) => ({ player, marks, label, cell: `${MARK}${i}`, level: 0 }));

/**
 * Returns the cells together with the places beside the board.
 *
 * @param {Map<string, CellData>} cells
 * @param {Pick<DrawingData, "width" | "height">} drawing
 * @returns {Cells}
 */
export const placesOf = (cells, { width, height }) =>
  new Map([
    ...cells,
    ...Array.from({ length: MOST }, (_, i) => /** @type {const} */ ([`${MARK}${i}`, { x: width - i, y: height }])),
  ]);

/**
 * Returns where a waiting piece lies in the picture.
 *
 * @param {Pick<View, "box">} view
 * @param {{cell: string}} piece
 * @returns {Point}
 */
export function waitingSpot({ box: [left, top, width, height] }, { cell }) {
  const inset = (RADIUS + 0.01) * UNIT;
  return [left + width - inset - Number(cell.slice(MARK.length)) * APART * UNIT, top + height - inset];
}

/**
 * Makes the plate on which a waiting piece lies.
 *
 * @param {View} view
 * @param {number} number
 */
export function waitingPlace(view, number) {
  const [cx, cy] = waitingSpot(view, { cell: `${MARK}${number}` });
  return s("circle", { cx, cy, r: RADIUS * UNIT, class: "waiting-place", "data-waiting": String(number) });
}

/**
 * Gives a piece that was set down before the server confirmed it the marks of the one that waited; that waits no more.
 *
 * @param {BoardPiece[]} pieces
 * @param {NonNullable<BoardMoment["waiting"]>} waiting
 */
export function setDown(pieces, waiting) {
  const last = pieces.at(-1);
  const found = waiting.findIndex(({ player }) => last?.isGuess && player === last.player);
  if (!last || found < 0) return { pieces, waiting };
  return {
    pieces: [...pieces.slice(0, -1), { ...last, marks: waiting[found].marks }],
    waiting: waiting.filter((_, i) => i !== found),
  };
}
