/**
 * The parts of the explorer beside its board.
 *
 * @import { ActionValue, ActionValues, PlayState } from "../../net/wire.d.ts"
 * @import { Kind, Value } from "../../ui/values/values.js"
 * @import { Explorer, Solution } from "./explore.js"
 */

import { smallPiece } from "../../board/pieces.js";
import { language, t } from "../../net/language.js";
import { button, h } from "../../ui/dom.js";
import { embedBox } from "../../ui/embed-box.js";
import { address, number, percent } from "../../ui/format.js";
import { legend } from "../../ui/values/value-summary.js";
import { isDecided, isProved, kindOf, signOf, tally, valueText } from "../../ui/values/values.js";

/** @type {Kind[]} */
const KINDS = ["win", "draw", "loss"];

/**
 * @param {Explorer} explorer
 * @param {string} action
 */
const named = ({ names, drawing }, action) => {
  const points = drawing.rolls[action];
  return names.get(action) ?? (points === undefined ? action : t("dice.roll", { points }));
};

/**
 * Returns a value in words; exact chances with their decimals.
 *
 * @param {ActionValue} value
 */
export const inWords = (value) => (isProved(value) && !isDecided(value) ? percent(value.chance, 2) : valueText(value));

/**
 * Makes the path to the position, each step a link back.
 *
 * @param {Explorer} explorer
 */
export function pathPart(explorer) {
  const { actions } = explorer;
  const steps = [t("explore.begin"), ...actions.map((action) => named(explorer, action))].map((text, i) =>
    h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "plain",
          "aria-current": i === actions.length ? "step" : null,
          click: () => void explorer.goTo(actions.slice(0, i)),
        },
        text,
      ),
    ),
  );
  return [
    h(
      "div",
      { class: "buttons" },
      explorer.restart(),
      button(t("explore.back"), () => explorer.goTo(actions.slice(0, -1)), {
        sign: "back",
        look: "step",
        disabled: !actions.length,
      }),
    ),
    h("nav", { "aria-label": t("explore.path") }, h("ol", { class: "path-steps" }, steps)),
  ];
}

/**
 * Says how the position stands.
 *
 * @param {Explorer} explorer
 * @param {PlayState} state
 */
export function verdictPart({ values, ordered, drawing, game, solution }, state) {
  const look = drawing.looks[(state.result ? state.result.winner : state.mover) ?? ""];
  const line = (/** @type {string} */ text, /** @type {Node[]} */ ...more) => [
    h("p", { class: "verdict small" }, ...(look ? [smallPiece(look)] : []), h("span", {}, text)),
    ...more,
  ];
  if (state.result) return line(state.result.sentence);
  if (!values || !ordered.length) return line(state.captions[0] ?? "", h("p", { class: "soft" }, t("values.wait")));
  const tag = h("p", { class: `source ${values.is_exact ? "exact" : "about"}` }, sourceText(values, solution));
  if (state.mover === "chance") {
    const mean = ordered.reduce((sum, [, { chance }]) => sum + chance, 0) / ordered.length;
    return line(t("explore.roll", { player: game.players[0].name, percent: percent(mean, 2) }), tag);
  }
  const [[, best]] = ordered;
  const isChance = !isDecided(best) && values.is_exact;
  const isCertain = best.value === "loss" ? ordered.every(([, value]) => isProved(value)) : isProved(best); // a loss is one if every action loses
  return line(
    t(isChance ? "explore.verdict.chance" : "explore.verdict", {
      player: state.mover_name ?? "",
      value: inWords({ ...best, is_proved: isCertain }),
    }),
    tag,
  );
}

/**
 * Says where values come from, and how far they can be trusted.
 *
 * @param {ActionValues} values
 * @param {Solution} [solution]
 */
function sourceText({ is_from_table: isFromTable, is_exact: isExact, note }, solution) {
  if (!isFromTable) return t("explore.about");
  if (!isExact) return note ?? "";
  return t(solution && !solution.verified ? "explore.exact.unverified" : "explore.exact");
}

/**
 * Counts the actions that win, draw and lose, and those whose value is only estimated.
 *
 * @param {Explorer} explorer
 * @param {PlayState} state
 */
export function countsPart(explorer, state) {
  const { values, ordered, game } = explorer;
  if (!values || state.mover === "chance" || !ordered.length) return [];
  const meaning = legend(
    ordered.map(([, value]) => value),
    () => void explorer.load(),
  );
  if (game.has_chance) return [chances(ordered), meaning];
  const { counts, proved, estimates } = tally(ordered.map(([, value]) => value));
  const count = (/** @type {string} */ name, /** @type {Value} */ value, /** @type {number} */ all, note = "") =>
    h(
      "li",
      { class: name },
      signOf(value),
      h("b", {}, number(all)),
      h("span", {}, t(`explore.${name}`, { count: all })),
      note && h("small", {}, note),
    );
  return [
    h(
      "ul",
      { class: "counts", "aria-label": t("explore.counts") },
      KINDS.map((kind) => {
        const sign = { value: kind, is_proved: proved[kind] > 0 || !counts[kind] };
        const note = !values.is_exact && counts[kind] > 0 ? t("explore.proven", { count: proved[kind] }) : "";
        return count(kind, sign, counts[kind], note);
      }),
      estimates.length > 0 && count("estimated", { chance: 0.5 }, estimates.length, rangeText(estimates)),
    ),
    meaning,
  ];
}

/**
 * Returns the least and the greatest of some chances.
 *
 * @param {readonly number[]} chances
 */
function rangeText(chances) {
  const [worst, best] = [Math.min(...chances), Math.max(...chances)].map((chance) => percent(chance, 0));
  return worst === best ? t("values.about", { value: best }) : t("explore.range", { worst, best });
}

/**
 * Shows the best, the worst and the average action of a game with a die.
 *
 * @param {[string, ActionValue][]} ordered
 */
function chances(ordered) {
  const all = ordered.map(([, { chance }]) => chance);
  const mean = all.reduce((sum, chance) => sum + chance, 0) / all.length;
  const facts = { best: all[0], mean, worst: all[all.length - 1] };
  return h(
    "ul",
    { class: "counts", "aria-label": t("explore.counts") },
    Object.entries(facts).map(([name, chance]) =>
      h("li", {}, h("b", {}, percent(chance, 1)), h("span", {}, t(`explore.${name}`))),
    ),
  );
}

/**
 * Shows how best play goes on.
 *
 * @param {Explorer} explorer
 * @param {PlayState} state
 * @param {boolean} isPlaying
 */
export function bestLinePart(explorer, state, isPlaying) {
  const { best, values } = explorer;
  if (state.result || state.mover === "chance") return isPlaying ? [stopButton(explorer)] : [];
  const steps = best?.map((turn, i) =>
    h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "plain", click: () => void explorer.goOn(best.slice(0, i + 1).flat()) },
        turn.length > 1 ? turn.join("+") : named(explorer, turn[0]),
      ),
    ),
  );
  return [
    h("h2", {}, t(lineTitle(values))),
    steps ? h("ol", { class: "path-steps" }, steps) : h("p", { class: "soft" }, isPlaying ? "…" : t("values.wait")),
    isPlaying
      ? stopButton(explorer)
      : button(t("explore.play"), () => explorer.playOut(), { sign: "on", look: "main", disabled: !best }),
  ];
}

/** @param {ActionValues | null} values */
function lineTitle(values) {
  if (!values?.is_from_table) return "explore.line.about";
  return values.is_exact ? "explore.line" : "explore.line.table";
}

/** @param {Explorer} explorer */
const stopButton = (explorer) => button(t("line.stop"), () => explorer.playOut(), { look: "main" });

/**
 * Lists all actions with their values, equal ones together, the best first.
 *
 * @param {Explorer} explorer
 * @param {PlayState} state
 */
export function listPart(explorer, state) {
  const { values, ordered } = explorer;
  if (!values || !ordered.length) return [];
  /** @type {{value: ActionValue, actions: string[]}[]} */
  const groups = [];
  for (const [action, value] of ordered) {
    const last = groups.at(-1);
    if (last && kindOf(last.value) === kindOf(value) && inWords(last.value) === inWords(value))
      last.actions.push(action);
    else groups.push({ value, actions: [action] });
  }
  return [
    h("h2", {}, t(state.mover === "chance" ? "explore.rolls" : "explore.actions", { count: ordered.length })),
    h(
      "ul",
      { class: "value-groups" },
      groups.map(({ value, actions }) =>
        h(
          "li",
          {},
          h("p", {}, signOf(value), h("b", {}, inWords(value))),
          h(
            "ul",
            { class: "path-steps" },
            actions.map((action) =>
              h(
                "li",
                {},
                h(
                  "button",
                  { type: "button", class: "plain", click: () => explorer.goOn([action]) },
                  named(explorer, action),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
  ];
}

/**
 * Makes the text that embeds the position in another site.
 *
 * @param {Explorer} explorer
 */
export const embedPart = ({ game, options, start, actions }) => [
  embedBox(
    address(`/embed/${game.name}`, options, { position: start, actions: actions.join(","), lang: language() }),
    game.title,
  ),
];
