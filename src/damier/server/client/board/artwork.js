/** Generated from src/damier/draw by python -m tools.artwork. */

/** How much a board seen at an angle is foreshortened. */
export const TILT = 0.555;

/** Half the width of a drum, half the depth of its face, and its height, in cells. */
export const DRUM = { width: 0.62, depth: 0.345, height: 0.4 };

/** Brackets in the corners of a marked cell: their distance from the corner and their length, as shares of the way. */
export const BRACKET = { inset: 0.13, arm: 0.22 };

/** Gaps between the line of a move and the middles of its cells, in cells; `taken` before a piece. */
export const LINE = { start: 0.43, end: 0.13, taken: 0.42 };

/** Arrows of the last turn, in cells: the gap before the middle of the target, the head, the line, and its halo. */
export const ARROW = {
  end: 0.36,
  head: 0.2,
  width: 0.075,
  halo: 0.125,
};

/** The shadow of a piece on a board seen at an angle, and how much wider it is for each further piece of a stack. */
// prettier-ignore
export const SHADOW = '<ellipse cx=".09" cy=".035" rx=".73" ry=".405" fill="var(--black)" fill-opacity=".13"/><ellipse cx=".035" cy=".02" rx=".665" ry=".375" fill="var(--black)" fill-opacity=".3"/>';
export const SPREAD = 0.06;

/** The sides and the shadow of a die on the table, and its edge in cells. */
// prettier-ignore
export const CUBE = '<ellipse cx=".12" cy="1" rx="1.08" ry=".6" fill="var(--black)" fill-opacity=".2"/><path d="M-.86 0L0 .48L.86 0V.86L0 1.36L-.86 .86Z" fill="var(--panel)" stroke="var(--ink)" stroke-width=".09" stroke-linejoin="round"/><path d="M-.86 0L0 .48V1.36L-.86 .86Z" fill="var(--black)" fill-opacity=".1" stroke="var(--black)" stroke-opacity=".1" stroke-width=".07" stroke-linejoin="round"/><path d="M.86 0L0 .48V1.36L.86 .86Z" fill="var(--black)" fill-opacity=".26" stroke="var(--black)" stroke-opacity=".26" stroke-width=".07" stroke-linejoin="round"/>';
export const EDGE = 0.4;

/** A star with eight points, for bursts. */
// prettier-ignore
export const SPARK = '<polygon points="0.15,0 0.069,0.029 0.106,0.106 0.029,0.069 0,0.15 -0.029,0.069 -0.106,0.106 -0.069,0.029 -0.15,0 -0.069,-0.029 -0.106,-0.106 -0.029,-0.069 0,-0.15 0.029,-0.069 0.106,-0.106 0.069,-0.029" fill="var(--last)" stroke="var(--accent)" stroke-width=".02" stroke-linejoin="round"/><circle cx="0" cy="0" r=".035" fill="var(--white)"/>';

/**
 * Marks of cells that take part in an action, by view and name.
 *
 * @type {Record<string, Record<string, string>>}
 */
// prettier-ignore
export const SIGNS = {
  flat: {
    dot: '<circle r=".12" fill="var(--target)" stroke="var(--panel)" stroke-width=".03"/>',
    place: '<circle r=".085" fill="var(--target)" fill-opacity=".35" stroke="var(--target)" stroke-width=".025"/>',
    origin: '<circle r=".42" fill="none" stroke="var(--target)" stroke-width=".05"/>',
    goal: '<circle r=".42" fill="none" stroke="var(--target)" stroke-width=".06" stroke-dasharray=".01 .1" stroke-linecap="round"/>',
    single: '<circle r=".42" fill="none" stroke="var(--accent)" stroke-width=".05" stroke-dasharray=".1 .07"/>',
    hint: '<circle r=".42" fill="none" stroke="var(--black)" stroke-width=".12" stroke-opacity=".5"/><circle r=".42" fill="none" stroke="var(--last)" stroke-width=".08"/>',
  },
  isometric: {
    dot: '<circle r=".22" fill="none" stroke="var(--panel)" stroke-width=".1"/><circle r=".22" fill="var(--target)" stroke="var(--panel)" stroke-width=".03"/>',
    place: '<circle r=".18" fill="none" stroke="var(--panel)" stroke-width=".1"/><circle r=".18" fill="var(--target)" fill-opacity=".35" stroke="var(--target)" stroke-width=".025"/>',
    origin: '<circle r=".62" fill="none" stroke="var(--panel)" stroke-width=".1"/><circle r=".62" fill="none" stroke="var(--target)" stroke-width=".05"/>',
    goal: '',
    single: '',
    hint: '<circle r=".62" fill="none" stroke="var(--black)" stroke-width=".12" stroke-opacity=".5"/><circle r=".62" fill="none" stroke="var(--last)" stroke-width=".08"/>',
  },
};

/** The faces of a die, from 1 to 6 points. */
// prettier-ignore
export const DIE = [
  '<rect x="-.48" y="-.48" width=".96" height=".96" rx=".2" fill="var(--panel)" stroke="var(--ink)" stroke-width=".05"/><circle cx="0" cy="0" r=".095" fill="var(--ink)"/>',
  '<rect x="-.48" y="-.48" width=".96" height=".96" rx=".2" fill="var(--panel)" stroke="var(--ink)" stroke-width=".05"/><circle cx="0.26" cy="-0.26" r=".095" fill="var(--ink)"/><circle cx="-0.26" cy="0.26" r=".095" fill="var(--ink)"/>',
  '<rect x="-.48" y="-.48" width=".96" height=".96" rx=".2" fill="var(--panel)" stroke="var(--ink)" stroke-width=".05"/><circle cx="0" cy="0" r=".095" fill="var(--ink)"/><circle cx="0.26" cy="-0.26" r=".095" fill="var(--ink)"/><circle cx="-0.26" cy="0.26" r=".095" fill="var(--ink)"/>',
  '<rect x="-.48" y="-.48" width=".96" height=".96" rx=".2" fill="var(--panel)" stroke="var(--ink)" stroke-width=".05"/><circle cx="0.26" cy="-0.26" r=".095" fill="var(--ink)"/><circle cx="-0.26" cy="0.26" r=".095" fill="var(--ink)"/><circle cx="-0.26" cy="-0.26" r=".095" fill="var(--ink)"/><circle cx="0.26" cy="0.26" r=".095" fill="var(--ink)"/>',
  '<rect x="-.48" y="-.48" width=".96" height=".96" rx=".2" fill="var(--panel)" stroke="var(--ink)" stroke-width=".05"/><circle cx="0" cy="0" r=".095" fill="var(--ink)"/><circle cx="0.26" cy="-0.26" r=".095" fill="var(--ink)"/><circle cx="-0.26" cy="0.26" r=".095" fill="var(--ink)"/><circle cx="-0.26" cy="-0.26" r=".095" fill="var(--ink)"/><circle cx="0.26" cy="0.26" r=".095" fill="var(--ink)"/>',
  '<rect x="-.48" y="-.48" width=".96" height=".96" rx=".2" fill="var(--panel)" stroke="var(--ink)" stroke-width=".05"/><circle cx="0.26" cy="-0.26" r=".095" fill="var(--ink)"/><circle cx="-0.26" cy="0.26" r=".095" fill="var(--ink)"/><circle cx="-0.26" cy="-0.26" r=".095" fill="var(--ink)"/><circle cx="0.26" cy="0.26" r=".095" fill="var(--ink)"/><circle cx="-0.26" cy="0" r=".095" fill="var(--ink)"/><circle cx="0.26" cy="0" r=".095" fill="var(--ink)"/>',
];
