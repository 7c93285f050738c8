/**
 * Values of actions: up triangle for a win, bar for a draw, down triangle for a loss; estimates are outlined.
 *
 * @import { ActionData, ActionValue } from "../net/wire.d.ts"
 * @typedef {"win" | "draw" | "loss"} Kind
 * @typedef {{value?: Kind | null, distance?: number | null, chance?: number | null, text?: string}} Value
 * @typedef {{is_exact: boolean, values: Record<string, Value>, note?: string | null}} Values
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
 * Returns how an action stands for the player on move: `win`, `draw` or `loss`, proven or likely.
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

/** @param {Value} value */
export const isProven = ({ value }) => Boolean(value);

/**
 * Returns the text of a value; an estimate says that it is one.
 *
 * @param {Value} value
 * @param {boolean} isExact
 */
export function valueText(value, isExact) {
  const text = value.text || (value.chance == null ? "" : percent(value.chance, 0));
  return isExact || isProven(value) ? text : t("values.about", { value: text });
}

/**
 * Returns the text of a value on a cell, where there is little room: the distance or the percentage alone.
 *
 * @param {Value} value
 * @param {boolean} isExact
 */
function shortText(value, isExact) {
  if (value.value)
    return value.value === "draw" || value.distance == null
      ? t(`values.${value.value}`)
      : t(`values.short.${value.value}`, { distance: value.distance });
  if (value.chance == null) return "";
  return isExact ? percent(value.chance) : t("values.about", { value: percent(value.chance, 0) });
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
  if (isProven(a) !== isProven(b)) return (Number(isProven(b)) - Number(isProven(a))) * (kindA === "loss" ? -1 : 1);
  if (isProven(a)) return ((a.distance ?? 0) - (b.distance ?? 0)) * (kindA === "loss" ? -1 : 1);
  return (b.chance ?? 0) - (a.chance ?? 0);
}

/**
 * @param {Value} value
 * @param {boolean} isExact
 */
const sign = (value, isExact) =>
  s("path", {
    d: SHAPES[kindOf(value)],
    class: `value ${kindOf(value)} ${isExact || isProven(value) ? "exact" : "about"}`,
  });

/**
 * Makes the sign of a value, to stand beside its text.
 *
 * @param {Value} value
 * @param {boolean} isExact
 */
export const signOf = (value, isExact) =>
  s("svg", { viewBox: "-.2 -.2 .4 .4", class: "value-sign", "aria-hidden": "true" }, sign(value, isExact));

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
    if (values.length)
      found.set(cell, isTaken(cell) ? badge(values[0], data.is_exact) : label(values[0], data.is_exact));
  }
  return found;
}

/**
 * @param {Value} value
 * @param {boolean} isExact
 */
function label(value, isExact) {
  const [first, second] = halves(shortText(value, isExact));
  return s(
    "g",
    { class: "value-label" },
    drawn('<rect x="-.46" y="-.44" width=".92" height=".88" rx=".12" class="value-plate"/>'),
    s("g", { transform: "translate(0 -.2)" }, sign(value, isExact)),
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

/**
 * @param {Value} value
 * @param {boolean} isExact
 */
function badge(value, isExact) {
  const number = isProven(value)
    ? (value.distance ?? "")
    : value.chance == null
      ? ""
      : `${isExact ? "" : "≈"}${Math.round(value.chance * 100)}`;
  const wide = number === "" ? 0.36 : 0.68;
  return s(
    "g",
    { class: "value-label", transform: "translate(-.14 -.34)" },
    s("rect", { x: -wide / 2, y: -0.13, width: wide, height: 0.26, rx: 0.09, class: "value-plate solid" }),
    s("g", { transform: `translate(${number === "" ? 0 : -0.22} 0) scale(.6)` }, sign(value, isExact)),
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
            signOf(value, data.is_exact),
            h("b", {}, action),
            h("span", {}, valueText(value, data.is_exact)),
          ),
        ),
      ),
    ),
  ];
}
