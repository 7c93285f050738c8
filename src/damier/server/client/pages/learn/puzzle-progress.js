/**
 * Which puzzles of a game are solved, the streak and the filters, kept in this browser.
 *
 * @import { PuzzleEntry } from "../../net/wire.d.ts"
 * @typedef {{theme?: string, difficulty?: number}} Filter
 */

const KEY = "damier.puzzles";

export class PuzzleProgress {
  /** @param {string} game */
  constructor(game) {
    this.game = game;
    const { solved = [], streak = 0, filter = {} } = read()[game] ?? {};
    this.solved = new Set(solved);
    this.streak = streak;
    this.filter = filter;
  }

  store() {
    const kept = { solved: [...this.solved], streak: this.streak, filter: this.filter };
    try {
      localStorage.setItem(KEY, JSON.stringify({ ...read(), [this.game]: kept }));
    } catch {
      /* storage is full or forbidden: the progress lasts as long as the page */
    }
  }
}

/** @returns {Record<string, {solved?: string[], streak?: number, filter?: Filter}>} */
function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * Returns the first puzzle after `after` that fits the filter and is not solved; if all are solved, any other.
 *
 * @param {readonly PuzzleEntry[]} puzzles
 * @param {{solved: Set<string>, filter: Filter}} progress
 * @param {string} [after] id of a puzzle; by default from the first on
 */
export function nextPuzzle(puzzles, { solved, filter: { theme, difficulty } }, after) {
  const fitting = puzzles.filter(
    (each) => (!theme || each.theme === theme) && (!difficulty || each.difficulty === difficulty),
  );
  const start = fitting.findIndex(({ id }) => id === after) + 1;
  const ordered = [...fitting.slice(start), ...fitting.slice(0, start)];
  return (ordered.find(({ id }) => !solved.has(id)) ?? ordered[0])?.id;
}
