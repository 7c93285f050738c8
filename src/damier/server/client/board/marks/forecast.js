/**
 * Draws what an action would do: which pieces vanish and in which order, which move, to whom something is passed, and
 * where pieces are set down.
 *
 * @import { PreviewData, RouteData } from "../../net/wire.d.ts"
 * @import { BoardPiece } from "../../types.d.ts"
 * @import { Ground } from "./tints.js"
 * @typedef {{under: SVGElement[], over: SVGElement[]}} Forecast what lies under the pieces, and what above them
 */

import { drawn, s } from "../../ui/dom.js";
import { ARROW } from "../artwork.js";
import { pieceNodes } from "../pieces.js";
import { isTaken, standing } from "./signs.js";
import { topOf } from "./tints.js";
import { arrow, cellsOf } from "./trails.js";
import { UNIT } from "../view.js";

const DOOM = '<circle r=".45"/>';
const GETS = '<circle r=".44"/>';

/**
 * @param {Ground} ground
 * @param {PreviewData} preview
 * @param {string} player who acts
 * @returns {Forecast}
 */
export function forecast(ground, preview, player) {
  const doomed = preview.gone.flatMap((cells, step) => cells.map((name) => ({ name, step: step + 1 })));
  const isChain = preview.gone.length > 1;
  const routes = preview.moved.map((route) => ({ route, isPass: isPass(ground, preview, route) }));
  const ways = routes.flatMap(({ route, isPass }) => way(ground, route, isPass));
  const ghosts = routes.flatMap(({ route, isPass }) => (isPass ? passed(ground, route) : goer(ground, route, player)));
  const marked = doomed.map(({ name }) =>
    s("path", { d: ground.view.path(ground.cell(name).outline), class: "doomed", "data-gone": name }),
  );
  const rings = doomed.map(({ name, step }) => doom(ground, name, isChain ? step : 0));
  const set = preview.placed
    .filter((name) => !preview.moved.some(({ target }) => target === name))
    .map((name) => ghost(ground, name, player));
  const { isFlat } = ground.view;
  return { under: [...marked, ...(isFlat ? ways : [])], over: [...(isFlat ? [] : ways), ...ghosts, ...set, ...rings] };
}

/**
 * Returns the cells that a forecast is about: a sentence beside it leaves them free.
 *
 * @param {PreviewData} preview
 */
export const concerned = ({ gone, moved, placed }) => [
  ...new Set([
    ...gone.flat(),
    ...moved.flatMap((route) => [...(route.origin ? [route.origin] : []), route.target]),
    ...placed,
  ]),
];

/**
 * Whether an action only sets down one piece or moves one to where there is room.
 *
 * @param {Ground} ground
 * @param {PreviewData} preview
 */
export const isPlain = (ground, preview) =>
  !preview.gone.length && preview.moved.length < 2 && !preview.moved.some(({ target }) => isTaken(ground, target));

/**
 * Returns the cells whose upper pieces leave them.
 *
 * @param {Ground} ground
 * @param {PreviewData} preview
 */
export const left = (ground, preview) =>
  preview.moved.filter((route) => route.origin && !isPass(ground, preview, route)).map(({ origin }) => origin);

/**
 * Whether something is passed on from piece to piece: both stay where they are.
 *
 * @param {Ground} ground
 * @param {PreviewData} preview
 * @param {RouteData} route
 */
function isPass({ view, on }, { moved }, { origin, target }) {
  if (!view.isFlat || !origin || moved.some((other) => other.origin === target)) return false;
  const [from, to] = [on(origin).at(-1), on(target).at(-1)];
  return from !== undefined && to !== undefined && from.player === to.player;
}

/**
 * @param {Ground} ground
 * @param {RouteData} route
 * @param {boolean} isPass
 */
function way(ground, route, isPass) {
  const points = cellsOf(route).map((name) => topOf(ground, name));
  if (points.length < 2) return [];
  const ends = { "data-from": route.origin, "data-to": route.target };
  const line = isPass ? `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}` : arrow(points, UNIT);
  return [s("path", { d: line, class: isPass ? "way passes" : "way", "stroke-width": ARROW.width * UNIT, ...ends })];
}

/**
 * Makes the piece that goes a way, where it arrives.
 *
 * @param {Ground} ground
 * @param {RouteData} route
 * @param {string} player of a piece from the hand
 */
function goer(ground, { origin, target }, player) {
  const piece = origin ? ground.on(origin).at(-1) : undefined;
  return [ghost(ground, target, piece?.player ?? player, piece?.marks)];
}

/**
 * Makes a ring around the piece to which something is passed, and what it gets.
 *
 * @param {Ground} ground
 * @param {RouteData} route
 */
function passed(ground, { origin, target }) {
  const has = ground.on(target).at(-1)?.marks ?? [];
  const marks = (ground.on(origin ?? "").at(-1)?.marks ?? []).filter((mark) => !has.includes(mark));
  const ring = standing(ground, target, "gets", drawn(GETS));
  return [ring, ...marks.map((mark) => placed(ground, target, "ghost", drawn(ground.drawing.artwork.marks[mark])))];
}

/**
 * Makes a translucent piece.
 *
 * @param {Ground} ground
 * @param {string} name
 * @param {string} player
 * @param {string[]} marks
 */
function ghost(ground, name, player, marks = []) {
  const look = ground.drawing.looks[player];
  const nodes = [...pieceNodes(look), ...marks.flatMap((mark) => drawn(ground.drawing.artwork.marks[mark]))];
  return placed(ground, name, `ghost ${look.colour}`, nodes);
}

/**
 * @param {Ground} ground
 * @param {string} name
 * @param {string} style
 * @param {ChildNode[]} nodes
 */
function placed(ground, name, style, nodes) {
  const [x, y] = topOf(ground, name);
  const transform = `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${UNIT})`;
  return s("g", { transform, class: style, "data-ghost": name }, nodes);
}

/**
 * Makes the ring of a piece that vanishes, with the number of its step; 0 for none.
 *
 * @param {Ground} ground
 * @param {string} name
 * @param {number} step
 */
function doom(ground, name, step) {
  const number = step
    ? [
        s("circle", { cx: 0.36, cy: -0.36, r: 0.14, class: "step" }),
        s("text", { x: 0.36, y: -0.36, class: "step-number" }, String(step)),
      ]
    : [];
  const node = standing(ground, name, "doom", [...drawn(DOOM), ...number]);
  if (step) node.setAttribute("data-step", String(step));
  return node;
}
