/**
 * Brings together what two browsers of one account have kept: pure functions.
 *
 * @typedef {Record<string, unknown>} Kept what a browser keeps for us, by key
 * @typedef {{solved?: string[], rated?: string[], rating?: number, streak?: number, filter?: object}} Puzzles
 */

const SETTINGS = "damier";
const LESSONS = "damier.lessons";
const PUZZLES = "damier.puzzles";

/**
 * Returns what both have: single settings of `later` before those of `earlier`, all steps of lessons that either has
 * done, all puzzles that either has solved, with the rating of the one who has tried more.
 *
 * @param {Kept} earlier
 * @param {Kept} later
 * @returns {Kept}
 */
export function merged(earlier, later) {
  const both = { ...earlier, ...later };
  if (SETTINGS in both) both[SETTINGS] = { ...record(earlier[SETTINGS]), ...record(later[SETTINGS]) };
  if (LESSONS in both) both[LESSONS] = byGame(earlier[LESSONS], later[LESSONS], union);
  if (PUZZLES in both) both[PUZZLES] = byGame(earlier[PUZZLES], later[PUZZLES], puzzles);
  return both;
}

/**
 * @param {unknown} value
 * @returns {Record<string, unknown>}
 */
const record = (value) =>
  value && typeof value === "object" && !Array.isArray(value) ? /** @type {Record<string, unknown>} */ (value) : {};

/** @param {unknown} value */
const list = (value) => (Array.isArray(value) ? value : []);

/**
 * @param {unknown} one
 * @param {unknown} other
 */
const union = (one, other) => [...new Set([...list(one), ...list(other)])];

/**
 * @param {unknown} one
 * @param {unknown} other
 * @param {(one: unknown, other: unknown) => unknown} merge
 */
function byGame(one, other, merge) {
  const [first, second] = [record(one), record(other)];
  const games = new Set([...Object.keys(first), ...Object.keys(second)]);
  return Object.fromEntries([...games].map((game) => [game, merge(first[game], second[game])]));
}

/**
 * @param {unknown} one
 * @param {unknown} other
 * @returns {Puzzles}
 */
function puzzles(one, other) {
  const [first, second] = /** @type {Puzzles[]} */ ([record(one), record(other)]);
  const chosen = list(first.rated).length > list(second.rated).length ? first : second;
  return { ...chosen, solved: union(first.solved, second.solved), rated: union(first.rated, second.rated) };
}
