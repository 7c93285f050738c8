/**
 * The die of a match, and what proves that its rolls are fair.
 *
 * @import { DiceData, DrawingData, MatchState } from "../../net/wire.d.ts"
 */

import { die } from "../../board/pieces.js";
import { rolledPoints } from "../../board/rolls.js";
import { t } from "../../net/language.js";
import { h } from "../../ui/dom.js";

/**
 * Draws the last roll, if it is not drawn already.
 *
 * @param {HTMLElement} place
 * @param {DrawingData} drawing
 * @param {MatchState} state
 */
export function drawDie(place, drawing, { history, last }) {
  const rolls = rolledPoints(drawing, history);
  const points = rolls.at(-1);
  if (place.dataset.rolls !== String(rolls.length))
    place.replaceChildren(...(points ? [die(points, t("dice.shows", { points }))] : []));
  place.dataset.rolls = String(rolls.length);
  place.classList.toggle("used", last?.player !== "chance");
}

/**
 * Makes the fold with the hash and the seed of the rolls.
 *
 * @param {Element} place where the fold stands; it stays open or closed as it was
 * @param {string} number of the match
 * @param {DiceData | null} dice
 */
export function fairFold(place, number, dice) {
  if (!dice) return [];
  return [
    h(
      "details",
      { class: "fold", open: place.querySelector("details")?.open },
      h("summary", {}, t("dice.fair")),
      h("p", { class: "soft" }, t("dice.intro")),
      h(
        "dl",
        {},
        h("dt", {}, t("dice.hash")),
        h("dd", { class: "code" }, dice.hash),
        h("dt", {}, t("dice.seed")),
        h("dd", { class: "code" }, dice.seed ?? t("dice.seed.later")),
      ),
      h("a", { href: `/dice/${number}` }, t("dice.check.link")),
    ),
  ];
}
