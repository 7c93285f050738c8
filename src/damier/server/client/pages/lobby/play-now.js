/**
 * Play now: a row of clocks for each game, and a form for any of several games and clocks at once.
 *
 * @import { ClockTerms, GameData, NewSeek } from "../../net/wire.d.ts"
 */

import { t } from "../../net/language.js";
import { h } from "../../ui/dom.js";
import { clockText, clockTitle, liveClocks, SLOW_CLOCKS } from "../../ui/seeking/time-controls.js";

/** @param {Pick<GameData, "has_chance">} game */
const clocksOf = (game) => [...liveClocks(game), SLOW_CLOCKS[0]];

/**
 * @param {GameData[]} games
 * @param {(seek: NewSeek) => unknown} seek
 */
export function playNow(games, seek) {
  const rated = h("input", { type: "checkbox", name: "rated" });
  const ask = (/** @type {[string, ClockTerms][]} */ wanted) =>
    seek({
      kind: "open",
      terms: wanted.map(([game, clock]) => ({ game, clock, options: {}, is_rated: rated.checked })),
      reach: rated.checked ? 200 : null,
    });
  return h(
    "section",
    { class: "panel play-now" },
    h("h2", {}, t("lobby.now")),
    h("p", { class: "soft" }, t("lobby.now.intro")),
    h(
      "div",
      { class: "now-games" },
      games.map((game) => row(game, ask)),
    ),
    h("label", { class: "check" }, rated, h("span", {}, t("lobby.rated.play"))),
    several(games, ask),
  );
}

/**
 * @param {GameData} game
 * @param {(wanted: [string, ClockTerms][]) => unknown} ask
 */
function row(game, ask) {
  return h(
    "div",
    { class: "now-game", role: "group", "aria-label": game.title },
    h("b", {}, game.title),
    clocksOf(game).map((clock) =>
      h(
        "button",
        {
          type: "button",
          title: clockTitle(clock),
          "aria-label": t("lobby.now.button", { game: game.title, clock: clockTitle(clock) }),
          click: () => ask([[game.name, clock]]),
        },
        clockText(clock),
      ),
    ),
  );
}

/**
 * @param {GameData[]} games
 * @param {(wanted: [string, ClockTerms][]) => unknown} ask
 */
function several(games, ask) {
  const box = (/** @type {string} */ name, /** @type {number} */ value, /** @type {string} */ text, isOn = true) =>
    h("label", { class: "check" }, h("input", { type: "checkbox", name, value, checked: isOn }), h("span", {}, text));
  const problem = h("p", { class: "problem", role: "alert" });
  const submit = (/** @type {SubmitEvent & {currentTarget: HTMLFormElement}} */ event) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const chosen = data.getAll("game").map((i) => games[Number(i)]);
    const speeds = data.getAll("clock").map(Number);
    problem.textContent = chosen.length && speeds.length ? "" : t("lobby.several.none");
    if (problem.textContent) return;
    ask(
      speeds.flatMap((i) => chosen.map((game) => /** @type {[string, ClockTerms]} */ ([game.name, clocksOf(game)[i]]))),
    );
  };
  return h(
    "details",
    { class: "several" },
    h("summary", {}, t("lobby.several")),
    h(
      "form",
      { submit },
      h(
        "fieldset",
        {},
        h("legend", {}, t("lobby.several.games")),
        games.map(({ title }, i) => box("game", i, title)),
      ),
      h(
        "fieldset",
        {},
        h("legend", {}, t("lobby.several.clocks")),
        clocksOf({ has_chance: false }).map((clock, i) => box("clock", i, clockText(clock), clock.kind === "live")),
      ),
      problem,
      h("button", { type: "submit", class: "main" }, t("lobby.several.play")),
    ),
  );
}
