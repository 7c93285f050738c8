/**
 * Where a bubble stands on a board: near a cell, on none of the cells that it is about, never beyond the board. Pure.
 *
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 * @typedef {{width: number, height: number}} Size
 */

const GAP = 6; // pixels to a cell
const EDGE = 4; // pixels to the edge of the board

/**
 * Returns the place of a bubble and how much of the cells it covers, which is 0 wherever there is room.
 *
 * @param {Size} room
 * @param {Size} size of the bubble
 * @param {Box} at the cell that it points to; it is covered last
 * @param {readonly Box[]} kept further cells to leave free
 */
export function placeBubble(room, size, at, kept) {
  const boxes = [at, ...kept];
  const within = (/** @type {number} */ value, /** @type {number} */ most) => Math.min(Math.max(value, EDGE), most);
  const [mostX, mostY] = [room.width - size.width - EDGE, room.height - size.height - EDGE];
  const xs = boxes.flatMap(({ x, width }) => [
    x - size.width - GAP,
    x,
    x + width / 2 - size.width / 2,
    x + width + GAP,
  ]);
  const ys = boxes.flatMap(({ y, height }) => [
    y - size.height - GAP,
    y,
    y + height / 2 - size.height / 2,
    y + height + GAP,
  ]);
  let best = { x: 0, y: 0, covered: Infinity, far: Infinity };
  for (const x of [...xs, 0, mostX].map((value) => within(value, mostX))) {
    for (const y of [...ys, 0, mostY].map((value) => within(value, mostY))) {
      const bubble = { x, y, ...size };
      const covered = kept.reduce((sum, box) => sum + shared(bubble, box), 0) + 1000 * shared(bubble, at);
      const far = Math.hypot(x + size.width / 2 - at.x - at.width / 2, y + size.height / 2 - at.y - at.height / 2);
      if (covered < best.covered || (covered === best.covered && far < best.far)) best = { x, y, covered, far };
    }
  }
  return { x: best.x, y: best.y, covered: best.covered };
}

/**
 * Returns the area that two boxes share.
 *
 * @param {Box} a
 * @param {Box} b
 */
function shared(a, b) {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}
