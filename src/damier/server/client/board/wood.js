/** The empty board: frame, inlaid cells, holes, pits and coordinates. */

import { drawn, s } from "../ui/dom.js";
import { UNIT } from "./view.js";

const HOLE =
  '<path d="M-.28-.28L.28.28M.28-.28L-.28.28" class="line hole-cross" stroke-width=".055"/>' +
  '<path d="M-.46.5V-.46H.5" class="hole-wall" stroke-width=".08"/>';
const PIT =
  '<circle r=".38" class="pit-rim"/><circle cy=".02" r=".365" class="f-hole"/>' +
  '<path d="M-.355-.07A.365.365 0 0 1 .355-.07A.41.41 0 0 0-.355-.07Z" class="pit-wall"/>' +
  '<path d="M-.3.24A.385.385 0 0 0 .3.24" class="line pit-light" stroke-width=".025"/>';

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
  const path = view.path([
    [-edge, -edge],
    [w + edge, -edge],
    [w + edge, h + edge],
    [-edge, h + edge],
  ]);
  const side = { d: path, transform: `translate(0 ${view.slab})` };
  return s(
    "g",
    { class: "frame" },
    s("path", { ...side, class: "f-frame" }),
    s("path", { ...side, class: "slab" }),
    s("path", { d: path, class: "f-frame hem" }),
  );
}

export function boardCells(drawing, view) {
  return s(
    "g",
    { class: "cells" },
    drawing.cells.map((cell) => {
      const isLight = cell.kind === "light" || (cell.kind === "pit" && isChequerLight(drawing, cell));
      const look = { hole: "f-hole", arrow: "f-dark", centre: "f-dark" }[cell.kind] ?? (isLight ? "f-light" : "f-dark");
      const isPlain = ["light", "dark", "pit"].includes(cell.kind);
      return s(
        "g",
        {},
        s("path", { d: view.path(cell.outline), class: `${look} joint` }),
        isPlain && grain(cell, view, isLight),
        !cell.can_hold && hollow(cell, view),
      );
    }),
  );
}

const isChequerLight = (drawing, cell) => (Math.floor(cell.x) + Math.floor(drawing.height - cell.y)) % 2 === 1;

/** The grain of the wood: a few faint lines, across light cells and along dark ones. */
function grain(cell, view, isLight) {
  const [column, row] = [Math.floor(cell.x), Math.floor(cell.y)];
  const xs = cell.outline.map(([x]) => x);
  const ys = cell.outline.map(([, y]) => y);
  const [left, top, wide, high] = [
    Math.min(...xs),
    Math.min(...ys),
    Math.max(...xs) - Math.min(...xs),
    Math.max(...ys) - Math.min(...ys),
  ];
  const lines = [0, 1, 2, 3].map((i) => {
    const at = 0.12 + 0.22 * i + 0.012 * ((3 * column + 5 * row + 7 * i) % 9);
    const bend = 0.012 * (((2 * column + 3 * row + 5 * i) % 7) - 3);
    const way = [
      [0, at],
      [0.33, at + bend],
      [0.66, at - bend],
      [1, at + bend / 2],
    ];
    const places = way.map(([along, across]) => {
      const [x, y] = isLight ? [along, across] : [across, along];
      return view
        .point(left + x * wide, top + y * high)
        .map((n) => n.toFixed(1))
        .join(" ");
    });
    return `M${places[0]}C${places.slice(1).join(" ")}`;
  });
  return s("path", { d: lines.join(""), class: "grain" });
}

function hollow(cell, view) {
  const [x, y] = view.spot(cell);
  return s(
    "g",
    { transform: `translate(${x} ${y}) scale(${UNIT} ${UNIT * view.lying})` },
    drawn(cell.kind === "hole" ? HOLE : PIT),
  );
}

/** Letters of the columns and numbers of the rows, once each, on the near sides of the frame. */
export function coordinates(drawing, view) {
  const columns = new Map(drawing.cells.map((cell) => [cell.name[0], cell.x]));
  const rows = new Map(drawing.cells.map((cell) => [cell.name.slice(1), cell.y]));
  const out = view.edge / 2;
  const nearest = (a, b) => (rank(a) >= rank(b) ? a : b);
  const rank = ([x, y]) => (view.isFlat ? y - x : y);
  const label = (text, ends) => {
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
