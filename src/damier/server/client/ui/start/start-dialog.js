/**
 * The form that starts a match: who plays, which side, and the options that the game declares.
 *
 * @import { GameData } from "../../net/wire.d.ts"
 * @import { Go } from "../../types.d.ts"
 * @import { Chosen, Who } from "./new-match.js"
 */

import { newMatch } from "../../net/api.js";
import { t } from "../../net/language.js";
import { choose } from "../../net/settings.js";
import { clocksFor, clockText } from "../clock-text.js";
import { button, h, sentenceOf } from "../dom.js";
import { withRating } from "../ratings/ratings.js";
import { playersOf, seatsOf, usualLevel } from "./new-match.js";
import { optionFields } from "./option-fields.js";

export { optionFields, playersOf, seatsOf };

/** @type {readonly Who[]} */
const WHO = ["computer", "board", "friend"];

/**
 * @param {GameData} game
 * @param {Go} go
 */
export function startDialog(game, go) {
  /** @type {Chosen} */
  const chosen = {
    who: "computer",
    level: usualLevel(game),
    side: 0,
    options: {},
    allowsHelp: false,
    clock: null,
  };
  const problem = h("p", { class: "problem", role: "alert" });
  const against = h("div", { class: "fields" });
  const redraw = () => {
    chosen.seats = undefined;
    against.replaceChildren(
      ...(playersOf(game, chosen.options).length > 2
        ? seatFields(game, chosen)
        : [levelField(game, chosen), sideField(game, chosen), clockField(game, chosen), helpField(chosen)]),
    );
  };
  const begin = async (/** @type {Event} */ event) => {
    event.preventDefault();
    problem.textContent = "";
    if (chosen.who === "computer") choose("level", chosen.level);
    try {
      const clock = isShared(chosen) ? chosen.clock : null;
      const given = await newMatch(game.name, chosen.options, seatsOf(game, chosen), chosen.allowsHelp, clock);
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
  return h(
    "label",
    { class: "field" },
    h("span", {}, t("start.level")),
    h(
      "select",
      {
        name: "level",
        disabled: chosen.who !== "computer",
        change: ({ currentTarget }) => (chosen.level = Number(currentTarget.value)),
      },
      game.levels.map((each) =>
        h(
          "option",
          { value: each.level, selected: each.level === chosen.level },
          withRating(each, `${each.level} · ${each.name}`),
        ),
      ),
    ),
  );
}

/**
 * @param {GameData} game
 * @param {Chosen} chosen
 */
function sideField(game, chosen) {
  const names = playersOf(game, chosen.options).map(({ name }) => name);
  return h(
    "label",
    { class: "field" },
    h("span", {}, t("start.side")),
    h(
      "select",
      {
        name: "side",
        disabled: chosen.who === "board",
        change: ({ currentTarget }) => (chosen.side = Number(currentTarget.value)),
      },
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
 * Tells whether another person may play.
 *
 * @param {Chosen} chosen
 */
const isShared = (chosen) => (chosen.seats ? chosen.seats.includes("open") : chosen.who === "friend");

/**
 * Makes the choice of a clock; it is for matches between persons.
 *
 * @param {GameData} game
 * @param {Chosen} chosen
 */
function clockField(game, chosen) {
  const all = clocksFor(game.has_chance);
  const chosenAt = all.findIndex((each) => JSON.stringify(each) === JSON.stringify(chosen.clock));
  return h(
    "label",
    { class: "field" },
    h("span", {}, t("clock.choose")),
    h(
      "select",
      {
        name: "clock",
        disabled: !isShared(chosen),
        change: ({ currentTarget }) => (chosen.clock = all[Number(currentTarget.value)] ?? null),
      },
      h("option", { value: -1, selected: chosenAt < 0 }, t("clock.none")),
      all.map((terms, i) => h("option", { value: i, selected: i === chosenAt }, clockText(terms))),
    ),
  );
}

/**
 * Makes the field that allows help, where another person may play; a sentence in its place where nobody else does.
 *
 * @param {Chosen} chosen
 */
function helpField(chosen) {
  if (!isShared(chosen)) return h("p", { class: "check soft" }, t(`start.note.${chosen.who}`));
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
  const help = h("div", { class: "check" });
  const clock = h("div", { class: "check" });
  const drawHelp = () => {
    help.replaceChildren(helpField(chosen));
    clock.replaceChildren(clockField(game, chosen));
  };
  drawHelp();
  const kinds = [
    ["me", t("start.seat.me")],
    ["open", t("start.seat.open")],
    ...game.levels.map((each) => {
      const { level, name } = each;
      return [String(level), withRating(each, t("start.seat.level", { level, name }))];
    }),
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
  return [...fields, clock, help];
}
