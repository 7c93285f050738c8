/**
 * The form that makes a tournament: the game with its options, the kind, the clock and the start.
 *
 * @import { ClockTerms, GameData, NewTournament } from "../../net/wire.d.ts"
 * @import { Go, OptionValues } from "../../types.d.ts"
 * @typedef {{game: string, hasChance: boolean, options: OptionValues, kind: NewTournament["kind"], clock: number, rounds: number,
 *   minutes: number, days: number, starts: string, title: string, isRated: boolean}} Draft
 *   `hasChance` is whether the game has a die; `clock` is a place in `clocksOf`; `days` between two rounds, 0: as soon as
 *   all games are over
 */

import { post } from "../../net/api.js";
import { t } from "../../net/language.js";
import { button, h, sentenceOf } from "../../ui/dom.js";
import { number } from "../../ui/format.js";
import { optionFields } from "../../ui/start/option-fields.js";
import { liveClocks } from "../../ui/seeking/time-controls.js";
import { clockWords } from "./words.js";

const HOUR = 3600;
const DAY = 24 * HOUR;
const TWO_PLAYERS = 2;

/** @type {ClockTerms[]} */
const SLOW = [
  { kind: "correspondence", base: 2 * DAY, increment: DAY, cap: 4 * DAY },
  { kind: "correspondence", base: 7 * DAY, increment: DAY, cap: 7 * DAY },
];
/** @param {Pick<Draft, "hasChance">} draft */
const clocksOf = ({ hasChance }) => [...liveClocks({ has_chance: hasChance }), ...SLOW];

/** @type {NewTournament["kind"][]} */
const KINDS = ["round_robin", "swiss", "arena"];

/**
 * @param {readonly GameData[]} games
 * @param {Go} go
 */
export function tournamentDialog(games, go) {
  /** @type {Draft} */
  const draft = {
    game: games[0].name,
    hasChance: games[0].has_chance,
    options: {},
    kind: "round_robin",
    clock: 1,
    rounds: 1,
    minutes: 60,
    days: 0,
    starts: "",
    title: "",
    isRated: false,
  };
  const problem = h("p", { class: "problem", role: "alert" });
  const options = h("div", {});
  const shape = h("div", { class: "fields" });
  const drawOptions = () => {
    const game = games.find(({ name }) => name === draft.game) ?? games[0];
    const two = game.options.filter(({ name }) => name !== "players");
    draft.hasChance = game.has_chance;
    draft.options = game.options.length > two.length ? { players: TWO_PLAYERS } : {};
    options.replaceChildren(...[optionFields({ ...game, options: two }, draft, () => {}) ?? ""]);
  };
  const drawShape = () => shape.replaceChildren(...shapeFields(draft, drawShape));
  const make = async (/** @type {Event} */ event) => {
    event.preventDefault();
    problem.textContent = "";
    try {
      const made = await post("tournaments", bodyOf(draft));
      dialog.close();
      await go(`/t/${made.number}`);
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    { class: "start", "aria-labelledby": "tournament-title", close: () => dialog.remove() },
    h(
      "form",
      { submit: make },
      h("h2", { id: "tournament-title" }, t("tournaments.make")),
      h(
        "label",
        { class: "field" },
        h("span", {}, t("tournament.title")),
        h("input", {
          type: "text",
          name: "title",
          required: true,
          maxlength: 60,
          autocomplete: "off",
          input: ({ currentTarget }) => (draft.title = currentTarget.value),
        }),
      ),
      field(
        t("tournament.game"),
        "game",
        games.map(({ name, title }) => [name, title]),
        draft.game,
        (value) => {
          draft.game = value;
          drawOptions();
          drawShape();
        },
      ),
      options,
      kindField(draft, drawShape),
      shape,
      problem,
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "submit", class: "main" }, t("tournaments.make.do")),
        button(t("start.cancel"), () => dialog.close()),
      ),
    ),
  );
  drawOptions();
  drawShape();
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * Returns the request.
 *
 * @param {Draft} draft
 * @returns {NewTournament}
 */
export function bodyOf(draft) {
  const clock = clocksOf(draft)[draft.clock];
  const isArena = draft.kind === "arena";
  const hasDays = draft.days > 0 && !isArena && clock.kind === "correspondence";
  return {
    title: draft.title.trim(),
    kind: draft.kind,
    game: draft.game,
    options: draft.options,
    clock,
    is_rated: draft.isRated,
    rounds: isArena ? 0 : draft.rounds,
    minutes: isArena ? draft.minutes : 0,
    starts: draft.starts ? new Date(draft.starts).toISOString() : null,
    round_seconds: hasDays ? draft.days * DAY : null,
  };
}

/**
 * @param {Draft} draft
 * @param {() => void} redraw
 */
const kindField = (draft, redraw) =>
  h(
    "fieldset",
    { class: "segments" },
    h("legend", {}, t("tournament.kind")),
    KINDS.map((kind) =>
      h(
        "label",
        {},
        h("input", {
          type: "radio",
          name: "kind",
          value: kind,
          checked: draft.kind === kind,
          change: () => {
            draft.kind = kind;
            draft.rounds = kind === "swiss" ? 5 : 1;
            redraw();
          },
        }),
        h("span", {}, t(`tournament.${kind}`)),
      ),
    ),
  );

/**
 * Makes the fields that go with the kind.
 *
 * @param {Draft} draft
 * @param {() => void} redraw
 */
function shapeFields(draft, redraw) {
  const isArena = draft.kind === "arena";
  const all = clocksOf(draft);
  const clocks = [...all.entries()].filter(([, clock]) => !isArena || clock.kind === "live");
  if (!clocks.some(([i]) => i === draft.clock)) draft.clock = 1;
  const isSlow = all[draft.clock].kind === "correspondence";
  const fields = [
    field(
      t("tournament.clock"),
      "clock",
      clocks.map(([i, clock]) => [String(i), clockWords(clock)]),
      String(draft.clock),
      (value) => {
        draft.clock = Number(value);
        redraw();
      },
    ),
    lengthField(draft),
    h(
      "label",
      { class: "field" },
      h("span", {}, t("tournament.start")),
      h("input", {
        type: "datetime-local",
        name: "starts",
        value: draft.starts,
        change: ({ currentTarget }) => (draft.starts = currentTarget.value),
      }),
      h("small", {}, t("tournament.start.help")),
    ),
    h(
      "label",
      { class: "check" },
      h("input", {
        type: "checkbox",
        name: "rated",
        checked: draft.isRated,
        change: ({ currentTarget }) => (draft.isRated = currentTarget.checked),
      }),
      h("span", {}, t("tournament.rated.ask")),
    ),
  ];
  if (isSlow && !isArena)
    fields.splice(
      2,
      0,
      field(
        t("tournament.days"),
        "days",
        [0, 3, 7, 14, 30].map((days) => [
          String(days),
          days ? t("tournament.days.every", { count: days }) : t("tournament.days.none"),
        ]),
        String(draft.days),
        (value) => (draft.days = Number(value)),
      ),
    );
  return fields;
}

/** @param {Draft} draft */
function lengthField(draft) {
  if (draft.kind === "arena")
    return field(
      t("tournament.minutes"),
      "minutes",
      [20, 30, 45, 60, 90, 120, 180].map((minutes) => [String(minutes), number(minutes)]),
      String(draft.minutes),
      (value) => (draft.minutes = Number(value)),
    );
  const isSwiss = draft.kind === "swiss";
  const counts = isSwiss ? [3, 4, 5, 6, 7, 9, 11] : [1, 2];
  return field(
    t(isSwiss ? "tournament.rounds" : "tournament.times"),
    "rounds",
    counts.map((count) => [String(count), isSwiss ? number(count) : t(`tournament.times.${count}`)]),
    String(draft.rounds),
    (value) => (draft.rounds = Number(value)),
  );
}

/**
 * @param {string} label
 * @param {string} name
 * @param {string[][]} choices values and texts
 * @param {string} value
 * @param {(value: string) => void} change
 */
const field = (label, name, choices, value, change) =>
  h(
    "label",
    { class: "field" },
    h("span", {}, label),
    h(
      "select",
      { name, change: ({ currentTarget }) => change(currentTarget.value) },
      choices.map(([each, text]) => h("option", { value: each, selected: each === value }, text)),
    ),
  );
