/**
 * Why the answer of a puzzle is right: in words, and what other tries run into, each to be seen on the board.
 *
 * @import { PuzzleSolution } from "../../net/wire.d.ts"
 */

import { t } from "../../net/language.js";
import { button, h } from "../../ui/dom.js";

const NAMED = 4; // actions of a group that are named
const SHOWN = 5; // groups that are seen at once

/**
 * Makes the panel.
 *
 * @param {PuzzleSolution} solution
 * @param {boolean} isNumber whether a number was asked for: then all rolls are listed
 * @param {(line: string[]) => void} show plays a line on the board
 */
export function whyPanel({ answer, reasons, tries }, isNumber, show) {
  const rows = tries.map(({ actions, line, sentence }) => {
    const more = actions.length - NAMED;
    const named = actions.slice(0, NAMED).join(", ") + (more > 0 ? ` ${t("puzzle.more", { count: more })}` : "");
    return h(
      "li",
      {},
      button(named, () => show(line), { look: "quiet", sign: "on", title: t("puzzle.on_board") }),
      h("span", {}, sentence),
    );
  });
  const [seen, rest] = isNumber ? [rows, []] : [rows.slice(0, SHOWN), rows.slice(SHOWN)];
  return h(
    "section",
    { class: "why" },
    h("h2", {}, t("puzzle.why", { answer })),
    reasons.map((text) => h("p", {}, text)),
    rows.length > 0 && h("h3", {}, t(isNumber ? "puzzle.rolls" : "puzzle.tries")),
    rows.length > 0 && h("ul", { class: "tries" }, seen),
    rest.length > 0 &&
      h(
        "details",
        { class: "fold" },
        h("summary", {}, t("puzzle.tries.more", { count: rest.length })),
        h("ul", { class: "tries" }, rest),
      ),
  );
}
