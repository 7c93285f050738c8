/** How pieces move and vanish: at the usual speed no action takes longer than `LONGEST` milliseconds in all. */

import { setting } from "../net/settings.js";

export const LONGEST = 300;
export const MOTION = { duration: 210, easing: "cubic-bezier(.3, .1, .2, 1)" };
export const BURST = 180; // as in board.css
const STEP = 60; // from one step of a chain reaction to the next, if it is short
const PACES = { slow: 2, normal: 1, fast: 0.5, off: 0 }; // as `--pace` in base.css

/**
 * Returns how long something takes at the speed that the visitor has chosen.
 *
 * @param {number} time in milliseconds at the usual speed
 */
export const paced = (time) => time * PACES[setting("motion")];

/** Returns how a piece goes from one cell to another. */
export const motion = () => ({ ...MOTION, duration: paced(MOTION.duration) });

/**
 * Returns when each step of a chain reaction begins, in milliseconds at the usual speed.
 *
 * @param {number} steps the number of the last step, the first being 0
 * @returns {(step: number) => number}
 */
export function stepTimes(steps) {
  const pause = Math.min(STEP, (LONGEST - BURST) / Math.max(steps, 1));
  return (step) => Math.round(step * pause);
}
