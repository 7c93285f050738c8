import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import * as tree from "../../src/damier/server/client/pages/analyse/tree.js";

const names = (nodes) => nodes.map(({ action }) => action).join(" ");

/** a b c, with the variation x y after a, and z after x. */
function example() {
  const root = tree.makeRoot();
  const a = tree.add(root, { action: "a", turn: 1 });
  const b = tree.add(a, { action: "b", turn: 1 });
  const c = tree.add(b, { action: "c", turn: 2 });
  const x = tree.add(a, { action: "x", turn: 1, comment: "other" });
  const y = tree.add(x, { action: "y", turn: 2 });
  const z = tree.add(x, { action: "z", turn: 2 });
  return { root, a, b, c, x, y, z };
}

test("an action is added once", () => {
  const { a, x } = example();
  assert.equal(tree.add(a, { action: "x" }), x);
  assert.equal(a.children.length, 2);
});

test("a path leads to a node, a line goes on to its end", () => {
  const { root, a, y, c } = example();
  assert.equal(names(tree.path(y)), "a x y");
  assert.equal(names(tree.lineThrough(a)), "a b c");
  assert.equal(tree.endOf(root), c);
  assert.equal(tree.endOf(tree.makeRoot()).action, "");
});

test("alternatives are before and after the nearest fork", () => {
  const { root, a, b, c, x, y, z } = example();
  assert.equal(tree.alternative(c, 1), x);
  assert.equal(tree.alternative(x, -1), b);
  assert.equal(tree.alternative(y, 1), z);
  assert.equal(tree.alternative(y, -1), null);
  assert.equal(tree.alternative(a, 1), null);
  assert.equal(tree.alternative(root, 1), null);
});

test("a variation is promoted place by place", () => {
  const { root, a, b, x, y } = example();
  assert.equal(tree.isMain(x), false);
  assert.equal(tree.promote(y), true);
  assert.deepEqual(a.children, [x, b]);
  assert.equal(tree.isMain(y), true);
  assert.equal(tree.promote(y), false);
  assert.equal(tree.promote(root), false);
});

test("what is removed can be restored in its place", () => {
  const { root, a, b, x } = example();
  const removed = tree.remove(b);
  assert.deepEqual(a.children, [x]);
  assert.equal(names(tree.nodesOf(root)), " a x y z");
  tree.restore(removed);
  assert.deepEqual(a.children, [b, x]);
});

test("a list of branches is the same tree", () => {
  const { root } = example();
  const branches = tree.toBranches(root);
  assert.deepEqual(
    branches.map(({ parent }) => parent),
    [null, 0, 1, 2, 1, 4, 4],
  );
  assert.deepEqual(tree.toBranches(tree.fromBranches(branches)[0]), branches);
});

test("paragraphs show variations after the action that they replace", () => {
  const { root } = example();
  const shown = tree
    .paragraphs(root)
    .map(
      ({ depth, turns }) =>
        `${depth}: ${turns.map(({ turn, isFirst, nodes }) => `${turn}${isFirst ? "." : "…"} ${names(nodes)}`).join(" ")}`,
    );
  assert.deepEqual(shown, ["0: 1. a b", "1: 1… x 2. y", "2: 2. z", "0: 2. c"]);
});

test("lines of many thousand actions do not overflow the stack", () => {
  const root = tree.makeRoot();
  let node = root;
  for (let i = 0; i < 20_000; i++) node = tree.add(node, { action: String(i), turn: i });
  assert.equal(tree.nodesOf(root).length, 20_001);
  assert.equal(tree.path(node).length, 20_000);
  assert.ok(tree.paragraphs(root).length > 1000);
});
