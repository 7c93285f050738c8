/**
 * The page of all tournaments: those that can be joined or watched, and those that are over.
 *
 * @import { OpenPage } from "../../types.d.ts"
 * @import { GameData, TournamentSummary } from "../../net/wire.d.ts"
 */

import { allGames, get } from "../../net/api.js";
import { t } from "../../net/language.js";
import { account } from "../../net/me.js";
import { button, h, sentenceOf, styles } from "../../ui/dom.js";
import { statusWords, termsWords } from "./words.js";

/** @type {OpenPage} */
export async function open(page, { go }) {
  const [games, current, over] = await Promise.all([
    allGames(),
    get("tournaments", { status: "open" }),
    get("tournaments", { status: "ended" }),
    styles("online/tournaments"),
  ]);
  document.title = `${t("tournaments.title")} · damier`;
  page.className = "tournaments-page";
  const make = async () => (await import("./new-tournament.js")).tournamentDialog(games, go);
  page.replaceChildren(
    h(
      "header",
      { class: "tournaments-head" },
      h("h1", {}, t("tournaments.title")),
      account()
        ? button(t("tournaments.make"), make, { look: "main" })
        : h("a", { class: "as-button", href: "/account" }, t("tournaments.sign_in.make")),
    ),
    h("p", { class: "soft" }, t("tournaments.intro")),
    section("open", t("tournaments.open"), t("tournaments.open.none"), current, games),
    section("ended", t("tournaments.ended"), "", over, games),
  );
}

/**
 * Makes a list that grows by a page with each press of a button.
 *
 * @param {"open" | "ended"} status
 * @param {string} title
 * @param {string} none what is said of an empty list; "" hides it
 * @param {{tournaments: TournamentSummary[], before: string | null}} first
 * @param {readonly GameData[]} games
 */
function section(status, title, none, first, games) {
  const list = h("ul", { class: "tournament-list" });
  const problem = h("p", { class: "problem", role: "alert" });
  let before = first.before;
  const add = (/** @type {TournamentSummary[]} */ found) => list.append(...found.map((each) => row(each, games)));
  const more = button(t("tournaments.more"), async () => {
    try {
      const next = await get("tournaments", { status, before: before ?? "" });
      add(next.tournaments);
      before = next.before;
      more.hidden = !before;
      problem.textContent = "";
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  });
  more.hidden = !before;
  add(first.tournaments);
  return h(
    "section",
    { hidden: !first.tournaments.length && !none },
    h("h2", {}, title),
    first.tournaments.length ? list : h("p", { class: "panel empty" }, none),
    problem,
    more,
  );
}

/**
 * @param {TournamentSummary} tournament
 * @param {readonly GameData[]} games
 */
const row = (tournament, games) =>
  h(
    "li",
    {},
    h(
      "a",
      { href: `/t/${tournament.number}`, class: "panel tournament-row" },
      h("b", {}, tournament.title),
      h("span", { class: "soft" }, termsWords(tournament, games)),
      h("span", { class: "state" }, statusWords(tournament)),
      h("span", { class: "soft" }, t("tournament.players", { count: tournament.players })),
    ),
  );
