/**
 * A tree of variations. A node is one action; its first child goes on with its line, the others are variations. The root
 * stands for the beginning. Nothing here knows pages, and nothing recurses: lines may be long and deep.
 *
 * @typedef {{id: number, action: string, parent: Node | null, children: Node[], comment: string, turn: number, player: string}} Node
 */

let made = 0;

/** @returns {Node} */
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

/** Adds an action after a node, unless it is there already. */
export function add(node, what) {
  const known = node.children.find(({ action }) => action === what.action);
  if (known) return known;
  const child = makeNode(node, what);
  node.children.push(child);
  return child;
}

// Going about ------------------------------------------------------------------------------------------------------------

/** The nodes that lead to a node, without the root. */
export function path(node) {
  const found = [];
  for (let each = node; each.parent; each = each.parent) found.push(each);
  return found.reverse();
}

/** The whole line through a node: the way to it, and how it goes on. */
export function lineThrough(node) {
  const found = path(node);
  for (let each = node.children[0]; each; each = each.children[0]) found.push(each);
  return found;
}

/** The last node of the line through a node. */
export const endOf = (node) => lineThrough(node).at(-1) ?? node;

/** The nearest node on the way, that one included, that has alternatives; none on a line without any. */
function fork(node) {
  let each = node;
  while (each.parent && each.parent.children.length < 2) each = each.parent;
  return each.parent ? each : null;
}

/** The alternative before or after the one that leads here. */
export function alternative(node, by) {
  const head = fork(node);
  return head ? (head.parent.children[head.parent.children.indexOf(head) + by] ?? null) : null;
}

/** Where a variation leaves the line that comes before it; none in the main line. */
function head(node) {
  let each = node;
  while (each.parent && each.parent.children[0] === each) each = each.parent;
  return each.parent ? each : null;
}

export const isMain = (node) => head(node) === null;

/** Every node, each before those that follow it: the root, then line by line. */
export function nodesOf(root) {
  const found = [];
  const todo = [root];
  while (todo.length) {
    const node = todo.pop();
    found.push(node);
    for (let i = node.children.length - 1; i >= 0; i--) todo.push(node.children[i]);
  }
  return found;
}

// Changing ---------------------------------------------------------------------------------------------------------------

/** Takes a node and all that follows away; returns what `restore` needs. */
export function remove(node) {
  const place = node.parent.children.indexOf(node);
  node.parent.children.splice(place, 1);
  return { node, place };
}

export function restore({ node, place }) {
  node.parent.children.splice(place, 0, node);
}

/** Moves the variation in which a node is one place up; the first becomes the line. Tells whether there was one. */
export function promote(node) {
  const first = head(node);
  if (!first) return false;
  const { children } = first.parent;
  const place = children.indexOf(first);
  children.splice(place, 1);
  children.splice(place - 1, 0, first);
  return true;
}

// As a list --------------------------------------------------------------------------------------------------------------

/** The tree as a list, each node with the number of its parent. */
export function toBranches(root) {
  const nodes = nodesOf(root);
  const numbers = new Map(nodes.map((node, i) => [node, i]));
  return nodes.map(({ parent, action, comment, turn, player }) => ({
    parent: numbers.get(parent) ?? null,
    action,
    comment,
    turn,
    player,
  }));
}

/** The nodes of such a list; the first is the root. */
export function fromBranches(branches) {
  const nodes = [];
  for (const branch of branches) {
    const parent = nodes.length ? nodes[branch.parent] : null;
    const node = makeNode(parent, branch);
    parent?.children.push(node);
    nodes.push(node);
  }
  return nodes;
}

// As paragraphs ----------------------------------------------------------------------------------------------------------

const LONG = 16; // turns, after which a new paragraph begins

/**
 * The tree as it is printed: paragraphs of turns. A variation is a paragraph of its own, after the action to which it is
 * an alternative; `depth` says in how many others it is.
 *
 * @returns {{depth: number, turns: {turn: number, isFirst: boolean, nodes: Node[]}[]}[]}
 *   `isFirst`: the turn begins here and not in a line before
 */
export function paragraphs(root) {
  const found = [];
  const todo = root.children.length ? [{ node: root.children[0], depth: 0, isFresh: true }] : [];
  while (todo.length) {
    const { node, depth, isFresh } = todo.pop();
    const { parent } = node;
    const isNewTurn = parent.turn !== node.turn || parent === root;
    if (isFresh || (isNewTurn && found.at(-1).turns.length >= LONG)) found.push({ depth, turns: [] });
    const { turns } = found.at(-1);
    if (isNewTurn || !turns.length) turns.push({ turn: node.turn, isFirst: isNewTurn, nodes: [] });
    turns.at(-1).nodes.push(node);
    const others = parent.children[0] === node ? parent.children.slice(1) : [];
    if (node.children.length) todo.push({ node: node.children[0], depth, isFresh: others.length > 0 });
    for (const other of others.reverse()) todo.push({ node: other, depth: depth + 1, isFresh: true });
  }
  return found;
}
