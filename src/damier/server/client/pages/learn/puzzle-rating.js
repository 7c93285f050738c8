/**
 * The rating of a solver by Glicko-2: every puzzle is a game against an opponent of the puzzle's rating.
 *
 * A puzzle counts once, by the first try. Solved is a win, failed or the solution shown a loss. A win with a hint counts a
 * half, with the action shown a quarter. Puzzles have fixed ratings, and those of hard ones are less certain. See
 * docs/puzzles.md.
 *
 * @import { PuzzleEntry } from "../../net/wire.d.ts"
 * @import { Rating } from "../../ui/ratings/glicko.js"
 * @typedef {"right" | "hint" | "told" | "wrong"} Outcome `hint`: solved after the first hint; `told`: after the second
 */

import { FIRST_DEVIATION, FIRST_VOLATILITY, rate } from "../../ui/ratings/glicko.js";

/** The rating of a newcomer: below the easiest puzzles. */
export const FIRST_RATING = 700;

const KNOWN_DEVIATION = 110; // of a rating from before deviations were kept
const [EASY_DEVIATION, MORE_DEVIATION] = [75, 15]; // of the first difficulty, and for each further one
/** @type {Record<Outcome, number>} */
const WEIGHTS = { right: 1, hint: 1 / 2, told: 1 / 4, wrong: 1 };

/**
 * Returns the rating of a solver who has only its value, or none.
 *
 * @param {number} value
 * @param {number} rated how many puzzles have counted
 * @returns {Rating}
 */
export const firstRating = (value = FIRST_RATING, rated = 0) => ({
  value,
  deviation: rated ? KNOWN_DEVIATION : FIRST_DEVIATION,
  volatility: FIRST_VOLATILITY,
});

/**
 * Returns the rating of a solver after a puzzle.
 *
 * @param {Rating} solver
 * @param {Pick<PuzzleEntry, "rating" | "difficulty">} puzzle
 * @param {Outcome} outcome
 * @returns {Rating}
 */
export function ratedSolver(solver, { rating, difficulty }, outcome) {
  const opponent = { value: rating, deviation: EASY_DEVIATION + MORE_DEVIATION * (difficulty - 1) };
  return rate(solver, [{ opponent, score: outcome === "wrong" ? 0 : 1, weight: WEIGHTS[outcome] }]);
}
