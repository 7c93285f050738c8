/**
 * The form of a seek that stays, or of a challenge to a friend: by link, or by the name of an account.
 *
 * @import { ClockTerms, GameData, SeekData } from "../../net/wire.d.ts"
 * @import { Go, OptionValues } from "../../types.d.ts"
 * @typedef {SeekData["kind"]} SeekKind
 */

import { t } from "../../net/language.js";
import { makeSeek } from "../../net/lobby.js";
import { button, h, sentenceOf } from "../../ui/dom.js";
import { playersOf } from "../../ui/start/new-match.js";
import { optionFields } from "../../ui/start/option-fields.js";
import { clockTitle, liveClocks, SLOW_CLOCKS } from "../../ui/seeking/time-controls.js";
import { showWaiting } from "../../ui/seeking/waiting.js";

/** @type {(game: GameData) => (ClockTerms | null)[]} */
const clocksOf = (game) => [...SLOW_CLOCKS, null, ...liveClocks(game)];
/** @type {SeekKind[]} */
const KINDS = ["open", "link", "challenge"];

/**
 * @param {GameData[]} games
 * @param {SeekKind} first the kind that is chosen at first
 * @param {Go} go
 * @param {string} [name] whom to challenge
 */
export function seekDialog(games, first, go, name = "") {
  let game = games[0];
  let kind = first;
  let isRated = false;
  let side = -1;
  let place = 0;
  let clock = clocksOf(game)[place];
  const chosen = { options: /** @type {OptionValues} */ ({}) };
  const problem = h("p", { class: "problem", role: "alert" });
  const options = h("div", {});
  const sides = h("div", {});
  const clocks = h("div", { class: "whole" });
  const stays = h("p", { class: "soft" });
  const rival = h("input", { type: "text", name: "rival", value: name, maxlength: 64, autocomplete: "off" });
  const named = h("label", { class: "field" }, h("span", {}, t("lobby.form.name")), rival);
  const rated = h("input", { type: "checkbox", change: ({ currentTarget }) => (isRated = currentTarget.checked) });
  const redraw = () => {
    named.hidden = kind !== "challenge";
    rated.disabled = !clock;
    stays.textContent = t(clock?.kind === "live" ? "lobby.form.stays.live" : "lobby.form.stays");
    sides.replaceChildren(sideField());
  };
  const sideField = () =>
    h(
      "label",
      { class: "field" },
      h("span", {}, t("start.side")),
      h(
        "select",
        { name: "side", change: ({ currentTarget }) => (side = Number(currentTarget.value)) },
        h("option", { value: -1, selected: side < 0 }, t("start.side.any")),
        playersOf(game, chosen.options).map(({ name }, i) =>
          h("option", { value: i, selected: i === side }, i ? name : t("start.side.first", { player: name })),
        ),
      ),
    );
  const chooseGame = (/** @type {number} */ i) => {
    game = games[i];
    chosen.options = {};
    clock = clocksOf(game)[place]; // the one of the same speed
    clocks.replaceChildren(clockField());
    options.replaceChildren(optionFields(game, chosen, redraw) ?? "");
    redraw();
  };
  const clockField = () =>
    select(
      t("lobby.form.clock"),
      "clock",
      clocksOf(game).map(clockTitle),
      (i) => {
        place = i;
        clock = clocksOf(game)[place];
        redraw();
      },
      place,
    );
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    problem.textContent = "";
    try {
      const { seek } = await makeSeek({
        kind,
        rival: kind === "challenge" ? rival.value.trim() : null,
        terms: [{ game: game.name, options: chosen.options, clock, is_rated: isRated && Boolean(clock) }],
        side: side < 0 ? null : side,
      });
      dialog.close();
      if (seek?.is_live) showWaiting(go);
      if (seek?.kind === "link") await go(`/lobby/${seek.number}`);
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    { class: "start", "aria-labelledby": "seek-title", close: () => dialog.remove() },
    h(
      "form",
      { submit },
      h("h2", { id: "seek-title" }, t("lobby.form.title")),
      kindField(kind, (value) => {
        kind = value;
        redraw();
      }),
      named,
      h(
        "div",
        { class: "fields" },
        select(
          t("lobby.form.game"),
          "game",
          games.map(({ title }) => title),
          chooseGame,
        ),
        clocks,
        sides,
      ),
      h("label", { class: "check" }, rated, h("span", {}, t("lobby.form.rated"))),
      options,
      stays,
      problem,
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "submit", class: "main" }, t("lobby.form.make")),
        button(t("start.cancel"), () => dialog.close()),
      ),
    ),
  );
  chooseGame(0);
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * @param {SeekKind} kind
 * @param {(kind: SeekKind) => void} change
 */
const kindField = (kind, change) =>
  h(
    "fieldset",
    { class: "segments" },
    h("legend", {}, t("lobby.form.who")),
    KINDS.map((each) =>
      h(
        "label",
        {},
        h("input", { type: "radio", name: "kind", value: each, checked: each === kind, change: () => change(each) }),
        h("span", {}, t(`lobby.form.who.${each}`)),
      ),
    ),
  );

/**
 * @param {string} label
 * @param {string} name
 * @param {string[]} texts
 * @param {(i: number) => void} change
 * @param {number} [first] the place that is chosen at first
 */
const select = (label, name, texts, change, first = 0) =>
  h(
    "label",
    { class: "field" },
    h("span", {}, label),
    h(
      "select",
      { name, change: ({ currentTarget }) => change(currentTarget.selectedIndex) },
      texts.map((text, i) => h("option", { selected: i === first }, text)),
    ),
  );
