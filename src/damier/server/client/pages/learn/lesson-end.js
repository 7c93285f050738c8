/**
 * The end of a lesson.
 *
 * @import { GameData } from "../../net/wire.d.ts"
 * @import { Go } from "../../types.d.ts"
 */

import { newMatch } from "../../net/api.js";
import { t } from "../../net/language.js";
import { button, h, sentenceOf } from "../../ui/dom.js";
import { seatsOf, usualLevel } from "../../ui/start/new-match.js";

/**
 * Makes the last words of a lesson and the links to what comes next: first the steps that are not done, if there are any.
 *
 * @param {GameData} game
 * @param {{done: number, all: number, goOn: () => void}} steps `goOn` opens the first that is not done
 * @param {Go} go
 */
export function lessonEnd(game, { done, all, goOn }, go) {
  const isDone = done >= all;
  const problem = h("p", { class: "problem", role: "alert" });
  const begin = async () => {
    try {
      const given = await newMatch(
        game.name,
        {},
        seatsOf(game, { options: {}, who: "computer", level: usualLevel(game), side: 0 }),
      );
      await go(`/m/${given.number}`, given);
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  const way = (/** @type {string} */ address, /** @type {string} */ text) =>
    h("a", { class: "as-button", href: address }, text);
  return [
    h("h2", { tabindex: "-1" }, t(isDone ? "lesson.end" : "lesson.end.open")),
    h("p", {}, t(isDone ? "lesson.end.all" : "lesson.end.some", { count: done, all })),
    h(
      "div",
      { class: "ways-on" },
      isDone ? null : button(t("lesson.end.go_on"), goOn, { look: "main" }),
      button(t("lesson.end.play"), begin, { look: isDone ? "main" : "" }),
      way(`/puzzles/${game.name}`, t("lesson.end.puzzles")),
      way(`/rules/${game.name}`, t("lesson.end.rules")),
      way("/learn", t("lesson.end.others")),
    ),
    problem,
  ];
}
