/**
 * Which puzzles of a game are solved, the solver's rating, the streak and the filters, kept in this browser.
 *
 * @import { PuzzleEntry } from "../../net/wire.d.ts"
 * @import { Outcome } from "./puzzle-rating.js"
 * @typedef {{theme?: string, difficulty?: number}} Filter
 * @import { Rating } from "../../ui/ratings/glicko.js"
 * @typedef {{solved?: string[], rated?: string[], rating?: number, deviation?: number, volatility?: number, at?: number,
 *   streak?: number, filter?: Filter}} Kept `at`: when a puzzle last counted, in ms
 */

import { aged } from "../../ui/ratings/glicko.js";
import { firstRating, ratedSolver } from "./puzzle-rating.js";

const KEY = "damier.puzzles";
const DAY = 24 * 3600 * 1000; // ms

export class PuzzleProgress {
  /** @param {string} game */
  constructor(game) {
    this.game = game;
    const { solved = [], rated = [], rating, streak = 0, filter = {}, at = 0, ...more } = read()[game] ?? {};
    this.solved = new Set(solved);
    this.rated = new Set(rated);
    /** @type {Rating} */
    this.exact = { ...firstRating(rating, rated.length), ...kept(more) };
    this.at = at;
    this.streak = streak;
    this.filter = filter;
  }

  /** The rating as it is shown. */
  get rating() {
    return Math.round(this.exact.value);
  }

  /**
   * Counts a puzzle, the first time only: changes rating and streak. Returns the change, or null if it had counted.
   *
   * @param {Pick<PuzzleEntry, "id" | "rating" | "difficulty">} puzzle
   * @param {Outcome} outcome
   */
  count(puzzle, outcome) {
    const { id } = puzzle;
    if (outcome !== "wrong") this.solved.add(id);
    if (this.rated.has(id)) {
      this.store();
      return null;
    }
    const before = this.rating;
    const now = Date.now();
    this.exact = ratedSolver(aged(this.exact, this.at ? (now - this.at) / DAY : 0), puzzle, outcome);
    this.at = now;
    this.rated.add(id);
    this.streak = outcome === "right" ? this.streak + 1 : 0;
    this.store();
    return this.rating - before;
  }

  store() {
    const { solved, rated, streak, filter, at } = this;
    const { value: rating, deviation, volatility } = this.exact;
    const kept = { solved: [...solved], rated: [...rated], rating, deviation, volatility, at, streak, filter };
    try {
      localStorage.setItem(KEY, JSON.stringify({ ...read(), [this.game]: kept }));
    } catch {
      /* storage is full or forbidden: the progress lasts as long as the page */
    }
  }
}

/**
 * Returns how certain the rating is, if that is kept.
 *
 * @param {Pick<Kept, "deviation" | "volatility">} more
 */
const kept = ({ deviation, volatility }) => (deviation && volatility ? { deviation, volatility } : {});

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
