/** How pieces move and vanish: no action takes longer than `LONGEST` milliseconds in all. */

export const LONGEST = 300;
export const MOTION = { duration: 210, easing: "cubic-bezier(.3, .1, .2, 1)" };
export const BURST = 180; // as in board.css
const STEP = 60; // from one step of a chain reaction to the next, if it is short

/**
 * Returns when each step of a chain reaction begins, in milliseconds.
 *
 * @param {number} steps the number of the last step, the first being 0
 * @returns {(step: number) => number}
 */
export function stepTimes(steps) {
  const pause = Math.min(STEP, (LONGEST - BURST) / Math.max(steps, 1));
  return (step) => Math.round(step * pause);
}
