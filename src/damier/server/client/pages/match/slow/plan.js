/**
 * A line that is being planned: actions with the turn and the player of each, in whole turns.
 *
 * @typedef {{action: string, turn: number, player: string}} Step
 * @typedef {{turn: number, mover: string, result: object | null}} Reached the state after the steps
 */

/**
 * Returns the steps as turns.
 *
 * @param {Step[]} steps
 * @returns {string[][]}
 */
export function turnsOf(steps) {
  /** @type {Map<number, string[]>} */
  const turns = new Map();
  for (const { action, turn } of steps) turns.set(turn, [...(turns.get(turn) ?? []), action]);
  return [...turns.values()];
}

/**
 * Tells whether the steps are a line: they end with a whole turn of one's own.
 *
 * @param {Step[]} steps
 * @param {Reached} reached
 * @param {string} me
 */
export function isLine(steps, reached, me) {
  const last = steps.at(-1);
  return last !== undefined && last.player === me && (reached.turn !== last.turn || Boolean(reached.result));
}

/**
 * Returns a line in one text: their turn, an arrow, the answer, and so on.
 *
 * @param {string[][]} line
 */
export const lineText = (line) => line.map((turn, i) => (i ? (i % 2 ? " → " : "; ") : "") + turn.join("+")).join("");
