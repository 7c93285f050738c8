/**
 * What the marks on the board mean. The board itself says which are there: a mark is explained while it is drawn, and
 * only then.
 *
 * @import { DrawingData } from "../../net/wire.d.ts"
 * @import { BoardMoment } from "../../types.d.ts"
 * @import { Child } from "../../ui/dom-types.d.ts"
 * @typedef {{name: string, at: string, sample: () => Child}} Sign `at`: a selector of what is drawn
 * @typedef {{name: string, text: string, sample: () => Child}} Entry
 */

import { SIGNS } from "../../board/artwork.js";
import { t } from "../../net/language.js";
import { drawn, h, s } from "../../ui/dom.js";

const sign = (/** @type {string} */ name, size = 1) => {
  return () => drawn(`<g transform="scale(${size})">${SIGNS.flat[name]}</g>`);
};
const cell = '<rect x="-.5" y="-.36" width="1" height=".72" rx=".1" class="last"/>';
const arrow = '<path d="M-.34 0H.3M.08-.2L.3 0L.08.2" class="trail" stroke-width=".1"/>';
const bracket =
  '<g class="cell-mark small"><path d="M-.42-.2V-.42H-.2M.2-.42H.42V-.2M.42.2V.42H.2M-.2.42H-.42V.2"/></g>';
const chip = '<path d="M0-.26L.3.22H-.3Z" class="value win exact"/>';

/** @type {Sign[]} */
const KINDS = [
  { name: "can", at: ".sign.halo", sample: () => drawn('<g class="sign halo"><circle r=".4"/></g>') },
  { name: "picked", at: ".sign.origin", sample: sign("origin") },
  { name: "next", at: ".sign.dot, .sign.goal", sample: sign("dot", 2) },
  { name: "place", at: ".sign.place", sample: sign("place", 3) },
  { name: "single", at: ".sign.single", sample: sign("single") },
  { name: "hint", at: ".sign.hint", sample: sign("hint") },
  { name: "gone", at: ".sign.doom", sample: () => drawn('<g class="sign doom"><circle r=".4"/></g>') },
  {
    name: "goes",
    at: ".way",
    sample: () => drawn('<path d="M-.4 0H.4M.16-.2L.4 0L.16.2" class="way" stroke-width=".1"/>'),
  },
  { name: "waits", at: ".waiting-place", sample: () => drawn('<circle r=".36" class="waiting-sample"/>') },
  { name: "value", at: ".values > *", sample: () => drawn(chip) },
];

/**
 * Returns what is to be explained on a board.
 *
 * @param {Element} board
 * @param {DrawingData} drawing
 * @param {BoardMoment} state
 * @param {string[]} turnsOf the names of the players whose last turns are marked
 * @returns {Entry[]}
 */
export function explained(board, drawing, state, turnsOf) {
  const isThere = (/** @type {string} */ at) => board.querySelector(at) !== null;
  const signs = KINDS.filter(({ at }) => isThere(at)).map((kind) => ({ ...kind, text: t(`legend.${kind.name}`) }));
  const last = isThere(".tints .last") && {
    name: "last",
    text: turnsOf.length === 1 ? t("legend.last", { player: turnsOf[0] }) : t("legend.last.several"),
    sample: () => drawn(isThere(".trail") ? cell + arrow : cell),
  };
  const marked = new Set([
    ...[...state.pieces, ...(state.waiting ?? [])].flatMap((piece) => piece.marks ?? []),
    ...Object.values(state.marks ?? {}).flat(),
  ]);
  const marks = [...marked].map((name) => ({
    name: `mark-${name}`,
    text: drawing.legend[name] ?? drawing.marks[name] ?? name,
    sample: () => drawn(drawing.artwork.marks[name] ?? bracket),
  }));
  return [...signs, ...(last ? [last] : []), ...marks];
}

/**
 * Makes the list of what is explained.
 *
 * @param {readonly Entry[]} entries
 */
export const legendItems = (entries) =>
  entries.map(({ name, text, sample }) =>
    h(
      "li",
      { "data-explains": name },
      s("svg", { viewBox: "-.55 -.55 1.1 1.1", class: "sample", "aria-hidden": "true" }, sample()),
      h("span", {}, text),
    ),
  );

/**
 * Makes the samples of marks fill their pictures: on a piece, a mark is small and beside the middle.
 *
 * @param {Element} list that is in the page
 */
export function fitSamples(list) {
  for (const sample of list.querySelectorAll('[data-explains^="mark-"] svg')) {
    const { x, y, width, height } = /** @type {SVGSVGElement} */ (sample).getBBox();
    if (width && height) sample.setAttribute("viewBox", [x, y, width, height].join(" "));
  }
}
