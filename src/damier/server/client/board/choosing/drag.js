/**
 * Dragging a piece: a click where it begins and one where it ends; the piece goes along.
 *
 * @import { Item } from "../board.js"
 * @import { Point } from "../view.js"
 */

import { isStill } from "../../net/settings.js";
import { cellAt } from "./hits.js";
import { motion } from "../motion.js";

const LEAST_DRAG = 18; // hundredths of a cell that the pointer moves before a piece goes along

/**
 * Follows the pointer from its press until its release.
 *
 * @param {PointerEvent} down
 * @param {Item} item
 * @param {number} scale from pixels to the units of the picture
 * @param {{begin: () => void, drop: (cell: string) => void, end: () => void}} calls `begin` once the pointer has moved;
 *   `drop` on another cell; `end` after the click that the browser makes of it
 */
export function drag(down, item, scale, { begin, drop, end }) {
  const lift = item.node.firstElementChild;
  if (!(lift instanceof SVGElement)) return;
  const from = item.piece.cell;
  let isDragged = false;
  /** @type {(event: PointerEvent) => Point} */
  const moved = (event) => [(event.clientX - down.clientX) * scale, (event.clientY - down.clientY) * scale];
  const move = (/** @type {PointerEvent} */ event) => {
    const [dx, dy] = moved(event);
    if (!isDragged && Math.hypot(dx, dy) < LEAST_DRAG) return;
    if (!isDragged) {
      isDragged = true;
      begin();
      item.node.classList.add("dragged");
    }
    lift.style.transform = `translate(${dx}px, ${dy}px)`;
  };
  const release = (/** @type {PointerEvent} */ event) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", release);
    removeEventListener("pointercancel", release);
    lift.style.transform = "";
    item.node.classList.remove("dragged");
    if (!isDragged) return;
    item.offset = moved(event);
    const to = event.type === "pointerup" && cellAt(document.elementFromPoint(event.clientX, event.clientY));
    if (to && to !== from) drop(to);
    if (item.offset && !isStill())
      lift.animate(
        [{ transform: `translate(${item.offset[0]}px, ${item.offset[1]}px)` }, { transform: "none" }],
        motion(),
      );
    item.offset = undefined;
    setTimeout(end);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", release);
  addEventListener("pointercancel", release);
}
