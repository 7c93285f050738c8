/**
 * Values as small chips on cells: a shape and a number. Of those shown together only the best is emphasised; others with
 * the same outcome are plain, the rest faded. What is not proved is outlined and begins with ≈.
 *
 * Lengths are in cells, (0, 0) is the middle of the cell.
 *
 * @import { ActionData } from "../../net/wire.d.ts"
 * @import { Value, Values } from "../../ui/values/values.js"
 * @typedef {"corner" | "edge" | "middle" | "top"} Place where on its cell a chip lies: in the corner of an empty one, at
 *   the edge of a taken one, in the middle inside a ring, or on top of a stack
 * @typedef {"best" | "equal" | "rest"} Rank
 */

import { s } from "../../ui/dom.js";
import { better, kindOf, shortText, sign, isProved } from "../../ui/values/values.js";
import { following } from "../choosing/narrowing.js";

const HEIGHT = 0.25;
const PAD = 0.065;
const SIGN = 0.2; // width of the shape
const DIGIT = 0.122;
/** @type {Record<string, number>} widths of other signs */
const WIDTHS = { "\u00a0": 0.06, "%": 0.18, "≈": 0.14 };
const FEW = 5; // cells in a row; where there are more, chips are larger for their cell
const TOP_SIZE = 1.25; // on a board seen at an angle, whose cells are twice as wide
/** @type {Record<Place, (width: number, height: number) => [number, number]>} the middle of a chip */
const PLACES = {
  corner: (width, height) => [0.47 - width / 2, 0.465 - height / 2],
  edge: (width) => [0.5 - width / 2, 0.445],
  middle: () => [0, 0],
  top: () => [0, 0.2],
};

/**
 * Returns the best value of the actions through each cell that may be picked next.
 *
 * @param {readonly ActionData[]} actions
 * @param {readonly string[]} picked
 * @param {Values} data
 * @returns {Map<string, Value>}
 */
export function valuesOnCells(actions, picked, data) {
  /** @type {Map<string, Value>} */
  const found = new Map();
  for (const [cell, through] of following(actions, picked)) {
    const values = through.map(({ action }) => data.values[action]).filter(Boolean);
    if (values.length) found.set(cell, values.sort(better)[0]);
  }
  return found;
}

/**
 * Ranks values that are shown together. Where more than half are the best, none stands out.
 *
 * @param {readonly Value[]} values
 * @returns {Rank[]}
 */
export function ranks(values) {
  const [best] = [...values].sort(better);
  const isBest = (/** @type {Value} */ value) => better(best, value) === 0;
  const isCommon = values.length > 1 && values.filter(isBest).length * 2 > values.length;
  return values.map((value) => {
    if (isBest(value)) return isCommon ? "equal" : "best";
    return kindOf(value) === kindOf(best) ? "equal" : "rest";
  });
}

/**
 * Makes the chips of some cells.
 *
 * @param {Map<string, Value>} values by cell
 * @param {(cell: string) => Place} placeOf
 * @param {number} across cells in a row
 * @returns {Map<string, SVGGElement>}
 */
export function chips(values, placeOf, across = FEW) {
  const size = Math.min(1.15, Math.max(1, 1 + (across - FEW) * 0.08));
  const sizeAt = (/** @type {Place} */ place) => (place === "top" ? TOP_SIZE : size);
  const ranked = ranks([...values.values()]);
  return new Map(
    [...values].map(([cell, value], i) => [cell, chip(value, ranked[i], placeOf(cell), sizeAt(placeOf(cell)))]),
  );
}

/**
 * @param {Value} value
 * @param {Rank} rank
 * @param {Place} place
 * @param {number} size
 */
function chip(value, rank, place, size) {
  const text = shortText(value, place === "top");
  const long = [...text].reduce((sum, letter) => sum + (WIDTHS[letter] ?? DIGIT), 0);
  const width = 2 * PAD + SIGN + (text ? 0.035 + long : 0);
  const [x, y] = PLACES[place](width * size, HEIGHT * size);
  const plate = { x: -width / 2, y: -HEIGHT / 2, width, height: HEIGHT, rx: HEIGHT / 2, class: "chip-plate" };
  const look = `value-label chip ${rank} ${kindOf(value)} ${isProved(value) ? "proved" : "estimated"}`;
  const scale = size === 1 ? "" : ` scale(${size.toFixed(2)})`;
  return s(
    "g",
    { class: look, transform: `translate(${x.toFixed(3)} ${y.toFixed(3)})${scale}` },
    s("rect", plate),
    s("g", { transform: `translate(${(-width / 2 + PAD + SIGN / 2).toFixed(3)} 0) scale(.6)` }, sign(value)),
    text && s("text", { x: (-width / 2 + PAD + SIGN + 0.035).toFixed(3), y: 0.064, class: "chip-text" }, text),
  );
}
