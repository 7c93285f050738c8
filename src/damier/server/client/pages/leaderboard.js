/**
 * The leaderboards: the best accounts of each game and speed.
 *
 * @import { GameData, Leaderboard } from "../net/wire.d.ts"
 * @import { Go, OpenPage } from "../types.d.ts"
 * @typedef {{game: string, speed: string, players: number, programs: boolean, page: number}} Choice
 */

import { allGames, get } from "../net/api.js";
import { t } from "../net/language.js";
import { button, h, sentenceOf, styles } from "../ui/dom.js";
import { Tabs } from "../ui/tabs.js";

const SPEEDS = ["live", "correspondence"];

/** @type {OpenPage} */
export async function open(page, { go }) {
  const [all] = await Promise.all([allGames(), styles("online/ratings")]);
  document.title = `${t("ratings.leaderboard")} · damier`;
  page.className = "leaderboard-page";
  const chosen = readChoice(new URLSearchParams(location.search), all);
  const board = h("div", { class: "leaderboard", "aria-live": "polite" });
  let visit = 0;
  const show = async () => {
    const mine = ++visit;
    history.replaceState(null, "", address(chosen));
    drawMore();
    try {
      const found = await get(`ratings/${encodeURIComponent(poolName(chosen))}`, { page: chosen.page });
      if (mine === visit) board.replaceChildren(...boardOf(found, turnTo, go));
    } catch (error) {
      if (mine === visit) board.replaceChildren(h("p", { class: "soft" }, sentenceOf(error)));
    }
  };
  const turnTo = (/** @type {number} */ number) => {
    chosen.page = number;
    show();
  };
  const change = (/** @type {Partial<Choice>} */ what) => {
    Object.assign(chosen, { page: 1 }, what);
    show();
  };
  const more = h("div", { class: "leaderboard-more" });
  const drawMore = () => {
    const most = all.find(({ name }) => name === chosen.game)?.players.length ?? 2;
    const counts = Array.from({ length: most - 1 }, (_, i) => i + 2);
    const key = `${most} ${chosen.players}`;
    if (more.dataset.drawn === key) return;
    more.dataset.drawn = key;
    more.replaceChildren(...moreFields(counts, chosen, change));
  };
  const gameTabs = new Tabs(
    all.map(({ name, title }) => ({ name, title, content: null })),
    { label: t("ratings.games.label"), chosen: chosen.game, changed: (game) => change({ game, players: 2 }) },
  );
  const speedTabs = new Tabs(
    SPEEDS.map((speed) => ({ name: speed, title: t(`ratings.${speed}`), content: null })),
    { label: t("ratings.speed.label"), chosen: chosen.speed, changed: (speed) => change({ speed }) },
  );
  page.replaceChildren(
    h("h1", {}, t("ratings.leaderboard")),
    tabBar(gameTabs, board),
    tabBar(speedTabs, board),
    more,
    board,
  );
  await show();
}

/**
 * Makes all tabs of a bar show the one board.
 *
 * @param {Tabs} tabs
 * @param {HTMLElement} board
 */
function tabBar({ bar }, board) {
  board.id = "leaderboard";
  for (const tab of bar.children) tab.setAttribute("aria-controls", board.id);
  return bar;
}

/**
 * @param {URLSearchParams} query
 * @param {readonly GameData[]} all
 * @returns {Choice}
 */
function readChoice(query, all) {
  const game = all.find(({ name }) => name === query.get("game")) ?? all[0];
  const speed = SPEEDS.find((each) => each === query.get("speed")) ?? SPEEDS[0];
  const players = Math.min(Math.max(2, Math.floor(Number(query.get("players"))) || 2), game.players.length);
  const page = Math.max(1, Math.floor(Number(query.get("page"))) || 1);
  return { game: game.name, speed, players, programs: query.has("programs"), page };
}

/** @param {Choice} chosen */
const poolName = ({ game, speed, players, programs }) =>
  `${game}${players > 2 ? `-${players}` : ""}.${speed}${programs ? "+programs" : ""}`;

/** @param {Choice} chosen */
function address({ game, speed, players, programs, page }) {
  const query = new URLSearchParams({ game, speed });
  if (players > 2) query.set("players", String(players));
  if (programs) query.set("programs", "");
  if (page > 1) query.set("page", String(page));
  return `/leaderboard?${query}`;
}

/**
 * @param {readonly number[]} counts of players that the game may have
 * @param {Choice} chosen
 * @param {(what: Partial<Choice>) => void} change
 */
const moreFields = (counts, chosen, change) => [
  ...(counts.length > 1
    ? [
        h(
          "label",
          { class: "field" },
          h("span", {}, t("ratings.players.label")),
          h(
            "select",
            { name: "players", change: ({ currentTarget }) => change({ players: Number(currentTarget.value) }) },
            counts.map((count) =>
              h("option", { value: count, selected: count === chosen.players }, t("ratings.players", { count })),
            ),
          ),
        ),
      ]
    : []),
  h(
    "label",
    { class: "check" },
    h("input", {
      type: "checkbox",
      name: "programs",
      checked: chosen.programs,
      change: ({ currentTarget }) => change({ programs: currentTarget.checked }),
    }),
    h("span", {}, t("ratings.programs.label")),
  ),
];

/**
 * @param {Leaderboard} found
 * @param {(page: number) => void} turnTo
 * @param {Go} go
 */
function boardOf({ entries, page, pages }, turnTo, go) {
  if (!entries.length && page === 1) return [nobody(go)];
  const head = ["place", "name", "value", "played"].map((name) =>
    h("th", { scope: "col" }, t(`ratings.column.${name}`)),
  );
  const rows = entries.map(({ place, name, is_program: isProgram, value, games: played }) =>
    h(
      "tr",
      {},
      h("td", {}, String(place)),
      h(
        "th",
        { scope: "row" },
        h("a", { href: `/u/${encodeURIComponent(name)}` }, name),
        isProgram && h("span", { class: "soft" }, ` ${t("ratings.program")}`),
      ),
      h("td", {}, String(value)),
      h("td", {}, String(played)),
    ),
  );
  return [
    h("table", { class: "panel" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows)),
    ...(pages > 1
      ? [
          h(
            "nav",
            { class: "leaderboard-pages", "aria-label": t("ratings.pages") },
            button(t("ratings.before"), () => turnTo(page - 1), { disabled: page <= 1 }),
            h("span", { class: "soft" }, t("ratings.page", { page, pages })),
            button(t("ratings.after"), () => turnTo(page + 1), { disabled: page >= pages }),
          ),
        ]
      : []),
  ];
}

/**
 * Says how to get on a leaderboard on which nobody is yet.
 *
 * @param {Go} go
 */
const nobody = (go) =>
  h(
    "section",
    { class: "panel leaderboard-empty" },
    h("p", {}, h("b", {}, t("ratings.empty"))),
    h("p", {}, t("ratings.empty.how")),
    button(t("ratings.empty.play"), () => go("/"), { look: "main" }),
  );
