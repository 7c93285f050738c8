/**
 * The rating of a solver, after Elo: every puzzle is a game against an opponent of the puzzle's rating.
 *
 * A puzzle counts once, by the first try. Solved without help: up by K times the chance that it would not be solved;
 * with a hint a half of that, with the action shown a quarter. Failed, or the solution shown: down by K times the chance
 * that it would be solved. See docs/puzzles.md.
 *
 * @typedef {"right" | "hint" | "told" | "wrong"} Outcome `hint`: solved after the first hint; `told`: after the second
 */

/** The rating of a newcomer: below the easiest puzzles. */
export const FIRST_RATING = 700;

const LEAST = 100;
const NEW = 20; // puzzles after which the rating changes more slowly
const FAST = 40;
const SLOW = 20;
/** @type {Record<Outcome, number>} */
const SHARES = { right: 1, hint: 1 / 2, told: 1 / 4, wrong: 0 };

/**
 * Returns the chance that a solver of one rating solves a puzzle of another.
 *
 * @param {number} solver
 * @param {number} puzzle
 */
export const chanceToSolve = (solver, puzzle) => 1 / (1 + 10 ** ((puzzle - solver) / 400));

/**
 * Returns by how much the rating of a solver changes: never down for a puzzle that was solved.
 *
 * @param {number} solver rating
 * @param {number} rated how many puzzles have counted before
 * @param {number} puzzle rating
 * @param {Outcome} outcome
 */
export function ratingChange(solver, rated, puzzle, outcome) {
  const most = rated < NEW ? FAST : SLOW;
  const chance = chanceToSolve(solver, puzzle);
  if (outcome !== "wrong") return Math.max(1, Math.round(most * (1 - chance) * SHARES[outcome]));
  return Math.max(LEAST - solver, Math.min(-1, -Math.round(most * chance)));
}
