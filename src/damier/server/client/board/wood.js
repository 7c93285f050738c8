/**
 * The empty board: frame, inlaid cells, holes, pits and coordinates.
 *
 * @import { CellData, DrawingData } from "../net/wire.d.ts"
 * @import { Point, View } from "./view.js"
 */

import { drawn, s } from "../ui/dom.js";
import { UNIT } from "./view.js";

/**
 * @param {DrawingData} drawing
 * @param {View} view
 */
export function frame(drawing, view) {
  const { edge } = view;
  const [w, h] = [drawing.width, drawing.height];
  if (view.isFlat) {
    const [x, y, width, height] = view.box;
    const inset = { x: x + 2, y: y + 2, width: width - 4, height: height - 4, rx: 10 };
    const inner = { x: 0, y: 0, width: view.across * UNIT, height: view.down * UNIT };
    return s(
      "g",
      { class: "frame" },
      s("rect", { x, y, width, height, rx: 12, class: "f-frame" }),
      s("rect", { ...inset, class: "hem" }),
      s("rect", { ...inner, class: "inlay" }),
    );
  }
  /** @type {Point[]} */
  const corners = [
    [-edge, -edge],
    [w + edge, -edge],
    [w + edge, h + edge],
    [-edge, h + edge],
  ];
  const path = view.path(corners);
  const side = {
    d: sides(
      corners.map((corner) => view.point(...corner)),
      view.slab,
    ),
  };
  return s(
    "g",
    { class: "frame" },
    s("path", { ...side, class: "f-frame" }),
    s("path", { ...side, class: "slab" }),
    s("path", { d: path, class: "f-frame hem" }),
  );
}

/**
 * Returns the outline of the near sides of a board seen at an angle.
 *
 * @param {Point[]} corners in the picture
 * @param {number} thick
 */
function sides(corners, thick) {
  const [left, right] = [...corners].sort(([a], [b]) => a - b).filter((_, i) => i % 3 === 0);
  const [near] = [...corners].sort(([, a], [, b]) => b - a);
  const low = (/** @type {Point} */ [x, y]) => `${x.toFixed(1)} ${(y + thick).toFixed(1)}`;
  return `M${left[0].toFixed(1)} ${left[1].toFixed(1)}L${[left, near, right].map(low).join("L")}V${right[1].toFixed(1)}Z`;
}

/**
 * @param {DrawingData} drawing
 * @param {View} view
 */
export function boardCells(drawing, view) {
  return s(
    "g",
    { class: "cells" },
    drawing.cells.map((cell) =>
      s(
        "g",
        {},
        s("path", { d: view.path(cell.outline), class: "joint", fill: `var(--${cell.fill})` }),
        cell.has_grain && s("path", { d: view.curves(drawing.artwork.grain[cell.name]), class: "grain" }),
        !cell.can_hold && hollow(drawing, cell, view),
      ),
    ),
  );
}

/**
 * @param {DrawingData} drawing
 * @param {CellData} cell
 * @param {View} view
 */
function hollow(drawing, cell, view) {
  const [x, y] = view.spot(cell);
  return s(
    "g",
    { transform: `translate(${x} ${y}) scale(${UNIT} ${UNIT * view.lying})` },
    drawn(drawing.artwork.cells[cell.kind]),
  );
}

/**
 * Makes the letters of the columns and numbers of the rows, once each, on the near sides of the frame.
 *
 * @param {DrawingData} drawing
 * @param {View} view
 */
export function coordinates(drawing, view) {
  const columns = new Map(drawing.cells.map((cell) => [cell.name[0], cell.x]));
  const rows = new Map(drawing.cells.map((cell) => [cell.name.slice(1), cell.y]));
  const out = view.edge / 2;
  const nearest = (/** @type {Point} */ a, /** @type {Point} */ b) => (rank(a) >= rank(b) ? a : b);
  const rank = (/** @type {Point} */ [x, y]) => (view.isFlat ? y - x : y);
  const label = (/** @type {string} */ text, /** @type {Point[]} */ ends) => {
    const [x, y] = ends.map((end) => view.point(...end)).reduce(nearest);
    return s("text", { x: x.toFixed(1), y: (y + 6).toFixed(1) }, text);
  };
  const size = view.isFlat ? Math.min(21, 3 * Math.max(5, view.across)) : 20;
  return s(
    "g",
    { class: "coordinates", "aria-hidden": "true", "font-size": size },
    [...columns].map(([text, x]) =>
      label(text, [
        [x, -out],
        [x, drawing.height + out],
      ]),
    ),
    [...rows].map(([text, y]) =>
      label(text, [
        [-out, y],
        [drawing.width + out, y],
      ]),
    ),
  );
}
