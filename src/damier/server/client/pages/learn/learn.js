/**
 * The list of all games to learn: lesson, rules, puzzles and more of each.
 *
 * @import { GameData, LessonSteps } from "../../net/wire.d.ts"
 * @import { OpenPage } from "../../types.d.ts"
 */

import { showExample } from "../../board/example-board.js";
import { allGames, get } from "../../net/api.js";
import { t } from "../../net/language.js";
import { h, styles } from "../../ui/dom.js";
import { stepsDone } from "./progress.js";

const MORE = ["rules", "puzzles", "explore", "analyse"];

/** @type {OpenPage} */
export async function open(page) {
  const [games, lessons] = await Promise.all([allGames(), get("lessons"), styles("learn")]);
  document.title = `${t("learn.title")} · damier`;
  page.className = "home learn";
  page.replaceChildren(
    h("h1", {}, t("learn.title")),
    h("p", { class: "motto" }, t("learn.intro")),
    h(
      "section",
      { class: "games" },
      games.map((game, i) => card(game, lessons[game.name], i)),
    ),
  );
}

/**
 * @param {GameData} game
 * @param {LessonSteps | undefined} lesson
 * @param {number} i
 */
function card(game, lesson = { steps: [], basics: [], numbered: [] }, i = 0) {
  const place = h("div", { class: "card-board" });
  showExample(place, game, 300 * i);
  const done = stepsDone(game.name, lesson);
  const isDone = lesson.steps.every((id) => done.has(id));
  const knowsBasics = lesson.basics.every((id) => done.has(id));
  const what = t(done.size === 0 ? "learn.start" : isDone ? "learn.again" : "learn.continue");
  return h(
    "article",
    { class: "card" },
    place,
    h("h2", {}, game.title),
    h("p", { class: "soft" }, game.summary),
    h(
      "div",
      { class: "buttons" },
      h(
        "a",
        {
          class: knowsBasics ? "as-button" : "as-button main",
          href: `/learn/${game.name}`,
          "aria-label": t("learn.lesson.game", { what, game: game.title }),
        },
        what,
      ),
    ),
    progress(done, lesson),
    h(
      "nav",
      { class: "more", "aria-label": t("learn.more", { game: game.title }) },
      MORE.map((kind) => h("a", { href: `/${kind}/${game.name}` }, t(`learn.${kind}`))),
    ),
  );
}

/**
 * Shows how much of the basics is done, then how much of all.
 *
 * @param {Set<string>} done
 * @param {LessonSteps} lesson
 */
function progress(done, { steps, basics }) {
  const inBasics = basics.filter((id) => done.has(id)).length;
  const [count, all] = inBasics < basics.length ? [inBasics, basics.length] : [done.size, steps.length];
  const name = inBasics < basics.length ? "learn.basics" : count < all ? "learn.progress" : "learn.done";
  return h(
    "p",
    { class: "steps-done soft" },
    h("span", {}, t(name, { count, all })),
    done.size ? h("progress", { value: count, max: all, "aria-hidden": "true" }) : null,
  );
}
