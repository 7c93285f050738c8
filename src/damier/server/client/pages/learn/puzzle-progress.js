/**
 * Which puzzles of a game are solved, the solver's rating, the streak and the filters, kept in this browser.
 *
 * @import { PuzzleEntry } from "../../net/wire.d.ts"
 * @import { Outcome } from "./puzzle-rating.js"
 * @typedef {{theme?: string, difficulty?: number}} Filter
 * @typedef {{solved?: string[], rated?: string[], rating?: number, streak?: number, filter?: Filter}} Kept
 */

import { FIRST_RATING, ratingChange } from "./puzzle-rating.js";

const KEY = "damier.puzzles";

export class PuzzleProgress {
  /** @param {string} game */
  constructor(game) {
    this.game = game;
    const { solved = [], rated = [], rating = FIRST_RATING, streak = 0, filter = {} } = read()[game] ?? {};
    this.solved = new Set(solved);
    this.rated = new Set(rated);
    this.rating = rating;
    this.streak = streak;
    this.filter = filter;
  }

  /**
   * Counts a puzzle, the first time only: changes rating and streak. Returns the change, or null if it had counted.
   *
   * @param {Pick<PuzzleEntry, "id" | "rating">} puzzle
   * @param {Outcome} outcome
   */
  count({ id, rating }, outcome) {
    if (outcome !== "wrong") this.solved.add(id);
    if (this.rated.has(id)) {
      this.store();
      return null;
    }
    const change = ratingChange(this.rating, this.rated.size, rating, outcome);
    this.rating += change;
    this.rated.add(id);
    this.streak = outcome === "right" ? this.streak + 1 : 0;
    this.store();
    return change;
  }

  store() {
    const { solved, rated, rating, streak, filter } = this;
    const kept = { solved: [...solved], rated: [...rated], rating, streak, filter };
    try {
      localStorage.setItem(KEY, JSON.stringify({ ...read(), [this.game]: kept }));
    } catch {
      /* storage is full or forbidden: the progress lasts as long as the page */
    }
  }
}

/** @returns {Record<string, Kept>} */
function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * Returns the puzzle that fits the filter and is nearest to the solver's rating: first those never tried, then those that
 * failed, then the solved ones; the puzzle `after` last of all.
 *
 * @param {readonly PuzzleEntry[]} puzzles
 * @param {Pick<PuzzleProgress, "solved" | "rated" | "rating" | "filter">} progress
 * @param {string} [after] id of a puzzle
 */
export function nextPuzzle(puzzles, { solved, rated, rating, filter: { theme, difficulty } }, after) {
  const fitting = puzzles.filter(
    (each) => (!theme || each.theme === theme) && (!difficulty || each.difficulty === difficulty),
  );
  const group = (/** @type {string} */ id) => (id === after ? 3 : solved.has(id) ? 2 : rated.has(id) ? 1 : 0);
  const distance = (/** @type {PuzzleEntry} */ each) => Math.abs(each.rating - rating);
  const order = (/** @type {PuzzleEntry} */ a, /** @type {PuzzleEntry} */ b) =>
    group(a.id) - group(b.id) || distance(a) - distance(b) || (a.id < b.id ? -1 : 1);
  return [...fitting].sort(order)[0]?.id;
}
