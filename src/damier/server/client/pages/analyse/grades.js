/**
 * The marks of actions (`?!`, `?`, `??`, `!`) and the accuracy of players, as a review finds them. What they mean is
 * defined once, in `insight/review/grading.py`; here they are shown and summed up.
 *
 * @import { PlayerName, ReviewStart, ReviewStep } from "../../net/wire.d.ts"
 * @import { TreeNode } from "./tree.js"
 * @typedef {NonNullable<ReviewStep["mark"]>} Mark
 */

import { t } from "../../net/language.js";
import { h } from "../../ui/dom.js";
import { percent } from "../../ui/format.js";

/** @type {Record<Mark, "only" | "inaccuracy" | "mistake" | "blunder">} */
const NAMES = { "!": "only", "?!": "inaccuracy", "?": "mistake", "??": "blunder" };
const MARKS = /** @type {Mark[]} */ (Object.keys(NAMES));

/**
 * Makes a mark, to stand after an action.
 *
 * @param {Mark} mark
 */
export const gradeSign = (mark) => h("span", { class: `grade ${NAMES[mark]}`, title: t(`grade.${NAMES[mark]}`) }, mark);

/**
 * Writes the marks of a review to the nodes of its line; returns whether any has changed.
 *
 * @param {readonly TreeNode[]} nodes without the root
 * @param {readonly (ReviewStart | ReviewStep)[]} steps the first is the beginning
 */
export function grade(nodes, steps) {
  let hasChanged = false;
  for (const step of steps) {
    if (!("action" in step)) continue;
    const node = nodes[step.number];
    if (node?.action !== step.action || (node.mark ?? null) === step.mark) continue;
    node.mark = step.mark;
    hasChanged = true;
  }
  return hasChanged;
}

/**
 * Returns the accuracy of a player, 0 to 1: what an action kept of the winning chance, on average, where there was a
 * choice.
 *
 * @param {readonly (ReviewStart | ReviewStep)[]} steps
 * @param {string} player
 * @returns {number | null} null for one who had none
 */
export function accuracy(steps, player) {
  const losses = steps
    .filter((step) => "action" in step)
    .filter((step) => step.player === player && step.has_choice)
    .map(({ loss }) => loss ?? 0);
  return losses.length ? 1 - losses.reduce((sum, loss) => sum + loss, 0) / losses.length : null;
}

/**
 * Makes a table of the accuracy of each player and of the marks of their actions, and what the marks mean.
 *
 * @param {readonly (ReviewStart | ReviewStep)[]} steps
 * @param {readonly PlayerName[]} players
 * @param {boolean} isExact
 */
export function summary(steps, players, isExact) {
  const acted = steps.filter((step) => "action" in step);
  const count = (/** @type {string} */ player, /** @type {Mark} */ mark) =>
    String(acted.filter((step) => step.player === player && step.mark === mark).length);
  const said = (/** @type {number | null} */ share) =>
    share === null ? "–" : isExact ? percent(share, 1) : t("values.about", { value: percent(share, 1) });
  return [
    h(
      "table",
      { class: "accuracy" },
      h("caption", { class: "unseen" }, t("grade.summary")),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, t("grade.player")),
          h("th", { scope: "col" }, t("grade.accuracy")),
          MARKS.map((mark) => h("th", { scope: "col" }, gradeSign(mark))),
        ),
      ),
      h(
        "tbody",
        {},
        players.map(({ player, name }) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, name),
            h("td", {}, said(accuracy(steps, player))),
            MARKS.map((mark) => h("td", {}, count(player, mark))),
          ),
        ),
      ),
    ),
    h(
      "details",
      { class: "fold" },
      h("summary", {}, t("grade.meaning")),
      h("p", { class: "soft" }, t("grade.accuracy.meaning")),
      h(
        "dl",
        { class: "grades" },
        MARKS.map((mark) => [h("dt", {}, gradeSign(mark)), h("dd", {}, t(`grade.${NAMES[mark]}.meaning`))]),
      ),
    ),
  ];
}
