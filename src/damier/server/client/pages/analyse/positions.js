/** The boards of a tree of variations, asked for line by line and kept at the nodes. */

import { post } from "../../net/api.js";
import { lineThrough, path } from "./tree.js";

/** The most actions that one request may have. */
const LONGEST = 2000;

export class Positions {
  #asked = new Map();

  /** @param {{game: string, options: object, start: string | null}} about */
  constructor(about) {
    this.about = about;
  }

  /** What has been played up to a node, as requests want it. */
  line(node) {
    return { ...this.about, actions: path(node).map(({ action }) => action) };
  }

  /** Gets the boards of the whole line through a node, those of the root and its own included. */
  async load(node, root) {
    if (node.state) return;
    const nodes = lineThrough(node).slice(0, LONGEST);
    const { states } = await post("lines/states", { ...this.about, actions: nodes.map(({ action }) => action) });
    for (const [i, each] of [root, ...nodes].entries()) each.state ??= states[i];
  }

  /** Gets the actions that are legal at a node; several who ask at once get one answer. */
  async loadActions(node) {
    if (node.state?.actions) return;
    if (!this.#asked.has(node)) this.#asked.set(node, post("lines/state", this.line(node)));
    try {
      node.state = await this.#asked.get(node);
    } finally {
      this.#asked.delete(node);
    }
  }

  /** Gets what a line of actions after a node comes to: turns, players and boards, to be added to the tree. */
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
