/** The review of a line: its three biggest mistakes, what was better and why, as comments and variations of the tree. */

import { post } from "../../net/api.js";
import { t } from "../../net/language.js";
import { chanceText } from "../../ui/chance-graph.js";
import { valueText } from "../../ui/values.js";

/**
 * Writes what a review has found into the tree.
 *
 * @param nodes the line, without the root
 * @param {{mistakes, isExact: boolean}} course
 * @param {{players: {player}[], line: (node) => object, follow: (node, actions, comment) => Promise}} about
 */
export async function annotate(nodes, { mistakes, isExact }, { players, line, follow }) {
  for (const step of mistakes) {
    const node = nodes[step.number];
    const { played, best } = await worths(step, isExact, players, () => line(node.parent));
    comment(node, t(isExact ? "review.mistake.exact" : "review.mistake", { played, best }));
    const first = step.better.length ? await follow(node.parent, step.better) : null;
    if (first) comment(first, t(isExact ? "review.better.exact" : "review.better", { best }));
  }
}

/** What the action played and the best one are worth, in words. */
async function worths(step, isExact, players, lineBefore) {
  const place = players.findIndex(({ player }) => player === step.player);
  const found = { played: chanceText(step.chances[place], isExact), best: chanceText(step.before[place], isExact) };
  if (!isExact) return found;
  const { values, is_exact: isKnown } = await post("lines/values", lineBefore());
  const [played, best] = [values[step.action], values[step.better[0]]];
  return isKnown && played && best ? { played: valueText(played, true), best: valueText(best, true) } : found;
}

/** Adds a sentence to the comment of a node, unless it is there. */
function comment(node, text) {
  if (!node.comment.includes(text)) node.comment = node.comment ? `${node.comment}\n${text}` : text;
}
