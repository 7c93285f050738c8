/** The contents of every stack beside the board: high ones hide what stands behind them. */

import { t } from "../net/language.js";
import { h } from "../ui/dom.js";
import { smallPiece } from "./pieces.js";

/** Draws the list; a row raises its stack and can be chosen like the cell. */
export function stackList(place, drawing, state, board, choose) {
  const focused = place.contains(document.activeElement) && document.activeElement.dataset.name;
  const cells = [...drawing.cells].sort((a, b) => a.y - b.y || a.x - b.x);
  place.replaceChildren(
    h("h2", {}, t("stacks.title")),
    h(
      "ul",
      {},
      cells.map((cell) => row(cell, drawing, state, board, choose)),
    ),
  );
  if (focused) place.querySelector(`[data-name="${focused}"]`)?.focus();
}

function row(cell, drawing, state, board, choose) {
  const pieces = state.pieces.filter((piece) => piece.cell === cell.name).sort((a, b) => a.level - b.level);
  const names = pieces.map(({ player }) => drawing.looks[player].name).join(", ");
  const label = `${cell.name}, ${pieces.length ? t("cell.stack", { count: pieces.length, pieces: names }) : t("cell.empty")}`;
  const raise = () => board.raise(cell.name);
  const lower = () => board.raise(undefined);
  return h(
    "li",
    {},
    h(
      "button",
      {
        type: "button",
        class: "plain",
        "data-name": cell.name,
        "aria-label": label,
        click: () => choose(cell.name),
        pointerenter: raise,
        pointerleave: lower,
        focus: raise,
        blur: lower,
      },
      h("b", {}, cell.name),
      pieces.length ? pieces.map(({ player }) => smallPiece(drawing.looks[player])) : h("span", { class: "soft" }, "–"),
    ),
  );
}
