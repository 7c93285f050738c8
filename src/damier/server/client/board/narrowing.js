/**
 * How clicks narrow the legal actions. Pure functions: an action is known only by its cells in order.
 *
 * @typedef {{action: string, cells: string[]}} Action
 */

export const HAND = "@";

/** The actions whose cells begin with those picked. */
export const narrow = (actions, picked) =>
  actions.filter(({ cells }) => cells.length >= picked.length && picked.every((cell, i) => cells[i] === cell));

/** The actions that are complete with the cells picked. */
export const complete = (actions, picked) =>
  narrow(actions, picked).filter(({ cells }) => cells.length === picked.length);

/** What may be picked next: each cell with the actions that go on there. */
export function following(actions, picked) {
  const found = new Map();
  for (const action of narrow(actions, picked)) {
    const cell = action.cells[picked.length];
    if (cell !== undefined) found.set(cell, [...(found.get(cell) ?? []), action]);
  }
  return found;
}

/** The actions that are buttons. */
export const buttons = (actions) => actions.filter(({ cells }) => cells.length === 0);

/** What is picked before any click: the hand, if nothing else can be. */
export function atFirst(actions) {
  const first = [...following(actions, []).keys()];
  return first.length === 1 && first[0] === HAND ? [HAND] : [];
}

/**
 * A click on a cell after those picked.
 *
 * @param {Action[]} actions
 * @param {string[]} picked
 * @returns {{picked: string[], play?: Action, choices?: Action[], misfit?: string[]}}
 */
export function pick(actions, picked, cell) {
  for (const cells of ways(picked, cell)) {
    const left = narrow(actions, cells);
    if (left.length) return settle(left, cells, picked);
  }
  if (picked.at(-1) === cell) return { picked: atFirst(actions) };
  return { picked: atFirst(actions), misfit: [...picked.filter((each) => each !== HAND), cell] };
}

/** What a click may mean, the likeliest first: go on, begin anew, or come in from the hand. */
function ways(picked, cell) {
  if (picked.length && picked.at(-1) === cell) return [];
  return [[...picked, cell], [cell], [HAND, cell]];
}

/** Plays what is left alone, but asks first where a click in the middle of a choice begins another one and ends it. */
function settle(left, cells, picked) {
  const whole = left.filter((action) => action.cells.length === cells.length);
  const isOther = cells.length === 1 && picked.some((cell) => cell !== HAND);
  if (left.length === 1 && (whole.length || cells.length > 1) && !isOther) return { picked: [], play: left[0] };
  return whole.length ? { picked: cells, choices: whole } : { picked: cells };
}
