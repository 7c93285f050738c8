/**
 * The boards of a tree of variations, requested line by line and kept at the nodes.
 *
 * @import { PlayState } from "../../net/wire.d.ts"
 * @import { Line, OptionValues } from "../../types.d.ts"
 * @import { TreeNode } from "./tree.js"
 */

import { post } from "../../net/api.js";
import { lineThrough, path } from "./tree.js";

const LONGEST = 2000; // actions of a request

export class Positions {
  /** @type {Map<TreeNode, Promise<PlayState>>} requests for actions that are not answered */
  #pending = new Map();

  /** @param {{game: string, options: OptionValues, start: string | null}} about */
  constructor(about) {
    this.about = about;
  }

  /**
   * Returns what has been played up to a node.
   *
   * @param {TreeNode} node
   * @returns {Line}
   */
  line(node) {
    return { ...this.about, actions: path(node).map(({ action }) => action) };
  }

  /**
   * Loads the boards of the whole line through a node, those of the root and its own included.
   *
   * @param {TreeNode} node
   * @param {TreeNode} root
   */
  async load(node, root) {
    if (node.state) return;
    const nodes = lineThrough(node).slice(0, LONGEST);
    const { states } = await post("lines/states", { ...this.about, actions: nodes.map(({ action }) => action) });
    for (const [i, each] of [root, ...nodes].entries()) each.state ??= states[i];
  }

  /**
   * Loads the legal actions of a node; simultaneous calls share one request.
   *
   * @param {TreeNode} node
   */
  async loadActions(node) {
    if (node.state?.actions) return;
    const pending = this.#pending.get(node) ?? post("lines/state", this.line(node));
    this.#pending.set(node, pending);
    try {
      node.state = await pending;
    } finally {
      this.#pending.delete(node);
    }
  }

  /**
   * Loads turns, players and boards of a line of actions after a node, to be added to the tree.
   *
   * @param {TreeNode} node
   * @param {readonly string[]} actions
   */
  async follow(node, actions) {
    const before = path(node).length;
    const whole = [...path(node).map(({ action }) => action), ...actions].slice(0, LONGEST);
    const { states } = await post("lines/states", { ...this.about, actions: whole });
    return actions.slice(0, LONGEST - before).map((action, i) => {
      const [then, state] = [states[before + i], states[before + i + 1]];
      return { action, turn: then.turn, player: then.mover, state };
    });
  }
}
