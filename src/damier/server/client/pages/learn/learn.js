/**
 * The list of all games to learn: lesson, rules, puzzles and more of each.
 *
 * @import { GameData } from "../../net/wire.d.ts"
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
  const [games, counts] = await Promise.all([allGames(), get("lessons"), styles("learn")]);
  document.title = `${t("learn.title")} · damier`;
  page.className = "home learn";
  page.replaceChildren(
    h("h1", {}, t("learn.title")),
    h("p", { class: "motto" }, t("learn.intro")),
    h(
      "section",
      { class: "games" },
      games.map((game, i) => card(game, counts[game.name], i)),
    ),
  );
}

/**
 * @param {GameData} game
 * @param {number} all steps
 * @param {number} i
 */
function card(game, all, i) {
  const place = h("div", { class: "card-board" });
  showExample(place, game, 300 * i);
  const done = [...stepsDone(game.name)].filter((number) => number <= all).length;
  const what = t(done === 0 ? "learn.start" : done < all ? "learn.continue" : "learn.again");
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
          class: done < all ? "as-button main" : "as-button",
          href: `/learn/${game.name}`,
          "aria-label": t("learn.lesson.game", { what, game: game.title }),
        },
        what,
      ),
    ),
    progress(done, all),
    h(
      "nav",
      { class: "more", "aria-label": t("learn.more", { game: game.title }) },
      MORE.map((kind) => h("a", { href: `/${kind}/${game.name}` }, t(`learn.${kind}`))),
    ),
  );
}

/**
 * @param {number} done
 * @param {number} all
 */
function progress(done, all) {
  const text = t(done === 0 ? "learn.steps" : done < all ? "learn.progress" : "learn.done", { count: done, all });
  return h(
    "p",
    { class: "steps-done soft" },
    h("span", {}, text),
    done ? h("progress", { value: done, max: all, "aria-hidden": "true" }) : null,
  );
}
