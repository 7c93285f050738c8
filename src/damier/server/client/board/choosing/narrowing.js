/**
 * How clicks narrow the legal actions. Pure functions: of an action only its cells, in order, matter.
 *
 * @import { ActionData as Action } from "../../net/wire.d.ts"
 * @typedef {{picked: string[], play?: Action, choices?: Action[], misfit?: string[]}} Outcome of a click: what is picked
 *   now, the action to play, actions to choose from, or cells that fit no action
 */

export const HAND = "@";

/**
 * Returns the actions whose cells begin with those picked.
 *
 * @param {readonly Action[]} actions
 * @param {readonly string[]} picked
 */
export const narrow = (actions, picked) =>
  actions.filter(({ cells }) => cells.length >= picked.length && picked.every((cell, i) => cells[i] === cell));

/**
 * Returns the actions that are complete with the cells picked.
 *
 * @param {readonly Action[]} actions
 * @param {readonly string[]} picked
 */
export const complete = (actions, picked) =>
  narrow(actions, picked).filter(({ cells }) => cells.length === picked.length);

/**
 * Returns the cells that may be picked next, each with the actions that go on there.
 *
 * @param {readonly Action[]} actions
 * @param {readonly string[]} picked
 */
export function following(actions, picked) {
  /** @type {Map<string, Action[]>} */
  const found = new Map();
  for (const action of narrow(actions, picked)) {
    const cell = action.cells[picked.length];
    if (cell !== undefined) found.set(cell, [...(found.get(cell) ?? []), action]);
  }
  return found;
}

/**
 * Returns the actions without cells, which are buttons.
 *
 * @param {readonly Action[]} actions
 */
export const buttons = (actions) => actions.filter(({ cells }) => cells.length === 0);

/**
 * Returns what is picked before any click: the hand, if nothing else can be.
 *
 * @param {readonly Action[]} actions
 * @returns {string[]}
 */
export function atFirst(actions) {
  const first = [...following(actions, []).keys()];
  return first.length === 1 && first[0] === HAND ? [HAND] : [];
}

/**
 * Returns the outcome of a click on a cell after those picked.
 *
 * @param {readonly Action[]} actions
 * @param {readonly string[]} picked
 * @param {string} cell
 * @returns {Outcome}
 */
export function pick(actions, picked, cell) {
  for (const cells of ways(picked, cell)) {
    const left = narrow(actions, cells);
    if (left.length) return settle(left, cells, picked);
  }
  if (picked.at(-1) === cell) return { picked: atFirst(actions) };
  const chosen = atFirst(actions).length ? picked.filter((each) => each !== HAND) : picked; // what was clicked
  return { picked: atFirst(actions), misfit: [...chosen, cell] };
}

/**
 * Returns what a click may mean, the likeliest first: go on, begin anew, or come in from the hand.
 *
 * @param {readonly string[]} picked
 * @param {string} cell
 */
function ways(picked, cell) {
  if (picked.length && picked.at(-1) === cell) return [];
  return [[...picked, cell], [cell], [HAND, cell]];
}

/**
 * Plays the only action left, but asks first where a click in the middle of a choice both begins and ends another.
 *
 * @param {Action[]} left
 * @param {string[]} cells
 * @param {readonly string[]} picked
 * @returns {Outcome}
 */
function settle(left, cells, picked) {
  const whole = left.filter((action) => action.cells.length === cells.length);
  const isOther = cells.length === 1 && picked.some((cell) => cell !== HAND);
  if (left.length === 1 && (whole.length || cells.length > 1) && !isOther) return { picked: [], play: left[0] };
  return whole.length ? { picked: cells, choices: whole } : { picked: cells };
}
