/**
 * What the values of a position come to: the best of them, the sum in words, and what the shapes and numbers mean.
 *
 * @import { ActionData } from "../../net/wire.d.ts"
 * @import { Kind, Value, Values } from "./values.js"
 * @typedef {Pick<ActionData, "action" | "cells">} Action
 */

import { HAND } from "../../board/choosing/narrowing.js";
import { t } from "../../net/language.js";
import { choose, setting } from "../../net/settings.js";
import { button, h } from "../dom.js";
import { percent } from "../format.js";
import { better, distanceText, isDecided, isProved, kindOf, shortText, signOf, tally, valueText } from "./values.js";

/** @type {Kind[]} */
const KINDS = ["win", "draw", "loss"];
const MOST_NAMES = 3; // best actions that are named

/**
 * Makes the card above the list of values.
 *
 * @param {Values} data
 * @param {{actions: readonly Action[], pieces?: readonly {cell: string}[], player: string}} about the legal actions, the
 *   pieces on the board, and the name of the player on move
 * @param {() => void} changed called when distances are counted in another way
 */
export function valueCard(data, { actions, pieces = [], player }, changed) {
  const values = Object.values(data.values).sort(better);
  if (!values.length) return null;
  return h(
    "section",
    { class: `value-card ${kindOf(values[0])}` },
    h("h2", {}, headline(data, player)),
    values.length > 1 && h("p", {}, sumText(values, actionKind(actions, pieces))),
    legend(values, changed),
  );
}

/**
 * Says how the player on move stands and with which action.
 *
 * @param {Values} data
 * @param {string} player
 */
export function headline({ values }, player) {
  const ordered = Object.entries(values).sort(([, a], [, b]) => better(a, b));
  const [, best] = ordered[0];
  const names = ordered.filter(([, value]) => better(best, value) === 0).map(([action]) => action);
  const action = names.length > MOST_NAMES || names.length === ordered.length ? "" : names.join(", ");
  if (!isDecided(best))
    return t("best.chance", { player, action: ordered[0][0], value: valueText(best).replace(" %", "\u00a0%") });
  const key = `best.${kindOf(best)}${action && kindOf(best) !== "loss" ? ".with" : ""}`;
  const text = t(key, { player, action, distance: distanceText(best) });
  const isCertain = kindOf(best) === "win" ? isProved(best) : ordered.every(([, value]) => isProved(value));
  return isCertain ? text : t("best.unproved", { text });
}

/**
 * Says how many actions win, draw and lose: "4 of 18 placements win, 12 draw, 2 lose."
 *
 * @param {readonly Value[]} values the best first
 * @param {"placements" | "moves" | "actions"} kind
 */
export function sumText(values, kind) {
  const all = values.length;
  const what = t(`what.${kind}`);
  const { counts, estimates } = tally(values);
  const present = KINDS.filter((each) => counts[each] > 0);
  if (!present.length) return chancesText(estimates, { count: all, what });
  if (counts[present[0]] === all) {
    const [first, last] = [values[0], values[all - 1]].map(distanceText);
    const key = `sum.all.${present[0]}${present[0] !== "draw" && first === last ? ".in" : ""}`;
    return t(key, { count: all, what, distance: first });
  }
  const parts = present.map((each, i) =>
    t(`sum.${i ? "next" : "first"}.${each}`, { count: counts[each], all, what: t(`what.${kind}.of`) }),
  );
  if (estimates.length) parts.push(t("sum.next.estimated", { count: estimates.length }));
  return `${parts.join(", ")}.`;
}

/**
 * @param {readonly number[]} chances
 * @param {{count: number, what: string}} about
 */
function chancesText(chances, about) {
  const [worst, best] = [Math.min(...chances), Math.max(...chances)].map((chance) => percent(chance, 0));
  return t(worst === best ? "sum.chance.same" : "sum.chance", { ...about, worst, best });
}

/**
 * Returns what actions are called together: `placements` on empty cells, `moves`, or `actions`.
 *
 * @param {readonly Action[]} actions
 * @param {readonly {cell: string}[]} pieces
 */
export function actionKind(actions, pieces) {
  const taken = new Set(pieces.map(({ cell }) => cell));
  const isPlacement = (/** @type {Action} */ { cells: [first, ...others] }) =>
    first === HAND || (first !== undefined && !others.length && !taken.has(first));
  const isMove = (/** @type {Action} */ { cells }) => cells.length > 1 && cells[0] !== HAND;
  if (actions.every(isPlacement)) return "placements";
  return actions.every(isMove) ? "moves" : "actions";
}

/**
 * Makes the one line that explains the shapes and numbers.
 *
 * @param {readonly Value[]} values the best first
 * @param {() => void} changed
 */
export function legend(values, changed) {
  const decided = values.filter(isDecided);
  const shown = decided.length ? decided : values;
  const examples = KINDS.map((kind) => shown.find((value) => kindOf(value) === kind)).filter((value) => value != null);
  const canCount = decided.some(({ own_moves: moves }) => moves != null);
  const isInMoves = setting("distance") === "moves";
  const count = () => {
    choose("distance", isInMoves ? "plies" : "moves");
    changed();
  };
  return h(
    "p",
    { class: "legend" },
    examples.map((value) =>
      h("span", { class: kindOf(value) }, signOf(value), h("b", {}, shortText(value)), meaning(value)),
    ),
    decided.length < values.length && h("span", {}, t(decided.length ? "legend.other" : "legend.chance")),
    values.some((value) => !isProved(value)) && h("span", {}, t("legend.about")),
    canCount && button(t(isInMoves ? "legend.plies" : "legend.moves"), count, { look: "plain" }),
  );
}

/** @param {Value} value */
function meaning(value) {
  if (!isDecided(value)) return t(`legend.likely.${kindOf(value)}`);
  return t(`legend.${kindOf(value)}${value.distance == null ? "" : ".in"}`, { distance: distanceText(value) });
}
