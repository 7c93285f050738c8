/**
 * What changed between two states: which piece went where, and in which order pieces vanish. Pure functions.
 *
 * @import { CellData } from "../net/wire.d.ts"
 * @import { BoardPiece } from "../types.d.ts"
 * @typedef {Map<string, Pick<CellData, "x" | "y">>} Cells by name
 */

/**
 * @param {BoardPiece} a
 * @param {BoardPiece} b
 */
const same = (a, b) => a.player === b.player && a.cell === b.cell && a.level === b.level;

/**
 * Pairs the pieces on the board with those of the next state.
 *
 * @template {{piece: BoardPiece}} Item
 * @param {readonly Item[]} items what is on the board
 * @param {readonly BoardPiece[]} pieces of the next state
 * @param {readonly string[]} acting the cells of the action
 * @param {Cells} cells
 * @returns {{kept: [Item, BoardPiece][], gone: Item[], fresh: BoardPiece[]}}
 */
export function pairUp(items, pieces, acting, cells) {
  /** @type {[Item, BoardPiece][]} */
  const kept = [];
  let gone = [...items];
  /** @type {BoardPiece[]} */
  let fresh = [];
  for (const piece of pieces) {
    const item = gone.find((each) => same(each.piece, piece));
    if (!item) fresh.push(piece);
    else {
      kept.push([item, piece]);
      gone.splice(gone.indexOf(item), 1);
    }
  }
  for (const { item, piece } of moves(gone, fresh, acting, cells)) {
    if (!gone.includes(item) || !fresh.includes(piece)) continue;
    kept.push([item, piece]);
    gone = gone.filter((each) => each !== item);
    fresh = fresh.filter((each) => each !== piece);
  }
  return { kept, gone, fresh };
}

/**
 * Returns where pieces may have gone, the likeliest first: the cells of the action, then the nearest.
 *
 * @template {{piece: BoardPiece}} Item
 * @param {readonly Item[]} gone
 * @param {readonly BoardPiece[]} fresh
 * @param {readonly string[]} acting
 * @param {Cells} cells
 */
function moves(gone, fresh, acting, cells) {
  /** @type {{item: Item, piece: BoardPiece, cost: number}[]} */
  const found = [];
  for (const item of gone) {
    for (const piece of fresh) {
      if (item.piece.player !== piece.player) continue;
      const [from, to] = [cells.get(item.piece.cell), cells.get(piece.cell)];
      if (!from || !to) continue;
      const aside = acting.includes(item.piece.cell) ? 0 : 4;
      found.push({ item, piece, cost: aside + Math.hypot(from.x - to.x, from.y - to.y) });
    }
  }
  return found.sort((a, b) => a.cost - b.cost);
}

/**
 * Returns how many steps each vanishing cell is from the centre, going from one to the next.
 *
 * @param {readonly string[]} names
 * @param {string | undefined} centre
 * @param {Cells} cells
 * @returns {Map<string, number>}
 */
export function spread(names, centre, cells) {
  /** @type {Map<string, number>} */
  const steps = new Map();
  let front = centre !== undefined && names.includes(centre) ? [centre] : names;
  for (let step = 0; front.length; step++) {
    for (const name of front) steps.set(name, step);
    front = names.filter(
      (name) => !steps.has(name) && front.some((other) => areNear(cells.get(name), cells.get(other))),
    );
  }
  for (const name of names) if (!steps.has(name)) steps.set(name, 1);
  return steps;
}

/**
 * @param {{x: number, y: number} | undefined} a
 * @param {{x: number, y: number} | undefined} b
 */
const areNear = (a, b) => a !== undefined && b !== undefined && Math.hypot(a.x - b.x, a.y - b.y) < 1.1;

/**
 * Returns what the board will probably look like after an action: a piece set down or moved to where there is room.
 *
 * @param {readonly BoardPiece[]} pieces
 * @param {readonly string[]} cells of the action
 * @param {string} player
 * @param {boolean} canStack
 * @returns {BoardPiece[]}
 */
export function guess(pieces, cells, player, canStack) {
  const height = (/** @type {string} */ cell) => pieces.filter((piece) => piece.cell === cell).length;
  const [from, to] = [cells[0], cells[cells.length - 1]];
  const hasRoom = canStack || height(to) === 0;
  if (cells.length === 1 && hasRoom && player)
    return [...pieces, { player, cell: to, level: height(to), marks: [], isGuess: true }];
  const mover = pieces.findLast((piece) => piece.cell === from && piece.player === player);
  if (cells.length !== 2 || !hasRoom || !mover) return [...pieces];
  const moved = { ...mover, cell: to, level: height(to), isGuess: true };
  return pieces.map((piece) => (piece === mover ? moved : piece));
}
