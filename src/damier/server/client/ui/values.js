/** Values of actions: up triangle for a win, bar for a draw, down triangle for a loss; estimates are outlined. */

import { following } from "../board/narrowing.js";
import { t } from "../net/language.js";
import { drawn, h, s } from "./dom.js";

const SHAPES = {
  win: "M0-.13L.15.11H-.15Z",
  draw: "M-.15-.06H.15V.06H-.15Z",
  loss: "M0 .13L.15-.11H-.15Z",
};
const LEAN = 0.08; // how far from even an estimate must be to count as good or bad

/** How an action stands for whoever is on move: `win`, `draw` or `loss`, proven or likely. */
export function kindOf({ value, chance }) {
  if (value in SHAPES) return value;
  if (chance > 0.5 + LEAN) return "win";
  return chance < 0.5 - LEAN ? "loss" : "draw";
}

const isProven = ({ value }) => value in SHAPES;

/** What is written at a value; an estimate says that it is one. */
export function valueText(value, isExact) {
  const text = value.text || (value.chance == null ? "" : `${Math.round(value.chance * 100)} %`);
  return isExact || isProven(value) ? text : t("values.about", { value: text });
}

/** On a cell there is little room: the distance or the percentage alone. */
function shortText(value, isExact) {
  if (isProven(value))
    return value.value === "draw" || value.distance == null
      ? t(`values.${value.value}`)
      : t(`values.short.${value.value}`, { distance: value.distance });
  if (value.chance == null) return "";
  return isExact
    ? `${(value.chance * 100).toFixed(1)} %`
    : t("values.about", { value: `${Math.round(value.chance * 100)} %` });
}

/** The best first: wins by the shortest way, then even ones, then losses by the longest. */
export function better(a, b) {
  const rank = { win: 2, draw: 1, loss: 0 };
  const [kindA, kindB] = [kindOf(a), kindOf(b)];
  if (kindA !== kindB) return rank[kindB] - rank[kindA];
  if (isProven(a) !== isProven(b)) return (isProven(b) - isProven(a)) * (kindA === "loss" ? -1 : 1);
  if (isProven(a)) return ((a.distance ?? 0) - (b.distance ?? 0)) * (kindA === "loss" ? -1 : 1);
  return (b.chance ?? 0) - (a.chance ?? 0);
}

const sign = (value, isExact) =>
  s("path", {
    d: SHAPES[kindOf(value)],
    class: `value ${kindOf(value)} ${isExact || isProven(value) ? "exact" : "about"}`,
  });

/** The sign of a value as a small picture, to stand beside its text. */
export const signOf = (value, isExact) =>
  s("svg", { viewBox: "-.2 -.2 .4 .4", class: "value-sign", "aria-hidden": "true" }, sign(value, isExact));

/**
 * What to write on the cells that may be picked next: the best value of the actions through each. Where a piece stands
 * there is room for a sign and a number only.
 */
export function onCells(actions, picked, data, isTaken) {
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

/** A text in two lines, if it has two words. */
function halves(text) {
  const at = text.indexOf(" ");
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

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

/** All actions with their values, the best first, as a list to choose from; before it what must be said of them all. */
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
