/** The form that starts a match: who plays, which side, and the options that the game declares. */

import { newMatch } from "../net/api.js";
import { t, tOr } from "../net/language.js";
import { button, h } from "./dom.js";

/** How many players a match has: an option of that name says so, else the game. */
export function playersOf(game, options) {
  const declared = game.options.find(({ name }) => name === "players");
  return declared ? game.players.slice(0, Number(options.players ?? declared.default)) : game.players;
}

/** The seats of a match, in the order of the players. `side` is mine, -1 any; `seats` says it for each seat. */
export function seatsOf(game, { options, who, level, side, seats }) {
  const players = playersOf(game, options);
  if (seats?.length === players.length) return seats.map((seat) => (Number(seat) ? { level: Number(seat) } : seat));
  const mine = side < 0 ? Math.floor(Math.random() * players.length) : Math.min(side, players.length - 1);
  const other = { computer: { level }, board: "me", friend: "open" }[who];
  return players.map((_, i) => (i === mine ? "me" : other));
}

export function startDialog(game, go) {
  const chosen = {
    who: "computer",
    level: game.levels[Math.min(1, game.levels.length - 1)]?.level ?? 1,
    side: 0,
    options: {},
  };
  const problem = h("p", { class: "problem", role: "alert" });
  const against = h("div", { class: "fields" });
  const redraw = () => {
    const fields =
      playersOf(game, chosen.options).length > 2
        ? seatFields(game, chosen)
        : [levelField(game, chosen), sideField(game, chosen)];
    against.replaceChildren(...fields.filter(Boolean));
  };
  const begin = async (event) => {
    event.preventDefault();
    problem.textContent = "";
    try {
      const given = await newMatch(game.name, chosen.options, seatsOf(game, chosen));
      dialog.close();
      await go(`/m/${given.number}`, given);
    } catch (error) {
      problem.textContent = error.message;
    }
  };
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

function whoField(chosen, redraw) {
  return h(
    "fieldset",
    { class: "segments" },
    h("legend", {}, t("start.who")),
    ["computer", "board", "friend"].map((who) =>
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

function levelField(game, chosen) {
  if (chosen.who !== "computer") return null;
  return h(
    "label",
    { class: "field" },
    h("span", {}, t("start.level")),
    h(
      "select",
      { change: ({ target }) => (chosen.level = Number(target.value)) },
      game.levels.map(({ level, name }) =>
        h("option", { value: level, selected: level === chosen.level }, `${level} · ${name}`),
      ),
    ),
  );
}

function sideField(game, chosen) {
  if (chosen.who === "board") return null;
  const sides = [...playersOf(game, chosen.options).map(({ name }, i) => [i, name]), [-1, t("start.side.any")]];
  return h(
    "label",
    { class: "field" },
    h("span", {}, t("start.side")),
    h(
      "select",
      { change: ({ target }) => (chosen.side = Number(target.value)) },
      sides.map(([i, name]) =>
        h(
          "option",
          { value: i, selected: i === chosen.side },
          i === 0 ? t("start.side.first", { player: name }) : name,
        ),
      ),
    ),
  );
}

/** With more than two players each seat is chosen by itself. */
function seatFields(game, chosen) {
  const players = playersOf(game, chosen.options);
  const others = { computer: String(chosen.level), board: "me", friend: "open" }[chosen.who];
  chosen.seats = players.map((_, i) => (i === 0 ? "me" : others));
  const kinds = [
    ["me", t("start.seat.me")],
    ["open", t("start.seat.open")],
    ...game.levels.map(({ level, name }) => [String(level), t("start.seat.level", { level, name })]),
  ];
  return players.map(({ name }, i) =>
    h(
      "label",
      { class: "field" },
      h("span", {}, name),
      h(
        "select",
        { change: ({ target }) => (chosen.seats[i] = target.value) },
        kinds.map(([value, text]) => h("option", { value, selected: value === chosen.seats[i] }, text)),
      ),
    ),
  );
}

/** Fields for the options that a game declares; those that are not as usual go into `chosen.options`. */
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
        h("span", {}, tOr(`option.${option.name}`, option.name)),
        optionInput(option, (value) => {
          if (value === String(option.default) || value === "") delete chosen.options[option.name];
          else chosen.options[option.name] = isNumber(option) ? Number(value) : value;
          redraw();
        }),
        h("small", {}, option.help),
      ),
    ),
  );
}

const isNumber = (option) => ["number", "integer"].includes(option.kind ?? option.type);

function optionInput(option, change) {
  const changed = ({ target }) => change(target.value.trim());
  const kind = option.kind ?? option.type;
  if (isNumber(option)) {
    const [min, max] = [option.least ?? option.low, option.most ?? option.high];
    return h("input", {
      type: "number",
      min,
      max,
      value: option.default,
      required: true,
      inputmode: "numeric",
      change: changed,
    });
  }
  if (kind === "choice")
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
