/**
 * Rolls of a die among the actions of a game; which they are, the drawing says.
 *
 * @import { DrawingData } from "../net/wire.d.ts"
 */

import { t } from "../net/language.js";
import { die } from "./pieces.js";

/**
 * Returns the points of the rolls among some actions.
 *
 * @param {Pick<DrawingData, "rolls">} drawing
 * @param {readonly string[]} actions
 */
export const rolledPoints = (drawing, actions) =>
  actions.map((action) => drawing.rolls[action]).filter((points) => points !== undefined);

/**
 * Returns an action as it stands in a list: a roll is shown as a die.
 *
 * @param {Pick<DrawingData, "rolls">} drawing
 * @param {string} action
 */
export function shownAction(drawing, action) {
  const points = drawing.rolls[action];
  return points === undefined ? action : die(points, t("dice.shows", { points }));
}
