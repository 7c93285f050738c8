/** The place to learn: for each game its lesson, rules, puzzles and more. */

import { livingBoard } from "../../board/example-board.js";
import { allGames, get } from "../../net/api.js";
import { t } from "../../net/language.js";
import { h, styles } from "../../ui/dom.js";
import { stepsDone } from "./progress.js";

const MORE = ["rules", "puzzles", "explore", "analyse"];

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

function card(game, all, i) {
  const place = h("div", { class: "card-board" });
  livingBoard(place, game, 300 * i);
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

function progress(done, all) {
  const text = t(done === 0 ? "learn.steps" : done < all ? "learn.progress" : "learn.done", { done, all });
  return h(
    "p",
    { class: "steps-done soft" },
    h("span", {}, text),
    done ? h("progress", { value: done, max: all, "aria-hidden": "true" }) : null,
  );
}
