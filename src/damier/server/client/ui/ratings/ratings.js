/**
 * Ratings as text: beside nicknames and levels, and after a game.
 *
 * @import { LevelName, MatchSnapshot, RatingData } from "../../net/wire.d.ts"
 */

import { t } from "../../net/language.js";
import { h } from "../dom.js";

/**
 * Returns a rating as it stands beside a name; an uncertain one has a question mark.
 *
 * @param {RatingData} rating
 */
export const ratingText = ({ value, is_provisional: isProvisional }) => `${value}${isProvisional ? "?" : ""}`;

/**
 * Returns a change with its sign: "+12", "−8", "±0".
 *
 * @param {number} change
 */
export const signed = (change) => (change > 0 ? `+${change}` : change < 0 ? `−${-change}` : "±0");

/**
 * Makes the rating beside the name of a player, and what the match has changed in it.
 *
 * @param {MatchSnapshot["seats"][number]} seat
 * @param {Pick<MatchSnapshot, "ratings">} snapshot
 */
export function seatRating({ player, rating }, { ratings }) {
  if (!rating) return null;
  const change = ratings?.why_unrated ? undefined : ratings?.changes[player];
  const by = change ? change.after - change.before : 0;
  return h(
    "span",
    { class: "seat-rating", title: rating.is_provisional ? t("ratings.provisional") : null },
    ratingText(rating),
    change && [" ", h("b", { class: by < 0 ? "bad" : "good" }, signed(by))],
  );
}

/**
 * Says what a rated match has changed for the visitor, or why it did not count; "" if there is nothing to say.
 *
 * @param {Pick<MatchSnapshot, "ratings" | "seats">} snapshot
 */
export function changeSentence({ ratings, seats }) {
  if (!ratings) return "";
  if (ratings.why_unrated) return t(`ratings.unrated.${ratings.why_unrated}`);
  const mine = seats.filter((seat) => seat.is_mine);
  const change = mine.length === 1 ? ratings.changes[mine[0].player] : undefined;
  return change
    ? t("ratings.change", { change: signed(change.after - change.before), rating: String(change.after) })
    : "";
}

/**
 * Returns the name of a level with its number and, if it has been measured, its rating.
 *
 * @param {LevelName} level
 * @param {string} text number and name
 */
export const withRating = ({ rating }, text) => (rating === null ? text : `${text} (${rating})`);
