/**
 * Values of actions: up triangle for a win, bar for a draw, down triangle for a loss; what is not proved is outlined.
 *
 * @import { ActionData, ActionValue } from "../net/wire.d.ts"
 * @typedef {"win" | "draw" | "loss"} Kind
 * @typedef {{value?: Kind | null, distance?: number | null, chance?: number | null, is_proved?: boolean,
 *   text?: string}} Value
 * @typedef {{values: Record<string, Value>, note?: string | null}} Values
 */

import { following } from "../board/narrowing.js";
import { t } from "../net/language.js";
import { drawn, h, s } from "./dom.js";
import { percent } from "./format.js";

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
  const text = value.text || (value.chance == null ? "" : percent(value.chance, 0));
  return isProved(value) ? text : t(isDecided(value) ? "values.unproved" : "values.about", { value: text });
}

/**
 * Returns the text of a value on a cell, where there is little room: the distance or the percentage alone.
 *
 * @param {Value} value
 */
function shortText(value) {
  if (value.value)
    return value.value === "draw" || value.distance == null
      ? t(`values.${value.value}`)
      : t(`values.short.${value.value}`, { distance: value.distance });
  if (value.chance == null) return "";
  return isProved(value) ? percent(value.chance) : t("values.about", { value: percent(value.chance, 0) });
}

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

/** @param {Value} value */
const sign = (value) =>
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
 * Makes the labels of the cells that may be picked next: the best value of the actions through each. Where a piece
 * stands there is room for a sign and a number only.
 *
 * @param {readonly ActionData[]} actions
 * @param {readonly string[]} picked
 * @param {Values} data
 * @param {(cell: string) => boolean} isTaken
 * @returns {Map<string, SVGGElement>}
 */
export function onCells(actions, picked, data, isTaken) {
  /** @type {Map<string, SVGGElement>} */
  const found = new Map();
  for (const [cell, through] of following(actions, picked)) {
    const values = through
      .map(({ action }) => data.values[action])
      .filter(Boolean)
      .sort(better);
    if (values.length) found.set(cell, isTaken(cell) ? badge(values[0]) : label(values[0]));
  }
  return found;
}

/** @param {Value} value */
function label(value) {
  const [first, second] = halves(shortText(value));
  return s(
    "g",
    { class: "value-label" },
    drawn('<rect x="-.46" y="-.44" width=".92" height=".88" rx=".12" class="value-plate"/>'),
    s("g", { transform: "translate(0 -.2)" }, sign(value)),
    s("text", { class: "value-text", y: second ? ".16" : ".24" }, first),
    second && s("text", { class: "value-text", y: ".35" }, second),
  );
}

/**
 * Splits a text into two lines at its first space, which may be a no-break space.
 *
 * @param {string} text
 */
function halves(text) {
  const at = text.search(/\s/);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** @param {Value} value */
function badge(value) {
  const number = isDecided(value)
    ? (value.distance ?? "")
    : value.chance == null
      ? ""
      : `${isProved(value) ? "" : "≈"}${Math.round(value.chance * 100)}`;
  const wide = number === "" ? 0.36 : 0.68;
  return s(
    "g",
    { class: "value-label", transform: "translate(-.14 -.34)" },
    s("rect", { x: -wide / 2, y: -0.13, width: wide, height: 0.26, rx: 0.09, class: "value-plate solid" }),
    s("g", { transform: `translate(${number === "" ? 0 : -0.22} 0) scale(.6)` }, sign(value)),
    number !== "" && s("text", { class: "value-text", x: ".12", y: ".06" }, String(number)),
  );
}

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
