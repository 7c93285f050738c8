/** The steps of lessons that are done, kept in this browser. */

const KEY = "damier.lessons";

/** @returns {Record<string, unknown>} */
function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * Returns the steps of a game that are done.
 *
 * @param {string} game
 * @returns {Set<number>} numbers from 1
 */
export function stepsDone(game) {
  const steps = read()[game];
  return new Set(Array.isArray(steps) ? steps : []);
}

/**
 * Stores that a step is done; returns all that are.
 *
 * @param {string} game
 * @param {number} number
 */
export function noteDone(game, number) {
  const steps = stepsDone(game).add(number);
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...read(), [game]: [...steps].sort((a, b) => a - b) }));
  } catch {
    /* no room or not allowed: it is forgotten when the page is left */
  }
  return steps;
}
