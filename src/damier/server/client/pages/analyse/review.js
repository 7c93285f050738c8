/**
 * The review of a line: accuracies and marks, its three biggest mistakes, what was better and why, as comments and
 * variations of the tree.
 *
 * @import { ReviewStep } from "../../net/wire.d.ts"
 * @import { Line } from "../../types.d.ts"
 * @import { Analysis } from "./analysis.js"
 * @import { TreeNode } from "./tree.js"
 * @typedef {{players: {player: string}[], line: (node: TreeNode) => Line,
 *   follow: (node: TreeNode, actions: string[]) => Promise<TreeNode | null>}} About `follow` adds a line to the tree
 */

import { post } from "../../net/api.js";
import { t } from "../../net/language.js";
import { chanceText } from "../../ui/chance-graph.js";
import { h, sentenceOf } from "../../ui/dom.js";
import { valueText } from "../../ui/values/values.js";
import { summary } from "./grades.js";

/**
 * Reviews the line through the present node and writes what is found into the tree.
 *
 * @param {Analysis} analysis
 */
export async function reviewLine(analysis) {
  const { graph, board } = analysis.parts;
  const nodes = analysis.line().slice(1);
  if (!nodes.length) {
    board.say(t("review.empty"));
    return;
  }
  graph.element.open = true;
  if (graph.steps.length <= nodes.length) await graph.load();
  if (graph.steps.length <= nodes.length) return;
  try {
    await annotate(nodes, graph, {
      players: analysis.players,
      line: (node) => analysis.positions.line(node),
      follow: (node, actions) => analysis.addLine(node, actions),
    });
  } catch (error) {
    board.say(sentenceOf(error));
  }
  analysis.drawMoves();
  if (!analysis.isClosed) board.say(t(graph.mistakes.length ? "review.done" : "review.none"));
}

/**
 * Makes what a review has found so far: the accuracy of each player, and the biggest mistakes.
 *
 * @param {Analysis} analysis
 */
export function reviewNodes({ parts: { graph }, players }) {
  const mistakes = graph.mistakeList();
  return [
    ...summary(graph.steps, players, graph.source === "exact"),
    ...(mistakes.length ? [h("h2", {}, t("review.mistakes")), ...mistakes] : []),
  ];
}

/**
 * Writes what a review has found into the tree.
 *
 * @param {TreeNode[]} nodes the line, without the root
 * @param {{mistakes: ReviewStep[], source: "exact" | "table" | "engine"}} found
 * @param {About} about
 */
export async function annotate(nodes, { mistakes, source }, { players, line, follow }) {
  for (const step of mistakes) {
    const node = nodes[step.number];
    if (!node?.parent) continue;
    const { parent } = node;
    const { played, best } = await worths(step, source, players, () => line(parent));
    comment(node, t(`review.mistake.${source}`, { played, best }));
    const first = step.better.length ? await follow(parent, step.better) : null;
    if (first) comment(first, t(`review.better.${source}`, { best }));
  }
}

/**
 * Returns the values of the action played and of the best one, in words.
 *
 * @param {ReviewStep} step
 * @param {"exact" | "table" | "engine"} source
 * @param {{player: string}[]} players
 * @param {() => Line} lineBefore
 */
async function worths(step, source, players, lineBefore) {
  const place = players.findIndex(({ player }) => player === step.player);
  const said = (/** @type {number} */ chance) => chanceText(chance, source === "exact");
  const found = { played: said(step.chances[place]), best: said(step.before[place]) };
  if (source === "engine") return found;
  const { values, is_from_table: isKnown } = await post("lines/values", lineBefore());
  const [played, best] = [values[step.action], values[step.better[0]]];
  return isKnown && played && best ? { played: valueText(played), best: valueText(best) } : found;
}

/**
 * Adds a sentence to the comment of a node, unless it is there.
 *
 * @param {TreeNode} node
 * @param {string} text
 */
function comment(node, text) {
  if (!node.comment.includes(text)) node.comment = node.comment ? `${node.comment}\n${text}` : text;
}
