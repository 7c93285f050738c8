/**
 * Arrows on the board for the first actions of the best lines, the best one strongest; an action of one cell is a ring.
 * They lie over the board in a drawing of their own and take no clicks.
 *
 * @import { Board } from "../../board/board.js"
 * @import { AnalysisLine } from "../../net/wire.d.ts"
 */

import { arrow, cellsOf } from "../../board/marks/trails.js";
import { makeView, UNIT } from "../../board/view.js";
import { s } from "../../ui/dom.js";

const WIDTHS = [0.15, 0.1, 0.07]; // of the best line, the second, all others; 1 is a cell
const RING = 0.36;

export class BestArrows {
  /** @type {readonly AnalysisLine[]} */
  #lines = [];
  #isOn = true;
  /** @type {number | null} the line that is pointed at, which then stands alone */
  #only = null;

  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.element = s("svg", { class: "best-arrows", "aria-hidden": "true" });
  }

  /** @param {readonly AnalysisLine[]} lines best first */
  show(lines) {
    this.#lines = lines;
    this.draw();
  }

  /** @param {boolean} isOn whether they are seen without pointing at a line */
  turnOn(isOn) {
    this.#isOn = isOn;
    this.draw();
  }

  /** @param {number | null} number of a line, or null for all */
  point(number) {
    this.#only = number;
    this.draw();
  }

  /** Draws them anew, after the board has been turned. */
  draw() {
    const { board } = this;
    const highest = Math.max(0, ...board.drawing.cells.map(({ name }) => board.on(name).length));
    const view = makeView(board.drawing, board.turn, board.hasCoordinates, highest);
    this.element.setAttribute("viewBox", board.element.getAttribute("viewBox") ?? view.box.join(" "));
    const shown = [...this.#lines.entries()].filter(([i]) => (this.#only === null ? this.#isOn : i === this.#only));
    const spot = (/** @type {string} */ name) =>
      view.spot(board.cell(name), view.isFlat ? 0 : Math.max(0, board.on(name).length - 1));
    this.element.replaceChildren(
      ...shown.reverse().flatMap(([i, { routes, actions }]) => {
        const width = WIDTHS[Math.min(i, WIDTHS.length - 1)] * UNIT;
        const about = { class: `best-arrow best-${Math.min(i, 2)}`, "stroke-width": width, "data-action": actions[0] };
        return routes.map((route) => {
          const points = cellsOf(route).map(spot);
          if (points.length > 1) return s("path", { ...about, d: arrow(points, UNIT), "data-to": route.target });
          const [[x, y]] = points;
          return s("circle", { ...about, cx: x, cy: y, r: RING * UNIT, "data-to": route.target });
        });
      }),
    );
  }
}
