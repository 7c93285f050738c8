/**
 * Signs of what may be chosen: on cells and pieces, and lines from a chosen piece to its targets.
 *
 * @import { Ground } from "./tints.js"
 * @typedef {"hint" | "origin" | "goal" | "single" | "dot" | "place"} Sign
 */

import { drawn, s } from "../../ui/dom.js";
import { LINE, SIGNS } from "../artwork.js";
import { topOf } from "./tints.js";
import { UNIT } from "../view.js";

/**
 * Makes a sign on a cell, or on top of its stack.
 *
 * @param {Ground} ground
 * @param {string} name
 * @param {Sign} style
 */
export const sign = (ground, name, style) =>
  standing(ground, name, style, drawn(SIGNS[ground.view.isFlat ? "flat" : "isometric"][style]));

/**
 * Puts nodes drawn for a cell 1 wide and high on a cell, or on top of its stack.
 *
 * @param {Ground} ground
 * @param {string} name
 * @param {string} style
 * @param {ChildNode[]} nodes
 */
export function standing(ground, name, style, nodes) {
  const [x, y] = topOf(ground, name);
  const transform = `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${UNIT} ${UNIT * ground.view.lying})`;
  return s("g", { class: "stands", "data-at": name }, s("g", { transform, class: `sign ${style}` }, nodes));
}

/**
 * Makes a ring around the upper piece of a cell: a halo, or that of the win.
 *
 * @param {Ground} ground
 * @param {string} name
 * @param {"halo" | "winning"} style
 */
export function ring(ground, name, style) {
  const r = ground.view.isFlat ? 0.455 : 0.5;
  const node = standing(ground, name, style, [s("circle", { r, class: "rim" }), s("circle", { r })]);
  node.setAttribute(`data-${style}`, name);
  return node;
}

/**
 * Makes the number of a cell among those that are chosen in advance.
 *
 * @param {Ground} ground
 * @param {string} name
 * @param {number} number
 */
export const numbered = (ground, name, number) =>
  standing(ground, name, "ahead", [s("circle", { r: 0.19 }), s("text", {}, String(number))]);

/**
 * Whether a piece lies in the middle of a cell, where signs are drawn.
 *
 * @param {Ground} ground
 * @param {string} name
 */
export const isTaken = ({ view, on }, name) => view.isFlat && on(name).length > 0;

/**
 * Makes the edges of empty cells that may be chosen, seen at an angle: their signs may stand before a stack.
 *
 * @param {Ground} ground
 * @param {string[]} names
 */
export function edges({ view, cell, on }, names) {
  const empty = view.isFlat ? [] : names.filter((name) => !on(name).length);
  return empty.map((name) => s("path", { d: view.path(cell(name).outline), class: "ground" }));
}

/**
 * Makes what is clicked of a sign that stands on a stack.
 *
 * @param {Ground} ground
 * @param {string} name
 */
export function signHit(ground, name) {
  const [x, y] = ground.view.spot(ground.cell(name), ground.on(name).length);
  return s("ellipse", {
    cx: x,
    cy: y,
    rx: 0.34 * UNIT,
    ry: 0.34 * UNIT * ground.view.lying,
    class: "hit open",
    "data-cell": name,
    "aria-hidden": "true",
  });
}

/**
 * Makes lines to targets: solid to empty cells, dotted to taken ones; of those in one direction only the longest.
 *
 * @param {Ground} ground
 * @param {string} origin
 * @param {string[]} targets
 */
export function lines(ground, origin, targets) {
  const from = ground.cell(origin);
  /** @type {Map<string, {length: number, name: string}>} by direction */
  const longest = new Map();
  for (const name of targets) {
    const [dx, dy] = [ground.cell(name).x - from.x, ground.cell(name).y - from.y];
    const length = Math.hypot(dx, dy);
    const way = `${Math.round((dx / length) * 100)},${Math.round((dy / length) * 100)},${isTaken(ground, name)}`;
    if ((longest.get(way)?.length ?? 0) <= length) longest.set(way, { length, name });
  }
  return [...longest.values()].map(({ name }) => line(ground, origin, name));
}

/**
 * @param {Ground} ground
 * @param {string} origin
 * @param {string} name
 */
function line(ground, origin, name) {
  const [x1, y1] = ground.view.spot(ground.cell(origin));
  const [x2, y2] = ground.view.spot(ground.cell(name));
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [clear, short] = [LINE.start * UNIT, (isTaken(ground, name) ? LINE.taken : LINE.end) * UNIT];
  const d = `M${x1 + dx * clear} ${y1 + dy * clear}L${x2 - dx * short} ${y2 - dy * short}`;
  return s("path", { d, class: isTaken(ground, name) ? "dotted" : "solid" });
}
