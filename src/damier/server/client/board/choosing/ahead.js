/**
 * What is chosen in advance: clicks that are tried when the legal actions are there. Pure functions.
 *
 * @import { ActionData as Action } from "../../net/wire.d.ts"
 * @typedef {{action: Action, rest: string[]} | {picked: string[]} | null} Found the first action of some clicks and the
 *   clicks after it; clicks that begin actions; or null, if they fit none
 */

import { complete, HAND, narrow } from "./narrowing.js";

export const MOST_AHEAD = 16; // clicks

/**
 * Returns the clicks after one more; the last cell once more takes all of them away.
 *
 * @param {readonly string[]} clicks
 * @param {string} cell
 */
export const clickAhead = (clicks, cell) =>
  clicks.at(-1) === cell ? [] : clicks.length < MOST_AHEAD ? [...clicks, cell] : [...clicks];

/**
 * Returns what some clicks mean: the action of as many of them as possible, from the first.
 *
 * @param {readonly Action[]} actions the legal ones
 * @param {readonly string[]} clicks
 * @returns {Found}
 */
export function meantBy(actions, clicks) {
  for (const first of [clicks, [HAND, ...clicks]]) {
    const left = narrow(actions, first);
    if (left.length === 1 && first.length > 1) return { action: left[0], rest: [] };
    const [whole, another] = complete(actions, first);
    if (whole && !another) return { action: whole, rest: [] };
    if (left.length) return { picked: [...first] };
  }
  for (let count = clicks.length - 1; count > 0; count--) {
    const begun = clicks.slice(0, count);
    const [whole, another] = [...complete(actions, begun), ...complete(actions, [HAND, ...begun])];
    if (whole && !another) return { action: whole, rest: clicks.slice(count) };
  }
  return null;
}
