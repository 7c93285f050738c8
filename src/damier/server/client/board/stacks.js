/**
 * The contents of every stack beside the board: high ones hide what stands behind them.
 *
 * @import { CellData, DrawingData } from "../net/wire.d.ts"
 * @import { BoardMoment } from "../types.d.ts"
 * @import { Board } from "./board.js"
 */

import { t } from "../net/language.js";
import { button, h } from "../ui/dom.js";
import { smallPiece } from "./pieces.js";

/**
 * Draws the list; a row raises its stack and can be chosen like the cell. With `turn` there is a button that turns the
 * board.
 *
 * @param {HTMLElement} place
 * @param {DrawingData} drawing
 * @param {BoardMoment} state
 * @param {Board} board
 * @param {(cell: string) => void} choose
 * @param {(turn: number) => void} [turn] in quarter turns
 */
export function stackList(place, drawing, state, board, choose, turn) {
  const active = document.activeElement;
  const focused = active instanceof HTMLElement && place.contains(active) ? active.dataset.name : undefined;
  const cells = [...drawing.cells].sort((a, b) => a.y - b.y || a.x - b.x);
  const rows = cells.map((cell) => row(cell, drawing, state, board, choose));
  place.replaceChildren(
    h(
      "div",
      { class: "stacks-head" },
      h("h2", {}, t("stacks.title")),
      turn && (turner(place) ?? turnButton(() => turn(board.turn + 1))),
    ),
    h(
      "ul",
      {},
      rows.map((each) => h("li", {}, each)),
    ),
  );
  rows.find((each) => each.dataset.name === focused)?.focus();
}

/** @param {() => void} turn */
const turnButton = (turn) => button(t("do.turn"), turn, { sign: "turn", look: "quiet", title: t("do.turn.title") });

/**
 * Returns the button that is there already: it keeps the focus.
 *
 * @param {HTMLElement} place
 */
const turner = (place) => /** @type {HTMLButtonElement | null} */ (place.querySelector(".stacks-head button"));

/**
 * @param {CellData} cell
 * @param {DrawingData} drawing
 * @param {BoardMoment} state
 * @param {Board} board
 * @param {(cell: string) => void} choose
 */
function row(cell, drawing, state, board, choose) {
  const pieces = state.pieces.filter((piece) => piece.cell === cell.name).sort((a, b) => a.level - b.level);
  const names = pieces.map(({ player }) => drawing.looks[player].name).join(", ");
  const label = `${cell.name}, ${pieces.length ? t("cell.stack", { count: pieces.length, pieces: names }) : t("cell.empty")}`;
  const raise = () => board.raise(cell.name);
  const lower = () => board.raise(undefined);
  return h(
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
  );
}
