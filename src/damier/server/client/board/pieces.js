/**
 * Pieces, marks and dice: the artwork of the drawing data and of `artwork.js`, put into the page.
 *
 * Lengths are in cells and (0, 0) is the middle of the cell. The class of a colour (`noir`, `blue`) on the group around
 * a piece sets its colours: see `palette.css`.
 *
 * @import { LookData } from "../net/wire.d.ts"
 */

import { drawn, s } from "../ui/dom.js";
import { DIE, SPARK } from "./artwork.js";

/**
 * Makes a piece without its marks; its flame shows only within the class `is-lit`.
 *
 * @param {LookData} look
 */
export function pieceNodes(look) {
  defineGradient(look);
  return drawn(look.artwork.drawing);
}

/**
 * Makes a piece as a small picture for lists.
 *
 * @param {LookData} look
 */
export function smallPiece(look) {
  defineGradient(look);
  return s(
    "svg",
    { viewBox: look.artwork.small_box, class: "small-piece", "aria-hidden": "true" },
    s("g", { class: look.colour }, drawn(look.artwork.small)),
  );
}

/**
 * Defines the gradient of a look, once in a page.
 *
 * @param {LookData} look
 */
function defineGradient({ artwork, colour }) {
  const [gradient] = drawn(artwork.gradient);
  if (!(gradient instanceof Element) || document.getElementById(gradient.id)) return;
  document.body.append(s("svg", { class: "unseen", "aria-hidden": "true" }, s("g", { class: colour }, gradient)));
}

/** Makes a burst where a piece goes. */
export const burstNodes = () => drawn(`<circle r=".3" class="blast"/><g transform="scale(2.4)">${SPARK}</g>`);

/**
 * Makes a die that shows `points`.
 *
 * @param {number} points
 * @param {string} label
 */
export const die = (points, label) =>
  s("svg", { viewBox: "-.52 -.52 1.04 1.04", class: "die", role: "img", "aria-label": label }, drawn(DIE[points - 1]));
