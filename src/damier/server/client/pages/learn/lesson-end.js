/**
 * The end of a lesson.
 *
 * @import { GameData } from "../../net/wire.d.ts"
 * @import { Go } from "../../types.d.ts"
 */

import { newMatch } from "../../net/api.js";
import { t } from "../../net/language.js";
import { button, h, sentenceOf } from "../../ui/dom.js";
import { seatsOf } from "../../ui/start-dialog.js";

/**
 * Makes the last words of a lesson and the links to what comes next.
 *
 * @param {GameData} game
 * @param {number} done
 * @param {number} all
 * @param {Go} go
 */
export function lessonEnd(game, done, all, go) {
  const problem = h("p", { class: "problem", role: "alert" });
  const begin = async () => {
    try {
      const given = await newMatch(game.name, {}, seatsOf(game, { options: {}, who: "computer", level: 1, side: 0 }));
      await go(`/m/${given.number}`, given);
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  const way = (/** @type {string} */ address, /** @type {string} */ text) =>
    h("a", { class: "as-button", href: address }, text);
  return [
    h("h2", { tabindex: "-1" }, t("lesson.end")),
    h("p", {}, t(done < all ? "lesson.end.some" : "lesson.end.all", { count: done, all })),
    h(
      "div",
      { class: "ways-on" },
      button(t("lesson.end.play"), begin, { look: "main" }),
      way(`/puzzles/${game.name}`, t("lesson.end.puzzles")),
      way(`/rules/${game.name}`, t("lesson.end.rules")),
      way("/learn", t("lesson.end.others")),
    ),
    problem,
  ];
}
