/**
 * Pieces, marks and dice: the artwork of the drawing data and of `artwork.js`, put into the page.
 *
 * Lengths are in cells and (0, 0) is the middle of the cell. The class of a colour (`noir`, `blue`) on the group around
 * a piece sets its colours: see `palette.css`.
 *
 * @typedef {{drawing: string, small: string, small_box: string, gradient: string}} PieceArtwork
 * @typedef {{name: string, shape: string, colour: string, pattern: string, letter: string, artwork: PieceArtwork}} Look
 */

import { drawn, s } from "../ui/dom.js";
import { DIE, SPARK } from "./artwork.js";

/** A piece without its marks; its flame shows only within the class `is-lit`. */
export function pieceNodes(look) {
  defineGradient(look);
  return drawn(look.artwork.drawing);
}

/** A piece as a small picture for lists. */
export function smallPiece(look) {
  defineGradient(look);
  return s(
    "svg",
    { viewBox: look.artwork.small_box, class: "small-piece", "aria-hidden": "true" },
    s("g", { class: look.colour }, drawn(look.artwork.small)),
  );
}

/** Defines the gradient of a look, once in a page. */
function defineGradient({ artwork, colour }) {
  const [gradient] = drawn(artwork.gradient);
  if (!gradient || document.getElementById(gradient.id)) return;
  document.body.append(s("svg", { class: "unseen", "aria-hidden": "true" }, s("g", { class: colour }, gradient)));
}

/** A burst where a piece goes. */
export const burstNodes = () => drawn(`<circle r=".3" class="blast"/><g transform="scale(2.4)">${SPARK}</g>`);

/** A die that shows `points`. */
export const die = (points, label) =>
  s("svg", { viewBox: "-.52 -.52 1.04 1.04", class: "die", role: "img", "aria-label": label }, drawn(DIE[points - 1]));
