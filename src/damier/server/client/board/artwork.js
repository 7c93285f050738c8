/** Generated from src/damier/draw by python -m tools.artwork. */

/** How much a board seen at an angle is foreshortened. */
export const TILT = 0.555;

/** Half the width of a drum, half the depth of its face, and its height, in cells. */
export const DRUM = { width: 0.62, depth: 0.345, height: 0.4 };

/** What bursts and flies. */
export const SPARK =
  '<polygon points="0.15,0 0.069,0.029 0.106,0.106 0.029,0.069 0,0.15 -0.029,0.069 -0.106,0.106 -0.069,0.029 -0.15,0 -0.069,-0.029 -0.106,-0.106 -0.029,-0.069 0,-0.15 0.029,-0.069 0.106,-0.106 0.069,-0.029" fill="var(--last)" stroke="var(--accent)" stroke-width=".02" stroke-linejoin="round"/><circle cx="0" cy="0" r=".035" fill="var(--white)"/>';

/** The faces of a die, from 1 to 6 points. */
export const DIE = [
  '<rect x="-.48" y="-.48" width=".96" height=".96" rx=".2" fill="var(--panel)" stroke="var(--ink)" stroke-width=".05"/><circle cx="0" cy="0" r=".095" fill="var(--ink)"/>',
  '<rect x="-.48" y="-.48" width=".96" height=".96" rx=".2" fill="var(--panel)" stroke="var(--ink)" stroke-width=".05"/><circle cx="0.26" cy="-0.26" r=".095" fill="var(--ink)"/><circle cx="-0.26" cy="0.26" r=".095" fill="var(--ink)"/>',
  '<rect x="-.48" y="-.48" width=".96" height=".96" rx=".2" fill="var(--panel)" stroke="var(--ink)" stroke-width=".05"/><circle cx="0" cy="0" r=".095" fill="var(--ink)"/><circle cx="0.26" cy="-0.26" r=".095" fill="var(--ink)"/><circle cx="-0.26" cy="0.26" r=".095" fill="var(--ink)"/>',
  '<rect x="-.48" y="-.48" width=".96" height=".96" rx=".2" fill="var(--panel)" stroke="var(--ink)" stroke-width=".05"/><circle cx="0.26" cy="-0.26" r=".095" fill="var(--ink)"/><circle cx="-0.26" cy="0.26" r=".095" fill="var(--ink)"/><circle cx="-0.26" cy="-0.26" r=".095" fill="var(--ink)"/><circle cx="0.26" cy="0.26" r=".095" fill="var(--ink)"/>',
  '<rect x="-.48" y="-.48" width=".96" height=".96" rx=".2" fill="var(--panel)" stroke="var(--ink)" stroke-width=".05"/><circle cx="0" cy="0" r=".095" fill="var(--ink)"/><circle cx="0.26" cy="-0.26" r=".095" fill="var(--ink)"/><circle cx="-0.26" cy="0.26" r=".095" fill="var(--ink)"/><circle cx="-0.26" cy="-0.26" r=".095" fill="var(--ink)"/><circle cx="0.26" cy="0.26" r=".095" fill="var(--ink)"/>',
  '<rect x="-.48" y="-.48" width=".96" height=".96" rx=".2" fill="var(--panel)" stroke="var(--ink)" stroke-width=".05"/><circle cx="0.26" cy="-0.26" r=".095" fill="var(--ink)"/><circle cx="-0.26" cy="0.26" r=".095" fill="var(--ink)"/><circle cx="-0.26" cy="-0.26" r=".095" fill="var(--ink)"/><circle cx="0.26" cy="0.26" r=".095" fill="var(--ink)"/><circle cx="-0.26" cy="0" r=".095" fill="var(--ink)"/><circle cx="0.26" cy="0" r=".095" fill="var(--ink)"/>',
];
