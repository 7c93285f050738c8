/**
 * Marks of the last turns: which cells are tinted, and the arrows along the ways of pieces. Pure functions.
 *
 * @import { RouteData } from "../../net/wire.d.ts"
 * @import { MarkedTurn } from "../../types.d.ts"
 * @import { Point } from "../view.js"
 */

import { ARROW } from "../artwork.js";

const SPREAD = 0.7; // of the head of an arrow, to either side, as a share of its length

/**
 * Returns the cells of some turns, each once.
 *
 * @param {readonly MarkedTurn[]} turns
 */
export const markedCells = (turns) => [
  ...new Set(
    turns.flatMap(({ actions }) =>
      actions.flatMap(({ routes, changed }) => [...routes.flatMap((route) => cellsOf(route)), ...changed]),
    ),
  ),
];

/**
 * Returns the cells where the ways of some turns begin and end, and those that changed.
 *
 * @param {readonly MarkedTurn[]} turns
 */
export const endsOf = (turns) =>
  turns.flatMap(({ actions }) =>
    actions.flatMap(({ routes, changed }) => [
      ...routes.flatMap(({ origin, target }) => (origin === null ? [target] : [origin, target])),
      ...changed,
    ]),
  );

/**
 * Returns the cells of a way, in order.
 *
 * @param {RouteData} route
 */
export const cellsOf = ({ origin, path, target }) => [...(origin === null ? [] : [origin]), ...path, target];

/**
 * Returns the ways that lead from cell to cell.
 *
 * @param {readonly MarkedTurn[]} turns
 */
export const moves = (turns) =>
  turns.flatMap(({ actions }) => actions.flatMap(({ routes }) => routes.filter(({ origin }) => origin !== null)));

/**
 * Returns what some turns did on a cell: the ways that begin or end there, and changes (without a target).
 *
 * @param {readonly MarkedTurn[]} turns
 * @param {string} cell
 * @returns {{player: string, origin?: string | null, target?: string}[]}
 */
export const turnsAt = (turns, cell) =>
  turns.flatMap(({ player, actions }) =>
    actions.flatMap(({ routes, changed }) => [
      ...routes
        .filter(({ origin, target }) => origin === cell || target === cell)
        .map(({ origin, target }) => ({ player, origin, target })),
      ...(changed.includes(cell) ? [{ player }] : []),
    ]),
  );

/**
 * Returns an action that the server has not confirmed as a turn: straight from each cell to the next.
 *
 * @param {readonly string[]} cells that were chosen
 * @param {string} player
 * @returns {MarkedTurn[]}
 */
export function pendingTurn(cells, player) {
  if (!cells.length) return [];
  const routes =
    cells.length === 1
      ? [{ origin: null, path: [], target: cells[0] }]
      : cells.slice(1).map((target, i) => ({ origin: cells[i], path: [], target }));
  return [{ player, actions: [{ routes, changed: [] }] }];
}

/**
 * Returns the path data of an arrow through some points.
 *
 * @param {readonly Point[]} points at least two
 * @param {number} unit the length of a cell
 */
export function arrow(points, unit) {
  const [[x, y], [toX, toY]] = points.slice(-2);
  const length = Math.hypot(toX - x, toY - y) || 1;
  const [dx, dy] = [(toX - x) / length, (toY - y) / length];
  const head = ARROW.head * unit;
  /** @type {Point} */
  const tip = [toX - dx * ARROW.end * unit, toY - dy * ARROW.end * unit];
  const side = (/** @type {number} */ way) =>
    place([tip[0] - head * (dx + way * dy * SPREAD), tip[1] - head * (dy - way * dx * SPREAD)]);
  return `M${[...points.slice(0, -1), tip].map(place).join("L")}M${side(1)}L${place(tip)}L${side(-1)}`;
}

/** @param {Point} point */
const place = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
