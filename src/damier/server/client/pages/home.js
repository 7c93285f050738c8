/**
 * The first page: the games, the visitor's matches, what is known.
 *
 * @import { GameData, MatchSummary } from "../net/wire.d.ts"
 * @import { Go, OpenPage } from "../types.d.ts"
 */

import { showExample } from "../board/example-board.js";
import { allGames, get, newMatch } from "../net/api.js";
import { t } from "../net/language.js";
import { button, h, sentenceOf } from "../ui/dom.js";
import { seatsOf, startDialog } from "../ui/start-dialog.js";

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
    h("p", { class: "soft" }, game.summary),
    h(
      "div",
      { class: "buttons" },
      button(t("home.play"), begin, {
        look: "main",
        title: t("home.play.title"),
        "aria-label": t("home.play.game", { game: game.title }),
      }),
      button(t("home.choose"), () => startDialog(game, go), {
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
 * Begins a newcomer's game: against the easiest level, moving first.
 *
 * @param {GameData} game
 * @param {Go} go
 */
async function playAtOnce(game, go) {
  const given = await newMatch(
    game.name,
    {},
    seatsOf(game, { options: {}, who: "computer", level: game.levels[0]?.level ?? 1, side: 0 }),
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
    h("h3", {}, t("home.ways")),
    h(
      "ul",
      {},
      ["computer", "board", "friend"].map((who) => h("li", {}, h("span", {}, t(`home.ways.${who}`)))),
    ),
  );
}

/**
 * @param {HTMLElement} place
 * @param {GameData[]} games
 */
async function showEarlier(place, games) {
  const matches = await get("matches").catch(() => /** @type {MatchSummary[]} */ ([]));
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
  return h(
    "li",
    {},
    h(
      "a",
      { href: `/m/${match.number}`, class: match.is_my_turn && !match.result ? "mine" : "" },
      h("b", {}, game?.title ?? match.game),
      h("span", { class: "soft" }, opponents(match, game)),
      h("span", {}, state),
    ),
  );
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
  return t(seat.kind === "open" ? "home.with.open" : "home.with.friend");
}
