/**
 * Cells tinted by the value of the action there, where every action has one cell of its own.
 *
 * @import { ActionData } from "../../net/wire.d.ts"
 * @import { Kind, Value, Values } from "../../ui/values/values.js"
 * @typedef {Map<string, {kind: Kind, strength: number}>} Heat by cell; strength from 0 to 1
 */

import { better, kindOf } from "../../ui/values/values.js";
import { HAND } from "../choosing/narrowing.js";

const [FAINT, STRONG] = [0.22, 0.78];

/**
 * Returns the tint of each cell; the best action has the strongest.
 *
 * @param {readonly ActionData[]} actions
 * @param {Values} data
 * @returns {Heat | null} null where actions have more than one cell
 */
export function heatOf(actions, data) {
  const named = actions.map(({ action, cells }) => ({
    cells: cells.filter((cell) => cell !== HAND),
    value: data.values[action],
  }));
  const isPlain =
    named.length > 1 &&
    named.every(({ cells, value }) => cells.length === 1 && value) &&
    new Set(named.map(({ cells }) => cells[0])).size === named.length;
  if (!isPlain) return null;
  const strengths = rank(named.map(({ value }) => value));
  return new Map(named.map(({ cells, value }, i) => [cells[0], { kind: kindOf(value), strength: strengths[i] }]));
}

/**
 * Returns how strong the tint of each value is; equal values alike.
 *
 * @param {Value[]} values
 */
function rank(values) {
  const sorted = [...values].sort(better);
  const steps = sorted.filter((value, i) => i === 0 || better(sorted[i - 1], value) < 0);
  const place = (/** @type {Value} */ value) => steps.findIndex((step) => better(step, value) === 0);
  if (steps.length < 2) return values.map(() => (FAINT + STRONG) / 2);
  return values.map((value) => STRONG - ((STRONG - FAINT) * place(value)) / (steps.length - 1));
}
