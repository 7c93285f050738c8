/** The parts of the explorer beside its board. */

import { smallPiece } from "../../board/pieces.js";
import { language, t, tOr } from "../../net/language.js";
import { button, h } from "../../ui/dom.js";
import { embedBox } from "../../ui/embed-box.js";
import { address, number, percent, plies } from "../../ui/format.js";
import { kindOf, signOf, valueText } from "../../ui/values.js";

const named = (action) => tOr(`action.${action}`, action);
const isProven = ({ value }) => Boolean(value);

/** A value in words; exact chances with their decimals. */
export const inWords = (value, isExact) =>
  isExact && !isProven(value) ? percent(value.chance, 2) : valueText(value, isExact);

/** How one came here, each step to go back to. */
export function pathPart(explorer) {
  const { actions } = explorer;
  const steps = [t("explore.begin"), ...actions.map(named)].map((text, i) =>
    h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "plain",
          "aria-current": i === actions.length ? "step" : null,
          click: () => explorer.goTo(actions.slice(0, i)),
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

/** How the position stands. */
export function verdictPart({ state, values, ordered, drawing, game, solution }) {
  const look = drawing.looks[state.result ? state.result.winner : state.mover];
  const line = (text, ...more) => [
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
  const isChance = !isProven(ordered[0][1]) && values.is_exact;
  return line(
    t(isChance ? "explore.verdict.chance" : "explore.verdict", {
      player: state.mover_name,
      value: inWords(ordered[0][1], values.is_exact),
    }),
    tag,
  );
}

/** Where values come from, and what they are worth. */
function sourceText({ is_exact: isExact }, solution) {
  if (!isExact) return t("explore.about");
  if (solution?.returns) return t("explore.exact.history", { plies: plies(solution.returns.certain) });
  return t(solution && !solution.verified ? "explore.exact.unverified" : "explore.exact");
}

/** How many actions win, draw and lose. */
export function countsPart({ state, values, ordered, game }) {
  if (!values || state.mover === "chance" || !ordered.length) return [];
  if (game.has_chance) return [chances(ordered)];
  const kinds = ["win", "draw", "loss"].map((kind) => ({
    kind,
    all: ordered.filter(([, value]) => kindOf(value) === kind),
  }));
  return [
    h(
      "ul",
      { class: "counts", "aria-label": t("explore.counts") },
      kinds.map(({ kind, all }) => {
        const proven = all.filter(([, value]) => values.is_exact || isProven(value)).length;
        const sign = { value: kind };
        return h(
          "li",
          { class: kind },
          signOf(proven || !all.length ? sign : { chance: { win: 1, draw: 0.5, loss: 0 }[kind] }, values.is_exact),
          h("b", {}, number(all.length)),
          h("span", {}, t(`explore.${kind}`)),
          !values.is_exact && all.length > 0 && h("small", {}, t("explore.proven", { count: number(proven) })),
        );
      }),
    ),
  ];
}

/** With a die: the best, the worst and the average action. */
function chances(ordered) {
  const all = ordered.map(([, { chance }]) => chance);
  const facts = [
    ["best", all[0]],
    ["mean", all.reduce((sum, chance) => sum + chance, 0) / all.length],
    ["worst", all.at(-1)],
  ];
  return h(
    "ul",
    { class: "counts", "aria-label": t("explore.counts") },
    facts.map(([name, chance]) => h("li", {}, h("b", {}, percent(chance, 1)), h("span", {}, t(`explore.${name}`)))),
  );
}

/** How best play goes on. */
export function bestLinePart(explorer, isPlaying) {
  const { best, values, state } = explorer;
  if (state.result || state.mover === "chance") return isPlaying ? [stopButton(explorer)] : [];
  const steps = best?.map((action, i) =>
    h(
      "li",
      {},
      h("button", { type: "button", class: "plain", click: () => explorer.goOn(best.slice(0, i + 1)) }, named(action)),
    ),
  );
  return [
    h("h2", {}, t(values?.is_exact ? "explore.line" : "explore.line.about")),
    steps ? h("ol", { class: "path-steps" }, steps) : h("p", { class: "soft" }, isPlaying ? "…" : t("values.wait")),
    isPlaying
      ? stopButton(explorer)
      : button(t("explore.play"), () => explorer.playOut(), { sign: "on", look: "main", disabled: !best }),
  ];
}

const stopButton = (explorer) => button(t("line.stop"), () => explorer.playOut(), { look: "main" });

/** All actions with their values, equal ones together, the best first. */
export function listPart(explorer) {
  const { values, ordered, state } = explorer;
  if (!ordered.length) return [];
  const groups = [];
  for (const [action, value] of ordered) {
    const last = groups.at(-1);
    if (
      last &&
      kindOf(last.value) === kindOf(value) &&
      inWords(last.value, values.is_exact) === inWords(value, values.is_exact)
    )
      last.actions.push(action);
    else groups.push({ value, actions: [action] });
  }
  return [
    h("h2", {}, t(state.mover === "chance" ? "explore.rolls" : "explore.actions", { count: number(ordered.length) })),
    h(
      "ul",
      { class: "value-groups" },
      groups.map(({ value, actions }) =>
        h(
          "li",
          {},
          h("p", {}, signOf(value, values.is_exact), h("b", {}, inWords(value, values.is_exact))),
          h(
            "ul",
            { class: "path-steps" },
            actions.map((action) =>
              h(
                "li",
                {},
                h("button", { type: "button", class: "plain", click: () => explorer.goOn([action]) }, named(action)),
              ),
            ),
          ),
        ),
      ),
    ),
  ];
}

/** What puts this position on another page. */
export const embedPart = ({ game, options, start, actions }) => [
  embedBox(
    address(`/embed/${game.name}`, options, { position: start, actions: actions.join(","), lang: language() }),
    game.title,
  ),
];
