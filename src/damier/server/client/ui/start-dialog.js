/**
 * The form that starts a match: who plays, which side, and the options that the game declares.
 *
 * @import { GameData, NewMatch } from "../net/wire.d.ts"
 * @import { Go, OptionData, OptionValues } from "../types.d.ts"
 * @typedef {"computer" | "board" | "friend"} Who
 * @typedef {{who: Who, level: number, side: number, options: OptionValues, seats?: string[], allowsHelp: boolean}} Chosen
 *   `side` is mine, -1 any; `seats` are chosen one by one: `me`, `open` or a level; `allowsHelp` is for other persons
 */

import { newMatch } from "../net/api.js";
import { t } from "../net/language.js";
import { button, h, sentenceOf } from "./dom.js";

/** @type {readonly Who[]} */
const WHO = ["computer", "board", "friend"];

/**
 * Returns the players of a match; an option `players` says how many of those of the game.
 *
 * @param {GameData} game
 * @param {OptionValues} options
 */
export function playersOf(game, options) {
  const declared = game.options.find(({ name }) => name === "players");
  return declared ? game.players.slice(0, Number(options.players ?? declared.default)) : game.players;
}

/**
 * Returns the seats of a match, in the order of the players.
 *
 * @param {GameData} game
 * @param {Omit<Chosen, "allowsHelp">} chosen
 * @returns {NewMatch["seats"]}
 */
export function seatsOf(game, { options, who, level, side, seats }) {
  const players = playersOf(game, options);
  if (seats?.length === players.length)
    return seats.map((seat) => (seat === "me" || seat === "open" ? seat : { level: Number(seat) }));
  const mine = side < 0 ? Math.floor(Math.random() * players.length) : Math.min(side, players.length - 1);
  const other = /** @type {const} */ ({ computer: { level }, board: "me", friend: "open" })[who];
  return players.map((_, i) => (i === mine ? "me" : other));
}

/**
 * @param {GameData} game
 * @param {Go} go
 */
export function startDialog(game, go) {
  /** @type {Chosen} */
  const chosen = {
    who: "computer",
    level: game.levels[Math.min(1, game.levels.length - 1)]?.level ?? 1,
    side: 0,
    options: {},
    allowsHelp: false,
  };
  const problem = h("p", { class: "problem", role: "alert" });
  const against = h("div", { class: "fields" });
  const redraw = () => {
    chosen.seats = undefined;
    const fields =
      playersOf(game, chosen.options).length > 2
        ? seatFields(game, chosen)
        : [levelField(game, chosen), sideField(game, chosen), helpField(chosen)];
    against.replaceChildren(...fields.filter((field) => field !== null));
  };
  const begin = async (/** @type {Event} */ event) => {
    event.preventDefault();
    problem.textContent = "";
    try {
      const given = await newMatch(game.name, chosen.options, seatsOf(game, chosen), chosen.allowsHelp);
      dialog.close();
      await go(`/m/${given.number}`, given);
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    { class: "start", "aria-labelledby": "start-title", close: () => dialog.remove() },
    h(
      "form",
      { submit: begin },
      h("h2", { id: "start-title" }, game.title),
      h("p", { class: "soft" }, game.summary),
      whoField(chosen, redraw),
      against,
      optionFields(game, chosen, redraw),
      problem,
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "submit", class: "main" }, t("start.begin")),
        button(t("start.cancel"), () => dialog.close()),
      ),
    ),
  );
  redraw();
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * @param {Chosen} chosen
 * @param {() => void} redraw
 */
function whoField(chosen, redraw) {
  return h(
    "fieldset",
    { class: "segments" },
    h("legend", {}, t("start.who")),
    WHO.map((who) =>
      h(
        "label",
        {},
        h("input", {
          type: "radio",
          name: "who",
          value: who,
          checked: chosen.who === who,
          change: () => {
            chosen.who = who;
            redraw();
          },
        }),
        h("span", {}, t(`start.who.${who}`)),
      ),
    ),
  );
}

/**
 * @param {GameData} game
 * @param {Chosen} chosen
 */
function levelField(game, chosen) {
  if (chosen.who !== "computer") return null;
  return h(
    "label",
    { class: "field" },
    h("span", {}, t("start.level")),
    h(
      "select",
      { change: ({ currentTarget }) => (chosen.level = Number(currentTarget.value)) },
      game.levels.map(({ level, name }) =>
        h("option", { value: level, selected: level === chosen.level }, `${level} · ${name}`),
      ),
    ),
  );
}

/**
 * @param {GameData} game
 * @param {Chosen} chosen
 */
function sideField(game, chosen) {
  if (chosen.who === "board") return null;
  const names = playersOf(game, chosen.options).map(({ name }) => name);
  return h(
    "label",
    { class: "field" },
    h("span", {}, t("start.side")),
    h(
      "select",
      { change: ({ currentTarget }) => (chosen.side = Number(currentTarget.value)) },
      names.map((name, i) =>
        h(
          "option",
          { value: i, selected: i === chosen.side },
          i === 0 ? t("start.side.first", { player: name }) : name,
        ),
      ),
      h("option", { value: -1, selected: chosen.side < 0 }, t("start.side.any")),
    ),
  );
}

/**
 * Makes the field that allows help, where another person may play.
 *
 * @param {Chosen} chosen
 */
function helpField(chosen) {
  const isShared = chosen.seats ? chosen.seats.includes("open") : chosen.who === "friend";
  if (!isShared) return null;
  return h(
    "label",
    { class: "check" },
    h("input", {
      type: "checkbox",
      checked: chosen.allowsHelp,
      change: ({ currentTarget }) => (chosen.allowsHelp = currentTarget.checked),
    }),
    h("span", {}, t("start.help")),
  );
}

/**
 * Makes the fields of a match of more than two players, where each seat is chosen by itself.
 *
 * @param {GameData} game
 * @param {Chosen} chosen
 */
function seatFields(game, chosen) {
  const players = playersOf(game, chosen.options);
  const others = { computer: String(chosen.level), board: "me", friend: "open" }[chosen.who];
  const seats = players.map((_, i) => (i === 0 ? "me" : others));
  chosen.seats = seats;
  const help = h("div", {});
  const drawHelp = () => help.replaceChildren(...[helpField(chosen)].filter((field) => field !== null));
  drawHelp();
  const kinds = [
    ["me", t("start.seat.me")],
    ["open", t("start.seat.open")],
    ...game.levels.map(({ level, name }) => [String(level), t("start.seat.level", { level, name })]),
  ];
  const choose = (/** @type {number} */ i, /** @type {string} */ seat) => {
    seats[i] = seat;
    drawHelp();
  };
  const fields = players.map(({ name }, i) =>
    h(
      "label",
      { class: "field" },
      h("span", {}, name),
      h(
        "select",
        { change: ({ currentTarget }) => choose(i, currentTarget.value) },
        kinds.map(([value, text]) => h("option", { value, selected: value === seats[i] }, text)),
      ),
    ),
  );
  return [...fields, help];
}

/**
 * Makes the fields of the options of a game; those that differ from their defaults go into `chosen.options`.
 *
 * @param {GameData} game
 * @param {{options: OptionValues}} chosen
 * @param {() => void} redraw
 */
export function optionFields(game, chosen, redraw) {
  if (!game.options.length) return null;
  const isOpen = game.options.some(({ name }) => name === "players");
  return h(
    "details",
    { class: "options", open: isOpen },
    h("summary", {}, t("start.options")),
    game.options.map((option) =>
      h(
        "label",
        { class: "field" },
        h("span", {}, option.title),
        optionInput(option, (value) => {
          if (value === String(option.default) || value === "") delete chosen.options[option.name];
          else chosen.options[option.name] = option.type === "integer" ? Number(value) : value;
          redraw();
        }),
        h("small", {}, option.help),
      ),
    ),
  );
}

/**
 * @param {OptionData} option
 * @param {(value: string) => void} change
 */
function optionInput(option, change) {
  const changed = (/** @type {{currentTarget: HTMLInputElement | HTMLSelectElement}} */ { currentTarget }) =>
    change(currentTarget.value.trim());
  if (option.type === "integer") {
    const { low, high, default: usual } = option;
    const range = { type: "number", min: low, max: high, value: usual, required: true, inputmode: "numeric" };
    return h("input", { ...range, change: changed });
  }
  if (option.type === "choice")
    return h(
      "select",
      { change: changed },
      option.choices.map((choice) => h("option", { selected: choice === option.default }, choice)),
    );
  return h("input", {
    type: "text",
    placeholder: option.default,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    change: changed,
  });
}
