/**
 * What buttons and keys do in the tree of an analysis, and which of it can be done now.
 *
 * @import { Analysis } from "./analysis.js"
 * @import { Abilities, Acts } from "./steps.js"
 * @import { TreeNode } from "./tree.js"
 */

import { t } from "../../net/language.js";
import { speak } from "../../ui/speak.js";
import * as tree from "./tree.js";

/**
 * @param {Analysis} analysis
 * @returns {Acts}
 */
export function treeActs(analysis) {
  const to =
    (/** @type {(node: TreeNode) => TreeNode | null | undefined} */ find, isBack = false) =>
    () => {
      const node = find(analysis.now);
      if (node && node !== analysis.now) analysis.goTo(node, { isBack });
    };
  return {
    first: to(() => analysis.root, true),
    back: to((node) => node.parent, true),
    on: to((node) => node.children[0]),
    last: to((node) => tree.endOf(node)),
    up: to((node) => tree.alternative(node, -1), true),
    down: to((node) => tree.alternative(node, 1), true),
    promote: () => {
      if (tree.promote(analysis.now)) analysis.changed();
    },
    remove: () => remove(analysis),
    restore: () => restore(analysis),
  };
}

/** @param {Analysis} analysis */
function remove(analysis) {
  const { parent } = analysis.now;
  if (!parent) return;
  analysis.removed = tree.remove(analysis.now);
  analysis.goTo(parent, { isBack: true });
  analysis.changed();
  speak(t("analyse.removed"));
}

/** @param {Analysis} analysis */
function restore(analysis) {
  if (!analysis.removed) return;
  tree.restore(analysis.removed);
  const { node } = analysis.removed;
  analysis.removed = null;
  analysis.goTo(node);
  analysis.changed();
}

/**
 * @param {Analysis} analysis
 * @returns {Abilities}
 */
export const abilities = ({ now, root, removed }) => ({
  first: now !== root,
  back: now !== root,
  on: now.children.length > 0,
  last: now.children.length > 0,
  up: Boolean(tree.alternative(now, -1)),
  down: Boolean(tree.alternative(now, 1)),
  promote: !tree.isMain(now),
  remove: now !== root,
  restore: Boolean(removed),
});
