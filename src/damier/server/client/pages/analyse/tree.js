/**
 * A tree of variations. A node is one action; its first child goes on with its line, the others are variations. The root
 * stands for the beginning. Nothing here knows pages, and nothing recurses: lines may be long and deep.
 *
 * @import { Branch, Moment } from "../../types.d.ts"
 * @import { Worth } from "./evaluation-bar.js"
 * @import { Mark } from "./grades.js"
 * @typedef {{id: number, action: string, parent: TreeNode | null, children: TreeNode[], comment: string, turn: number,
 *   player: string, state?: Moment, mark?: Mark | null, worth?: Worth | null}} TreeNode `mark` by a review, `worth` by the
 *   engine
 * @typedef {{node: TreeNode, siblings: TreeNode[]}} Branching a node among its alternatives
 * @typedef {{turn: number, isFirst: boolean, nodes: TreeNode[]}} TurnOfNodes `isFirst`: the turn begins here and not in a
 *   line before
 */

let made = 0;

/**
 * @template {TreeNode | null} P
 * @param {P} parent
 * @param {Branch} branch
 * @returns {TreeNode & {parent: P}}
 */
const makeNode = (parent, { action = "", comment = "", turn = 0, player = "" }) => ({
  id: ++made,
  action,
  parent,
  children: [],
  comment,
  turn,
  player,
});

export const makeRoot = (comment = "") => makeNode(null, { comment });

/**
 * Adds an action after a node, unless it is there already; returns its node.
 *
 * @param {TreeNode} node
 * @param {Branch} what
 */
export function add(node, what) {
  const known = node.children.find(({ action }) => action === what.action);
  if (known) return known;
  const child = makeNode(node, what);
  node.children.push(child);
  return child;
}

// Going about ------------------------------------------------------------------------------------------------------------

/**
 * Returns the nodes that lead to a node, without the root.
 *
 * @param {TreeNode} node
 */
export function path(node) {
  /** @type {TreeNode[]} */
  const found = [];
  for (let each = node; each.parent; each = each.parent) found.push(each);
  return found.reverse();
}

/**
 * Returns the whole line through a node: the way to it, and how it goes on.
 *
 * @param {TreeNode} node
 */
export function lineThrough(node) {
  const found = path(node);
  for (let each = node.children[0]; each; each = each.children[0]) found.push(each);
  return found;
}

/**
 * Returns the last node of the line through a node.
 *
 * @param {TreeNode} node
 */
export const endOf = (node) => lineThrough(node).at(-1) ?? node;

/**
 * Returns the nearest node on the way, that one included, that has alternatives.
 *
 * @param {TreeNode} node
 * @returns {Branching | null} null on a line without any
 */
function fork(node) {
  let each = node;
  while (each.parent && each.parent.children.length < 2) each = each.parent;
  return each.parent ? { node: each, siblings: each.parent.children } : null;
}

/**
 * Returns the alternative before or after the one that leads to a node.
 *
 * @param {TreeNode} node
 * @param {number} by -1 or 1
 */
export function alternative(node, by) {
  const found = fork(node);
  return found ? (found.siblings[found.siblings.indexOf(found.node) + by] ?? null) : null;
}

/**
 * Returns where a variation leaves the line that comes before it.
 *
 * @param {TreeNode} node
 * @returns {Branching | null} null in the main line
 */
function head(node) {
  let each = node;
  while (each.parent && each.parent.children[0] === each) each = each.parent;
  return each.parent ? { node: each, siblings: each.parent.children } : null;
}

/** @param {TreeNode} node */
export const isMain = (node) => head(node) === null;

/**
 * Returns all nodes, each before those that follow it: the root, then line by line.
 *
 * @param {TreeNode} root
 */
export function nodesOf(root) {
  /** @type {TreeNode[]} */
  const found = [];
  const todo = [root];
  for (let node = todo.pop(); node; node = todo.pop()) {
    found.push(node);
    for (let i = node.children.length - 1; i >= 0; i--) todo.push(node.children[i]);
  }
  return found;
}

// Changing ---------------------------------------------------------------------------------------------------------------

/**
 * Removes a node and all that follows; returns what `restore` needs.
 *
 * @param {TreeNode} node not the root
 */
export function remove(node) {
  const siblings = node.parent?.children ?? [];
  const place = siblings.indexOf(node);
  siblings.splice(place, 1);
  return { node, place };
}

/** @param {{node: TreeNode, place: number}} removed */
export function restore({ node, place }) {
  node.parent?.children.splice(place, 0, node);
}

/**
 * Moves the variation of a node one place up; the first becomes the line. Returns whether there was one.
 *
 * @param {TreeNode} node
 */
export function promote(node) {
  const first = head(node);
  if (!first) return false;
  const place = first.siblings.indexOf(first.node);
  first.siblings.splice(place, 1);
  first.siblings.splice(place - 1, 0, first.node);
  return true;
}

// As a list --------------------------------------------------------------------------------------------------------------

/**
 * Returns the tree as a list, each node with the number of its parent.
 *
 * @param {TreeNode} root
 */
export function toBranches(root) {
  const nodes = nodesOf(root);
  const numbers = new Map(nodes.map((node, i) => [node, i]));
  return nodes.map(({ parent, action, comment, turn, player }) => ({
    parent: parent ? (numbers.get(parent) ?? null) : null,
    action,
    comment,
    turn,
    player,
  }));
}

/**
 * Returns the nodes of a list made by `toBranches`; the first is the root.
 *
 * @param {readonly Branch[]} branches
 */
export function fromBranches(branches) {
  /** @type {TreeNode[]} */
  const nodes = [];
  for (const branch of branches) {
    const parent = nodes.length ? nodes[branch.parent ?? 0] : null;
    const node = makeNode(parent, branch);
    parent?.children.push(node);
    nodes.push(node);
  }
  return nodes;
}

// As paragraphs ----------------------------------------------------------------------------------------------------------

const LONG = 16; // turns of a paragraph

/**
 * Returns the tree as it is printed: paragraphs of turns. A variation is a paragraph of its own, after the action to which
 * it is an alternative; `depth` is the number of variations around it.
 *
 * @param {TreeNode} root
 */
export function paragraphs(root) {
  /** @type {{depth: number, turns: TurnOfNodes[]}[]} */
  const found = [];
  const todo = root.children.length ? [{ node: root.children[0], parent: root, depth: 0, isFresh: true }] : [];
  for (let next = todo.pop(); next; next = todo.pop()) {
    const { node, parent, depth, isFresh } = next;
    const isNewTurn = parent.turn !== node.turn || parent === root;
    let last = found.at(-1);
    if (!last || isFresh || (isNewTurn && last.turns.length >= LONG)) {
      last = { depth, turns: [] };
      found.push(last);
    }
    let turn = last.turns.at(-1);
    if (!turn || isNewTurn) {
      turn = { turn: node.turn, isFirst: isNewTurn, nodes: [] };
      last.turns.push(turn);
    }
    turn.nodes.push(node);
    const others = parent.children[0] === node ? parent.children.slice(1) : [];
    if (node.children.length) todo.push({ node: node.children[0], parent: node, depth, isFresh: others.length > 0 });
    for (const other of others.reverse()) todo.push({ node: other, parent, depth: depth + 1, isFresh: true });
  }
  return found;
}
