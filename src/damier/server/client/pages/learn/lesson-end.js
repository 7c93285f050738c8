/**
 * The end of the basics, and of a whole lesson.
 *
 * @import { GameData } from "../../net/wire.d.ts"
 * @import { Go } from "../../types.d.ts"
 * @typedef {{all: number, done: number, basics: number, basicsDone: number, open: (() => void) | null,
 *   next: {chapter: string, go: () => void} | null}} Steps `open` leads to the first basic step that is not done, `next`
 *   to the next chapter
 */

import { newMatch } from "../../net/api.js";
import { t } from "../../net/language.js";
import { button, h, sentenceOf } from "../../ui/dom.js";
import { seatsOf } from "../../ui/start/new-match.js";

const FIRST_LEVEL = 1;

/**
 * Makes the last words and the ways on: first the basic steps that are not done, if there are any, else a first match.
 *
 * @param {GameData} game
 * @param {Steps} steps
 * @param {Go} go
 */
export function lessonEnd(game, steps, go) {
  const { open, next } = steps;
  const problem = h("p", { class: "problem", role: "alert" });
  const begin = async () => {
    try {
      const seats = seatsOf(game, { options: {}, who: "computer", level: FIRST_LEVEL, side: 0 });
      const given = await newMatch(game.name, {}, seats);
      await go(`/m/${given.number}`, given);
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  const way = (/** @type {string} */ address, /** @type {string} */ text) =>
    h("a", { class: "as-button", href: address }, text);
  return [
    h("h2", { tabindex: "-1" }, t(open ? "lesson.end.open" : "lesson.end")),
    h("p", {}, words(steps)),
    h(
      "div",
      { class: "ways-on" },
      open && button(t("lesson.end.go_on"), open, { look: "main" }),
      button(t("lesson.end.play"), begin, { look: open ? "" : "main" }),
      next && button(t("lesson.end.next", { chapter: t(`lesson.chapter.${next.chapter}`) }), next.go),
      way(`/puzzles/${game.name}`, t("lesson.end.puzzles")),
      way(`/rules/${game.name}`, t("lesson.end.rules")),
      way("/learn", t("lesson.end.others")),
    ),
    problem,
  ];
}

/** @param {Steps} steps */
function words({ all, done, basics, basicsDone, open }) {
  if (open) return t("lesson.end.some", { count: basicsDone, all: basics });
  return done < all ? t("lesson.end.basics") : t("lesson.end.all");
}
