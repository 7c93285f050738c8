/**
 * What proves that the rolls of a match are fair.
 *
 * @import { DiceData } from "../../net/wire.d.ts"
 */

import { t } from "../../net/language.js";
import { h } from "../../ui/dom.js";

/**
 * Makes the fold with the hash and the seed of the rolls.
 *
 * @param {Element} place where the fold stands; it stays open or closed as it was
 * @param {string} number of the match
 * @param {DiceData | null} dice
 * @param {string | null} seed once the game is over
 */
export function fairFold(place, number, dice, seed) {
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
        h("dd", { class: "code" }, seed ?? t("dice.seed.later")),
      ),
      h("a", { href: `/dice/${number}` }, t("dice.check.link")),
    ),
  ];
}
