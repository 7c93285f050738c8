/** Which steps of the lessons are done, kept in this browser. */

const KEY = "damier.lessons";

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** The numbers of the steps of a game that are done, from 1. */
export function stepsDone(game) {
  const steps = read()[game];
  return new Set(Array.isArray(steps) ? steps : []);
}

/** Notes that a step is done. */
export function noteDone(game, number) {
  const steps = stepsDone(game).add(number);
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...read(), [game]: [...steps].sort((a, b) => a - b) }));
  } catch {
    /* no room or not allowed: it is forgotten when the page is left */
  }
  return steps;
}
