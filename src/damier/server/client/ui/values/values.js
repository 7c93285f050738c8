/**
 * Values of actions: up triangle for a win, bar for a draw, down triangle for a loss; what is not proved is outlined.
 *
 * @typedef {"win" | "draw" | "loss"} Kind
 * @typedef {{value?: Kind | null, distance?: number | null, own_moves?: number | null, chance?: number | null,
 *   is_proved?: boolean, text?: string}} Value
 * @typedef {{values: Record<string, Value>, note?: string | null}} Values
 */

import { t } from "../../net/language.js";
import { setting } from "../../net/settings.js";
import { h, s } from "../dom.js";
import { number, percent } from "../format.js";

/** @type {Record<Kind, string>} */
const SHAPES = {
  win: "M0-.13L.15.11H-.15Z",
  draw: "M-.15-.06H.15V.06H-.15Z",
  loss: "M0 .13L.15-.11H-.15Z",
};
const LEAN = 0.08; // how far from even an estimate must be to count as good or bad

/**
 * Returns how an action stands for the player on move: `win`, `draw` or `loss`, proved or likely.
 *
 * @param {Value} value
 * @returns {Kind}
 */
export function kindOf({ value, chance }) {
  if (value) return value;
  if (chance == null) return "draw";
  if (chance > 0.5 + LEAN) return "win";
  return chance < 0.5 - LEAN ? "loss" : "draw";
}

/**
 * Tells whether a value is a win, a draw or a loss, proved or not, rather than a chance.
 *
 * @param {Value} value
 */
export const isDecided = ({ value }) => Boolean(value);

/**
 * Tells whether a value is certain in the game that is played.
 *
 * @param {Value} value
 */
export const isProved = ({ is_proved: isCertain }) => Boolean(isCertain);

/**
 * Counts values by their kind, and how many of each are proved; estimates, which decide nothing, stand apart.
 *
 * @param {readonly Value[]} values
 * @returns {{counts: Record<Kind, number>, proved: Record<Kind, number>, estimates: number[]}} `estimates`: their
 *   chances, in the order of the values
 */
export function tally(values) {
  const counts = { win: 0, draw: 0, loss: 0 };
  const proved = { ...counts };
  /** @type {number[]} */
  const estimates = [];
  for (const value of values) {
    if (!isDecided(value)) {
      estimates.push(value.chance ?? 0.5);
      continue;
    }
    counts[kindOf(value)] += 1;
    if (isProved(value)) proved[kindOf(value)] += 1;
  }
  return { counts, proved, estimates };
}

/**
 * Returns the text of a value; an estimate says that it is one, and so does what is not proved.
 *
 * @param {Value} value
 */
export function valueText(value) {
  const known = value.text || (value.chance == null ? "" : percent(value.chance, 0));
  const text = countsMoves(value) ? t(`values.in.${value.value}`, { distance: distanceText(value) }) : known;
  return isProved(value) ? text : t(isDecided(value) ? "values.unproved" : "values.about", { value: text });
}

/**
 * Returns the text of a value where there is room for a number only: the distance or the percentage, with ≈ before what
 * is not proved. Without `hasUnit` there is no room for the sign of the percentage.
 *
 * @param {Value} value
 */
export function shortText(value, hasUnit = true) {
  const about = isProved(value) ? "" : "≈";
  if (isDecided(value))
    return value.value === "draw" || value.distance == null ? "" : about + number(distanceOf(value));
  if (value.chance == null) return "";
  return about + (hasUnit ? percent(value.chance, 0) : number(100 * value.chance));
}

/** @param {Value} value */
const countsMoves = ({ own_moves: moves }) => moves != null && setting("distance") === "moves";

/**
 * Returns how far the end is, in plies, or in own moves where the visitor prefers them.
 *
 * @param {Value} value
 */
export const distanceOf = (value) => (countsMoves(value) ? value.own_moves : value.distance) ?? 0;

/**
 * Returns how far the end is in words: "3 plies", "2 moves".
 *
 * @param {Value} value
 */
export const distanceText = (value) =>
  t(countsMoves(value) ? "values.moves" : "values.plies", { count: distanceOf(value) });

/**
 * Compares values, best first: short wins before long ones, then even values, then losses, the longest first.
 *
 * @param {Value} a
 * @param {Value} b
 */
export function better(a, b) {
  const rank = { win: 2, draw: 1, loss: 0 };
  const [kindA, kindB] = [kindOf(a), kindOf(b)];
  if (kindA !== kindB) return rank[kindB] - rank[kindA];
  if (isDecided(a) !== isDecided(b)) return (Number(isDecided(b)) - Number(isDecided(a))) * (kindA === "loss" ? -1 : 1);
  if (isDecided(a)) return ((a.distance ?? 0) - (b.distance ?? 0)) * (kindA === "loss" ? -1 : 1);
  return (b.chance ?? 0) - (a.chance ?? 0);
}

/**
 * Makes the shape of a value.
 *
 * @param {Value} value
 */
export const sign = (value) =>
  s("path", {
    d: SHAPES[kindOf(value)],
    class: `value ${kindOf(value)} ${isProved(value) ? "exact" : "about"}`,
  });

/**
 * Makes the sign of a value, to stand beside its text.
 *
 * @param {Value} value
 */
export const signOf = (value) =>
  s("svg", { viewBox: "-.2 -.2 .4 .4", class: "value-sign", "aria-hidden": "true" }, sign(value));

/**
 * Makes a list of all actions with their values, best first, to choose from.
 *
 * @param {Values} data
 * @param {(action: string) => void} choose
 */
export function valueList(data, choose) {
  const sorted = Object.entries(data.values).sort(([, a], [, b]) => better(a, b));
  return [
    data.note && h("p", { class: "soft" }, data.note),
    h(
      "ol",
      { class: "value-list" },
      sorted.map(([action, value]) =>
        h(
          "li",
          {},
          h(
            "button",
            { type: "button", class: "plain", click: () => choose(action) },
            signOf(value),
            h("b", {}, action),
            h("span", {}, valueText(value)),
          ),
        ),
      ),
    ),
  ];
}
