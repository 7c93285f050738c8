/**
 * Where things are in the picture: from above, or at an angle with stacks; turned by quarter turns.
 *
 * @import { DrawingData } from "../net/wire.d.ts"
 * @typedef {[number, number]} Point
 * @typedef {ReturnType<typeof makeView>} View
 */

import { DRUM, TILT } from "./artwork.js";

export const UNIT = 100;
const SLAB = 26;
const ROOM_LEVELS = 3; // on the farthest cell: in most games of random play no stack reaches higher

/**
 * @param {DrawingData} drawing
 * @param {number} turn in quarter turns, from 0 to 3
 * @param {boolean} hasCoordinates
 * @param {number} highest point of a stack in the picture, if it is known
 */
export function makeView(drawing, turn, hasCoordinates, highest = 0) {
  const { width, height } = drawing;
  const isFlat = drawing.view !== "isometric";
  const edge = hasCoordinates ? 0.3 : 0.14;
  const [across, down] = turn % 2 ? [height, width] : [width, height];

  /**
   * Returns a point of the board after turning, still in cells.
   *
   * @param {number} x
   * @param {number} y
   * @returns {Point}
   */
  const turned = (x, y) => {
    if (turn === 0) return [x, y];
    if (turn === 1) return [height - y, x];
    return turn === 2 ? [width - x, height - y] : [y, width - x];
  };
  /**
   * @param {Point} point
   * @returns {Point}
   */
  const project = ([x, y]) => (isFlat ? [x * UNIT, y * UNIT] : [(x - y) * UNIT, (x + y) * UNIT * TILT]);
  const point = (/** @type {number} */ x, /** @type {number} */ y) => project(turned(x, y));
  const place = (/** @type {Point} */ [x, y]) =>
    point(x, y)
      .map((n) => n.toFixed(1))
      .join(" ");
  /**
   * Returns where a piece stands on a cell.
   *
   * @param {{x: number, y: number}} cell
   * @param {number} level
   * @returns {Point}
   */
  const spot = (cell, level = 0) => {
    const [x, y] = point(cell.x, cell.y);
    return [x, isFlat ? y : y - level * DRUM.height * UNIT];
  };

  return {
    isFlat,
    turn,
    edge,
    across,
    down,
    turned,
    project,
    point,
    spot,
    lying: isFlat ? 1 : TILT,
    slab: isFlat ? 0 : SLAB,
    box: isFlat ? flatBox(across, down, edge) : angledBox(across, down, edge, highest),
    path: (/** @type {Point[]} */ points) => `M${points.map(place).join("L")}Z`,
    curves: (/** @type {Point[][]} */ curves) =>
      curves.map(([start, ...others]) => `M${place(start)}C${others.map(place).join(" ")}`).join(""),
  };
}

/**
 * @param {number} across
 * @param {number} down
 * @param {number} edge
 */
function flatBox(across, down, edge) {
  return [-edge * UNIT, -edge * UNIT, (across + 2 * edge) * UNIT, (down + 2 * edge) * UNIT];
}

/**
 * @param {number} across
 * @param {number} down
 * @param {number} edge
 * @param {number} highest
 */
function angledBox(across, down, edge, highest) {
  const left = -(down + 2 * edge) * UNIT;
  const room = UNIT * TILT - (ROOM_LEVELS * DRUM.height + DRUM.depth) * UNIT;
  const top = Math.min(-2 * edge * UNIT * TILT, room, highest) - 4;
  const bottom = (across + down + 2 * edge) * UNIT * TILT + SLAB + 4;
  return [left - 4, top, (across + down + 4 * edge) * UNIT + 8, bottom - top];
}
