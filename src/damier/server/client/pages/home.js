/**
 * The first page: the games, the visitor's matches, what is known.
 *
 * @import { GameData, MatchSummary } from "../net/wire.d.ts"
 * @import { Go, OpenPage } from "../types.d.ts"
 */

import { Board } from "../board/board.js";
import { showExample } from "../board/example-board.js";
import { allGames, drawing, newMatch } from "../net/api.js";
import { t } from "../net/language.js";
import { lastMatches } from "../net/me.js";
import { button, h, sentenceOf } from "../ui/dom.js";
import { seatsOf, usualLevel } from "../ui/start/new-match.js";

/** @type {OpenPage} */
export async function open(page, { go }) {
  document.title = "damier";
  const earlier = h("section", { class: "earlier", hidden: true });
  const games = await allGames();
  page.className = "home";
  page.replaceChildren(
    h("h1", { class: "unseen" }, t("home.title")),
    h("p", { class: "motto" }, t("home.motto")),
    earlier,
    h(
      "section",
      { class: "games" },
      games.map((game, i) => card(game, i, go)),
      known(games),
    ),
    h(
      "footer",
      { class: "page-foot" },
      h("a", { href: "/leaderboard", class: "quiet-link" }, t("ratings.leaderboard")),
      " ",
      h("a", { href: "/tournaments", class: "quiet-link" }, t("tournaments.title")),
      " ",
      h("a", { href: "/matches", class: "quiet-link" }, t("matches.title")),
      " ",
      h("a", { href: "/privacy", class: "quiet-link" }, t("privacy.title")),
    ),
  );
  showEarlier(earlier, games);
}

/**
 * @param {GameData} game
 * @param {number} i
 * @param {Go} go
 */
function card(game, i, go) {
  const place = h("div", { class: "card-board" });
  showExample(place, game, 300 * i);
  const problem = h("p", { class: "problem", role: "alert" });
  const begin = async (/** @type {{currentTarget: HTMLButtonElement}} */ { currentTarget }) => {
    currentTarget.disabled = true;
    try {
      await playAtOnce(game, go);
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
    currentTarget.disabled = false;
  };
  return h(
    "article",
    { class: "card" },
    place,
    h("h2", {}, game.title),
    h("p", { class: "soft summary" }, game.summary),
    h(
      "div",
      { class: "buttons" },
      button(t("home.play"), begin, {
        look: "main",
        title: t("home.play.title"),
        "aria-label": t("home.play.game", { game: game.title }),
      }),
      button(t("home.choose"), async () => (await import("../ui/start/start-dialog.js")).startDialog(game, go), {
        "aria-label": t("home.choose.game", { game: game.title }),
      }),
      h(
        "a",
        { href: `/learn/${game.name}`, class: "quiet-link", "aria-label": t("learn.home.game", { game: game.title }) },
        t("nav.learn"),
      ),
    ),
    problem,
  );
}

/**
 * Begins a game against the computer at its usual level, moving first.
 *
 * @param {GameData} game
 * @param {Go} go
 */
async function playAtOnce(game, go) {
  const given = await newMatch(
    game.name,
    {},
    seatsOf(game, { options: {}, who: "computer", level: usualLevel(game), side: 0 }),
  );
  await go(`/m/${given.number}`, given);
}

/** @param {GameData[]} games */
function known(games) {
  const lines = games
    .filter((game) => game.solved)
    .map((game) => h("li", {}, h("b", {}, game.title), h("span", {}, game.solved)));
  return h(
    "article",
    { class: "card facts" },
    h("h2", {}, t("home.known")),
    h("p", { class: "soft" }, t("home.known.intro")),
    lines.length ? h("ul", {}, lines) : h("p", {}, t("home.known.none")),
  );
}

/**
 * @param {HTMLElement} place
 * @param {GameData[]} games
 */
async function showEarlier(place, games) {
  const matches = await lastMatches().catch(() => /** @type {MatchSummary[]} */ ([]));
  const open = matches.filter((match) => !match.result);
  const listed = [...open, ...matches.filter((match) => match.result)].slice(0, 6);
  if (!listed.length) return;
  const titles = Object.fromEntries(games.map((game) => [game.name, game]));
  place.hidden = false;
  place.replaceChildren(
    h("h2", {}, t(open.length ? "home.continue" : "home.last")),
    h(
      "ul",
      {},
      listed.map((match) => row(match, titles[match.game])),
    ),
  );
}

/**
 * @param {MatchSummary} match
 * @param {GameData | undefined} game
 */
function row(match, game) {
  const state =
    match.result?.sentence ??
    (match.is_my_turn ? t("match.your_turn") : t("match.turn_of", { player: match.mover_name ?? "" }));
  const place = h("div", { class: "mini-board" });
  showPosition(place, match);
  return h(
    "li",
    {},
    h(
      "a",
      { href: `/m/${match.number}`, class: match.is_my_turn && !match.result ? "mine" : "" },
      place,
      h(
        "div",
        {},
        h("b", {}, game?.title ?? match.game),
        h("span", { class: "soft" }, opponents(match, game)),
        h("span", {}, state),
      ),
    ),
  );
}

/**
 * Fills a place with the board of a match as it stands.
 *
 * @param {HTMLElement} place
 * @param {MatchSummary} match
 */
async function showPosition(place, { game, options, pieces, marks }) {
  const found = await drawing(game, options).catch(() => null);
  if (!found) return;
  const board = new Board(found, { coordinates: false });
  board.show({ pieces, marks });
  place.replaceChildren(board.element);
}

/**
 * @param {MatchSummary} match
 * @param {GameData | undefined} game
 */
function opponents(match, game) {
  const others = match.seats.filter((seat) => !seat.is_mine);
  if (!others.length) return t("home.with.board");
  const seat = others[0];
  if (seat.kind === "computer") {
    const level = game?.levels.find(({ level: each }) => each === seat.level);
    return t("home.with.computer", { level: level?.name ?? seat.level ?? "" });
  }
  return seat.kind === "open" ? t("home.with.open") : t("home.with.person", { name: seat.nickname ?? "" });
}
