/**
 * The page of a tournament: standings, pairings, the visitor's game. It asks the server again every two seconds while
 * games are played; the server answers with nothing but a 304 if nothing has changed.
 *
 * @import { OpenPage } from "../../types.d.ts"
 * @import { GameData, StandingData, TournamentData, TournamentGameData } from "../../net/wire.d.ts"
 */

import { allGames, get, post } from "../../net/api.js";
import { t } from "../../net/language.js";
import { askFirst } from "../../ui/ask-first.js";
import { button, h, places, sentenceOf, styles } from "../../ui/dom.js";
import { speak } from "../../ui/speak.js";
import { points, statusWords, termsWords, when } from "./words.js";

const PAUSE = { running: 2000, waiting: 4000 };

/** @type {OpenPage} */
export async function open(page, { argument, go }) {
  const path = /** @type {const} */ (`tournaments/${encodeURIComponent(argument)}`);
  const [games, first] = await Promise.all([allGames(), get(path), styles("online/tournaments")]);
  let data = first;
  /** @type {number | null} the round that the visitor has chosen; null: the last one */
  let round = null;
  let timer = 0;
  let isLeft = false;
  const parts = places(["about", "mine", "pairings", "table"], "tournament-");
  const problem = h("p", { class: "problem", role: "alert" });

  const draw = () => {
    document.title = `${data.title} · damier`;
    parts.about.replaceChildren(...about(data, games));
    parts.mine.replaceChildren(...mine(data, act));
    parts.pairings.replaceChildren(...pairings(data, choose));
    parts.table.replaceChildren(standings(data));
  };
  const take = (/** @type {TournamentData} */ found) => {
    const news = found.own.match !== null && found.own.match !== data.own.match;
    const isChanged = found.version !== data.version || found.pairings?.number !== data.pairings?.number;
    data = found;
    if (isChanged) draw();
    if (news) begin(found);
  };
  /**
   * Tells that the visitor's game has begun; takes the visitor to a live one.
   *
   * @param {TournamentData} found
   */
  const begin = (found) => {
    speak(t("tournament.mine.begun"));
    if (found.clock.kind === "live" && document.hasFocus() && !document.querySelector("dialog[open]"))
      go(`/m/${found.own.match}`);
  };
  const ask = async () => {
    try {
      if (!document.hidden) take(await get(path, round === null ? {} : { round }));
      problem.textContent = "";
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  const follow = () => {
    if (isLeft || !(data.status in PAUSE)) return;
    timer = setTimeout(
      async () => {
        await ask();
        follow();
      },
      PAUSE[/** @type {keyof typeof PAUSE} */ (data.status)],
    );
  };
  /** @param {"join" | "withdraw" | "start" | "cancel"} what */
  const act = async (what) => {
    try {
      take(await post(`${path}/acts`, { do: what }));
      problem.textContent = "";
      parts.mine.querySelector("button")?.focus();
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  /** @param {number | null} chosen */
  const choose = (chosen) => {
    round = chosen;
    ask();
  };
  const back = () => {
    if (!document.hidden) ask();
  };

  page.className = "tournament-page";
  page.replaceChildren(
    parts.about,
    parts.mine,
    problem,
    h("div", { class: "tournament-columns" }, parts.table, parts.pairings),
  );
  draw();
  follow();
  document.addEventListener("visibilitychange", back);
  return () => {
    isLeft = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", back);
  };
}

/**
 * @param {TournamentData} data
 * @param {readonly GameData[]} games
 */
function about(data, games) {
  const records = `/api/tournaments/${encodeURIComponent(data.number)}/records`;
  const hasGames = data.pairings?.games.some(({ match }) => match) ?? false;
  return [
    h("a", { href: "/tournaments", class: "quiet-link" }, t("tournaments.all")),
    h("h1", {}, data.title),
    h("p", { class: "soft" }, termsWords(data, games)),
    h("p", { class: "soft" }, t("tournament.maker", { name: data.maker })),
    h("p", { class: "state" }, progress(data)),
    hasGames
      ? h(
          "p",
          {},
          h("a", { href: records, target: "_self", download: "", class: "quiet-link" }, t("tournament.records")),
        )
      : null,
  ].filter((each) => each !== null);
}

/** @param {TournamentData} data */
function progress(data) {
  if (data.status !== "running") return statusWords(data);
  if (data.ends) return t("tournament.until", { time: when(data.ends) });
  const round = t("tournament.round.of", { round: data.round, total: data.round_total });
  return data.next_round ? `${round} ${t("tournament.round.next", { time: when(data.next_round) })}` : round;
}

/**
 * What the visitor is in the tournament, and can do.
 *
 * @param {TournamentData} data
 * @param {(what: "join" | "withdraw" | "start" | "cancel") => void} act
 */
function mine({ own, status }, act) {
  const parts = [];
  if (own.match)
    parts.push(
      h(
        "p",
        { class: "my-game" },
        h("b", {}, t("tournament.mine.playing")),
        h("a", { href: `/m/${own.match}`, class: "as-button main" }, t("tournament.mine.go")),
      ),
    );
  else if (own.is_playing && status === "running") parts.push(h("p", {}, t("tournament.mine.wait")));
  else if (own.is_playing && status === "waiting") parts.push(h("p", {}, t("tournament.mine.joined")));
  else if (!own.is_signed_in && (status === "waiting" || status === "running"))
    parts.push(h("p", { class: "soft" }, t("tournament.mine.guest")));
  const buttons = [
    own.can_join && button(t("tournament.join"), () => act("join"), { look: "main" }),
    own.can_start && button(t("tournament.begin"), () => act("start"), { look: own.can_join ? "" : "main" }),
    own.can_withdraw && button(t("tournament.withdraw"), () => leave(status, act)),
    own.can_cancel && button(t("tournament.cancel"), () => sure("cancel", act)),
  ].filter((each) => each !== false);
  if (buttons.length) parts.push(h("div", { class: "buttons" }, buttons));
  return parts;
}

/**
 * Withdraws; asks first if games are being played.
 *
 * @param {TournamentData["status"]} status
 * @param {(what: "withdraw") => void} act
 */
const leave = (status, act) => (status === "running" ? sure("withdraw", act) : act("withdraw"));

/**
 * @template {"withdraw" | "cancel"} W
 * @param {W} what
 * @param {(what: W) => void} act
 */
const sure = (what, act) => askFirst(t(`tournament.${what}.sure`), t(`tournament.${what}`), () => act(what));

/** @param {TournamentData} data */
function standings(data) {
  const isArena = data.kind === "arena";
  const breaks = isArena ? [] : data.tie_breaks.filter((each) => each !== "wins");
  const heads = ["rank", "name", "points", ...breaks, "score"];
  if (!data.standings.length) return h("p", { class: "panel empty" }, t("tournament.players.none"));
  return h(
    "div",
    { class: "panel standings" },
    h("h2", { id: "standings" }, t("tournament.standings")),
    h(
      "div",
      { class: "wide", tabindex: "0", role: "region", "aria-labelledby": "standings" },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            heads.map((each) =>
              h(
                "th",
                { scope: "col", class: each, title: t(`tournament.column.${each}.long`) },
                t(`tournament.column.${each}`),
              ),
            ),
          ),
        ),
        h(
          "tbody",
          {},
          data.standings.map((each) => standing(each, breaks)),
        ),
      ),
    ),
  );
}

/**
 * @param {StandingData} row
 * @param {TournamentData["tie_breaks"]} breaks
 */
function standing(row, breaks) {
  const signs = [
    row.is_program && h("span", { class: "sign" }, t("tournament.program")),
    row.is_withdrawn && h("span", { class: "sign" }, t("tournament.withdrawn")),
    row.is_on_streak && h("span", { class: "sign hot", title: t("tournament.streak.long") }, t("tournament.streak")),
    row.is_playing && h("span", { class: "sign live" }, t("tournament.playing")),
  ].filter((each) => each !== false);
  return h(
    "tr",
    { class: row.is_me ? "own-row" : "", "aria-current": row.is_me ? "true" : null },
    h("td", { class: "rank" }, String(row.rank)),
    h("th", { scope: "row", class: "name" }, h("span", {}, row.name), h("small", {}, ` ${row.rating}`), signs),
    h("td", { class: "points" }, points(row.points)),
    breaks.map((each) => h("td", { class: each }, points(row.tie_breaks[each] ?? 0))),
    h("td", { class: "score" }, `${row.wins}–${row.draws}–${row.losses}`),
  );
}

/**
 * @param {TournamentData} data
 * @param {(round: number | null) => void} choose
 */
function pairings(data, choose) {
  const shown = data.pairings;
  if (!shown) return [];
  const isArena = data.kind === "arena";
  const rounds = Array.from({ length: data.round }, (_, i) => i + 1);
  const picker =
    rounds.length > 1
      ? h(
          "label",
          { class: "field" },
          h("span", { class: "unseen" }, t("tournament.round.choose")),
          h(
            "select",
            {
              change: ({ currentTarget }) =>
                choose(Number(currentTarget.value) === data.round ? null : Number(currentTarget.value)),
            },
            rounds.map((each) =>
              h("option", { value: each, selected: each === shown.number }, t("tournament.round", { round: each })),
            ),
          ),
        )
      : null;
  return [
    h(
      "div",
      { class: "panel" },
      h(
        "div",
        { class: "pairings-head" },
        h("h2", {}, isArena ? t("tournament.games.last") : t("tournament.round", { round: shown.number })),
        picker,
      ),
      h("ul", { class: "pairing-list" }, shown.games.map(pairing)),
      shown.byes.length ? h("p", { class: "soft" }, t("tournament.byes", { names: shown.byes.join(", ") })) : null,
    ),
  ];
}

/** @param {TournamentGameData} game */
function pairing(game) {
  const result = game.result ? t(`tournament.result.${game.result}`) : t("tournament.result.none");
  const sign = game.is_forfeit ? t("tournament.forfeit") : "";
  const texts = [
    h("span", { class: game.result === "first" ? "won" : "" }, game.first),
    h("b", { class: "result" }, result),
    h("span", { class: game.result === "second" ? "won" : "" }, game.second),
    sign ? h("small", {}, sign) : null,
  ];
  return h("li", {}, game.match ? h("a", { href: `/m/${game.match}` }, texts) : h("div", {}, texts));
}
