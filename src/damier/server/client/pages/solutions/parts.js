/**
 * The parts of a solution's page that show boards.
 *
 * @import { ChanceSolution, ChanceFact, ReturnFacts, GameSolutions, OutcomeSolution, OutcomeFact, ActionGroup,
 *   DrawingData } from "../../net/wire.d.ts"
 * @import { LinePlayer } from "../../board/line-player.js"
 * @import { Go, OptionValues } from "../../types.d.ts"
 * @import { Value } from "../../ui/values/values.js"
 * @typedef {{game: string, options: OptionValues, drawing: DrawingData, go: Go,
 *   explore: (more?: Record<string, string>) => string}} Shown a game of which boards are shown; `explore` returns an address
 *   of the explorer
 * @typedef {Shown & {known: GameSolutions, linePlayer: (title: string) => LinePlayer}} About
 */

import { Board } from "../../board/board.js";
import { heatOf } from "../../board/marks/heat.js";
import { HAND } from "../../board/choosing/narrowing.js";
import { chips, valuesOnCells } from "../../board/marks/value-chips.js";
import { post } from "../../net/api.js";
import { t } from "../../net/language.js";
import { h, sentenceOf } from "../../ui/dom.js";
import { number, percent, plies, valueWords } from "../../ui/format.js";
import { valueList } from "../../ui/values/values.js";
import { plot, shares } from "./plots.js";

/**
 * Makes a picture of a position after some actions; with values, a heat map.
 *
 * @param {Shown} about
 * @param {{actions?: string[], values?: Record<string, Value>, label: string}} what
 */
function boardWith(about, { actions = [], values, label }) {
  const board = new Board(about.drawing, { label });
  const place = h("div", { class: `small-board ${about.drawing.view}` }, board.element);
  post("lines/state", { game: about.game, options: about.options, actions }).then(
    (state) => {
      board.show(state);
      board.element.setAttribute("aria-label", `${label}. ${state.pieces.map((piece) => piece.label).join("; ")}`);
      if (!values) return;
      const data = { values };
      const picked = state.actions.every(({ cells }) => cells[0] === HAND) ? [HAND] : [];
      board.heat(heatOf(state.actions, data) ?? new Map());
      const found = valuesOnCells(state.actions, picked, data);
      board.showValues(chips(found, (cell) => board.chipPlace(cell), about.drawing.width));
    },
    (error) => place.replaceChildren(h("p", { class: "soft" }, error.message)),
  );
  return place;
}

/**
 * Makes a board that points at one action.
 *
 * @param {Shown} about
 * @param {string} position
 * @param {string} action
 * @param {string} label
 */
function pointed(about, position, action, label) {
  const board = new Board(about.drawing, { label });
  post("lines/state", { game: about.game, options: about.options, start: position, actions: [] }).then(
    (state) => {
      board.show(state);
      const cells = (state.actions.find((each) => each.action === action)?.cells ?? []).filter((cell) => cell !== HAND);
      board.mark({ picked: cells.slice(0, -1), targets: cells.slice(-1) });
      board.element.setAttribute("aria-label", `${label} ${state.pieces.map((piece) => piece.label).join("; ")}`);
    },
    () => {},
  );
  return h("div", { class: `small-board ${about.drawing.view}` }, board.element);
}

/**
 * @param {OutcomeFact | ChanceFact} value
 * @param {boolean} isProved
 * @returns {Value}
 */
const asValue = (value, isProved) =>
  value.outcome === "chance"
    ? { chance: value.chance, is_proved: isProved }
    : { value: value.outcome, distance: value.plies, is_proved: isProved };

// First actions -------------------------------------------------------------------------------------------------------

/**
 * Shows the values of the first actions; a table that knows no forbidden return proves none.
 *
 * @param {About} about
 * @param {OutcomeSolution["choices"]} choices
 * @param {boolean} isProved
 */
export function firstActions(about, choices, isProved) {
  return h(
    "div",
    { class: "boards" },
    choices.map((choice, i) => {
      const values = Object.fromEntries(
        choice.values.flatMap(({ value, actions }) => actions.map((action) => [action, asValue(value, isProved)])),
      );
      const player = about.known.players[choice.player];
      const title =
        i === 0
          ? t("solutions.first", { player })
          : i === 1 && choice.played.length === 1
            ? t("solutions.answers", { player, action: choice.played[0] })
            : t("solutions.choice", { player, actions: choice.played.join(" ") });
      return h(
        "figure",
        {},
        boardWith(about, { actions: choice.played, values, label: title }),
        h(
          "figcaption",
          {},
          h("h3", {}, title),
          groups(choice.values),
          h("a", { href: about.explore({ actions: choice.played.join(",") }) }, t("solutions.explore.here")),
        ),
      );
    }),
  );
}

/** @param {ActionGroup[]} values */
function groups(values) {
  if (values.length === 1)
    return h("p", {}, t("solutions.alike", { count: values[0].actions.length, value: valueWords(values[0].value) }));
  return h(
    "ul",
    { class: "groups" },
    values.map(({ value, actions }) =>
      h(
        "li",
        {},
        h("b", {}, `${number(actions.length)} × ${valueWords(value)}`),
        h("span", { class: "said" }, ` ${actions.join(" ")}`),
      ),
    ),
  );
}

/**
 * Shows the values of the actions after the first rolls.
 *
 * @param {About} about
 * @param {ChanceSolution["rolls"]} choices
 */
export function firstRolls(about, choices) {
  return [
    h("p", { class: "soft" }, t("solutions.rolls")),
    h(
      "div",
      { class: "boards" },
      choices.map(({ rolls, values }) => {
        const title = t("solutions.roll", { rolls: rolls.map((roll) => about.drawing.rolls[roll] ?? roll).join(", ") });
        const told = Object.fromEntries(values.map(([action, chance]) => [action, { chance }]));
        const best = values.filter(([, chance]) => chance === values[0][1]).map(([action]) => action);
        return h(
          "figure",
          {},
          boardWith(about, { actions: [rolls[0]], values: told, label: title }),
          h(
            "figcaption",
            {},
            h("h3", {}, title),
            h("p", {}, t("solutions.roll.best", { chance: percent(values[0][1], 2), actions: best.join(" ") })),
            h("a", { href: about.explore({ actions: rolls[0] }) }, t("solutions.explore.here")),
          ),
        );
      }),
    ),
  ];
}

// One action alone, and what choices cost -----------------------------------------------------------------------------

/**
 * Shows how often a single action keeps the value.
 *
 * @param {About} about
 * @param {OutcomeSolution["only"]} only
 */
export function onlyOnes(about, { size, undecided, wins, quick, draws, examples }) {
  return [
    h(
      "p",
      {},
      t("solutions.only", {
        size: number(size),
        undecided: number(undecided),
        count: number(wins + draws),
        share: percent((wins + draws) / size),
      }),
    ),
    h(
      "ul",
      { class: "plain-list" },
      h("li", {}, t("solutions.only.wins", { count: number(wins), quick: number(quick) })),
      h("li", {}, t("solutions.only.draws", { count: number(draws) })),
    ),
    examples.length
      ? h(
          "div",
          { class: "boards" },
          examples.map(({ position, player, action, actions, value }) => {
            const said = t(`solutions.only.${value.outcome}`, {
              player: about.known.players[player],
              action,
              count: actions - 1,
              plies: value.plies ? plies(value.plies) : "",
            });
            return h(
              "figure",
              {},
              pointed(about, position, action, said),
              h(
                "figcaption",
                {},
                h("p", {}, said),
                h("a", { href: about.explore({ position }) }, t("solutions.explore.here")),
              ),
            );
          }),
        )
      : "",
  ];
}

/**
 * Shows how much a choice matters.
 *
 * @param {About} about
 * @param {ChanceSolution["cost"]} cost
 */
export function costs(about, { size, lost, forced, second, other, costly, examples }) {
  const several = size - lost - forced;
  return [
    h(
      "p",
      {},
      t("solutions.cost.sample", {
        size: number(size),
        lost: number(lost),
        forced: number(forced),
        several: number(several),
      }),
    ),
    h(
      "p",
      {},
      t("solutions.cost", {
        second: percent(second, 2),
        other: percent(other, 2),
        costly: number(costly),
        share: percent(costly / several),
      }),
    ),
    h(
      "div",
      { class: "boards" },
      examples.map(({ position, player, values: [[best, first], [next, then]], values }) => {
        const said = t("solutions.cost.example", {
          player: about.known.players[player],
          best,
          first: percent(first, 2),
          next,
          count: number(values.length),
          chance: percent(then, 2),
        });
        return h(
          "figure",
          {},
          pointed(about, position, best, said),
          h(
            "figcaption",
            {},
            h("p", {}, said),
            h("a", { href: about.explore({ position }) }, t("solutions.explore.here")),
          ),
        );
      }),
    ),
  ];
}

// The forbidden return ------------------------------------------------------------------------------------------------

const KINDS = ["kept", "longer", "failed", "unsettled"];

/**
 * Shows what the forbidden return does to the table's wins, and what it leaves open.
 *
 * @param {About} about
 * @param {OutcomeSolution} solution
 * @param {ReturnFacts} returns
 */
export function returnsPart(about, { wins, losses }, returns) {
  const [kept, longer, failed, twice, open] = returns.counts;
  const sum = (/** @type {Record<string, number>[]} */ ...all) =>
    all.flatMap((counts) => Object.values(counts)).reduce((total, count) => total + count, 0);
  const whole = sum(...returns.counts);
  const won = sum(kept, longer);
  const forced = [wins, losses].flatMap((counts) => Object.entries(counts));
  const certain = forced
    .filter(([distance]) => Number(distance) <= returns.certain)
    .reduce((total, [, count]) => total + count, 0);
  const rows = [...new Set(returns.counts.flatMap((counts) => Object.keys(counts)))]
    .map(Number)
    .sort((a, b) => a - b)
    .map((name) => ({
      name: String(name),
      counts: [[kept], [longer], [failed, twice], [open]].map((each) =>
        each.reduce((total, counts) => total + (counts[name] ?? 0), 0),
      ),
    }));
  /** @type {[string, string][]} */
  const legend = KINDS.map((kind) => [kind, t(`solutions.returns.${kind}`)]);
  return [
    h("p", {}, t("solutions.returns.intro")),
    h(
      "p",
      { class: "verdict small" },
      t("solutions.returns.won", { whole: number(whole), won: number(won), share: percent(won / whole) }),
    ),
    h(
      "ul",
      { class: "plain-list" },
      h("li", {}, t("solutions.returns.certain", { plies: plies(returns.certain), count: number(certain) })),
      h("li", {}, t("solutions.returns.kept.count", { count: number(sum(kept)) })),
      h("li", {}, t("solutions.returns.longer.count", { count: number(sum(longer)) })),
      h(
        "li",
        {},
        t("solutions.returns.failed.count", {
          count: number(sum(failed, twice)),
          twice: number(sum(twice)),
          more: returns.more,
          share: percent(sum(failed, twice) / whole),
        }),
      ),
      h(
        "li",
        {},
        t("solutions.returns.open.count", {
          count: number(sum(open)),
          share: percent(sum(open) / whole),
          full: plies(returns.full),
          last: number(returns.last),
        }),
      ),
    ),
    plot({
      label: t("solutions.returns.plot"),
      draw: shares(rows, KINDS),
      legend,
      head: [t("plot.plies.table"), ...legend.map(([, text]) => text)],
      rows: rows.map(({ name, counts }) => [name, ...counts]),
    }),
    ...failedLine(about, returns),
    ...openQuestions(about, returns),
  ];
}

/**
 * @param {About} about
 * @param {ReturnFacts} returns
 */
function failedLine(about, { failed }) {
  if (!failed) return [];
  const title = t("solutions.returns.example", {
    player: about.known.players[failed.winner ?? ""],
    plies: plies(failed.actions.length),
  });
  const player = about.linePlayer(title);
  player.show(failed);
  return [h("h3", {}, title), player.element];
}

/**
 * @param {About} about
 * @param {ReturnFacts} returns
 */
function openQuestions(about, { new: fresh, won, start }) {
  if (!fresh || !start) return [];
  const { players } = about.known;
  const said = won
    ? t("solutions.returns.new.example", { player: players[won.player], plies: plies(fresh.plies) })
    : "";
  return [
    h("h3", {}, t("solutions.returns.open")),
    h(
      "p",
      {},
      t("solutions.returns.new", { found: number(fresh.found), drawn: number(fresh.drawn), plies: plies(fresh.plies) }),
    ),
    won
      ? h(
          "div",
          { class: "boards" },
          h(
            "figure",
            {},
            pointed(about, won.position, "", said),
            h(
              "figcaption",
              {},
              h("p", {}, said),
              h("a", { href: about.explore({ position: won.position }) }, t("solutions.explore.here")),
            ),
          ),
        )
      : "",
    h(
      "p",
      { class: "verdict small" },
      start.winner
        ? t("solutions.returns.start.won", { player: players[start.winner], plies: plies(start.plies + 1) })
        : t("solutions.returns.start", { plies: plies(start.plies) }),
    ),
  ];
}

// Estimates -----------------------------------------------------------------------------------------------------------

/**
 * Shows the engine's estimates of the first actions.
 *
 * @param {HTMLElement} place
 * @param {Shown} about
 */
export async function estimate(place, about) {
  place.replaceChildren(h("p", { class: "soft" }, t("values.wait")));
  try {
    const data = await post("lines/values", { game: about.game, options: about.options, actions: [] });
    place.replaceChildren(
      h(
        "div",
        { class: "boards" },
        h(
          "figure",
          {},
          boardWith(about, { label: t("solutions.part.estimate") }),
          h(
            "figcaption",
            {},
            valueList(data, (action) => void about.go(about.explore({ actions: action }))),
          ),
        ),
      ),
    );
  } catch (error) {
    place.replaceChildren(h("p", { class: "soft" }, sentenceOf(error)));
  }
}
