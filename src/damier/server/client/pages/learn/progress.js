/** The steps of lessons that are done, kept in this browser by their ids. */

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
 * Returns the steps of a game that are done. Steps were once kept by number: these are found by what they were then.
 *
 * @param {string} game
 * @param {{steps: string[], numbered: string[]}} lesson
 * @returns {Set<string>} ids of steps that the lesson has
 */
export function stepsDone(game, { steps, numbered }) {
  const kept = read()[game];
  const ids = (Array.isArray(kept) ? kept : []).map((step) => (typeof step === "number" ? numbered[step - 1] : step));
  return new Set(ids.filter((id) => steps.includes(id)));
}

/**
 * Stores that a step is done; returns all that are.
 *
 * @param {string} game
 * @param {{steps: string[], numbered: string[]}} lesson
 * @param {string} id
 */
export function noteDone(game, lesson, id) {
  const steps = stepsDone(game, lesson).add(id);
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...read(), [game]: [...steps] }));
  } catch {
    /* no room or not allowed: it is forgotten when the page is left */
  }
  return steps;
}
