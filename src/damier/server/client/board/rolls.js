/**
 * Rolls of a die among the actions of a game; which they are, the drawing says.
 *
 * @import { DrawingData } from "../net/wire.d.ts"
 */

import { t } from "../net/language.js";
import { setting } from "../net/settings.js";
import { die, smallPiece } from "./pieces.js";

/**
 * Returns the points of the rolls among some actions.
 *
 * @param {Pick<DrawingData, "rolls">} drawing
 * @param {readonly string[]} actions
 */
export const rolledPoints = (drawing, actions) =>
  actions.map((action) => drawing.rolls[action]).filter((points) => points !== undefined);

/**
 * Returns an action as it stands in a list: a roll is shown as a die, and where the visitor wants it, another action with
 * the piece of its player before it.
 *
 * @param {Pick<DrawingData, "rolls" | "looks">} drawing
 * @param {string} action
 * @param {string | null} [player] who acts, if that is known
 */
export function shownAction(drawing, action, player) {
  const points = drawing.rolls[action];
  if (points !== undefined) return [die(points, t("dice.shows", { points }))];
  const look = player && setting("notation") === "figurine" ? drawing.looks[player] : undefined;
  return look ? [smallPiece(look), action] : [action];
}
