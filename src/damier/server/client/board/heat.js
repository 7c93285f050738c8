/** Cells tinted by what an action there is worth, where every action names one cell of its own. */

import { better, kindOf } from "../ui/values.js";
import { HAND } from "./narrowing.js";

const [FAINT, STRONG] = [0.22, 0.78];

/** For each cell its kind and how strong the tint is, the best the strongest; null where actions name more than a cell. */
export function heatOf(actions, data) {
  const named = actions.map(({ action, cells }) => [cells.filter((cell) => cell !== HAND), data.values[action]]);
  const isPlain =
    named.length > 1 &&
    named.every(([cells, value]) => cells.length === 1 && value) &&
    new Set(named.map(([[cell]]) => cell)).size === named.length;
  if (!isPlain) return null;
  const ranks = rank(named.map(([, value]) => value));
  return new Map(named.map(([[cell], value], i) => [cell, { kind: kindOf(value), strength: ranks[i] }]));
}

/** How good each value is among all, from faint to strong; equal ones alike. */
function rank(values) {
  const steps = [];
  for (const value of [...values].sort(better)) if (!steps.length || better(steps.at(-1), value) < 0) steps.push(value);
  const place = (value) => steps.findIndex((step) => better(step, value) === 0);
  return values.map((value) =>
    steps.length < 2 ? (FAINT + STRONG) / 2 : STRONG - ((STRONG - FAINT) * place(value)) / (steps.length - 1),
  );
}
