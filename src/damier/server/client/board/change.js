/** What changed between two states: which piece went where, and in which order pieces vanish. Pure functions. */

const same = (a, b) => a.player === b.player && a.cell === b.cell && a.level === b.level;

/**
 * Pairs the pieces on the board with those of the next state.
 *
 * @returns {{kept: [item, piece][], gone: item[], fresh: piece[]}}
 */
export function pairUp(items, pieces, acting, cells) {
  const kept = [];
  let gone = [...items];
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

/** Where pieces may have gone, the likeliest first: the cells of the action, then the nearest. */
function moves(gone, fresh, acting, cells) {
  const found = [];
  for (const item of gone) {
    for (const piece of fresh) {
      if (item.piece.player !== piece.player) continue;
      const [from, to] = [cells.get(item.piece.cell), cells.get(piece.cell)];
      const aside = acting.includes(item.piece.cell) ? 0 : 4;
      found.push({ item, piece, cost: aside + Math.hypot(from.x - to.x, from.y - to.y) });
    }
  }
  return found.sort((a, b) => a.cost - b.cost);
}

/** How many steps each cell is from the centre, going from one vanishing cell to the next. */
export function spread(names, centre, cells) {
  const steps = new Map();
  let front = names.includes(centre) ? [centre] : names;
  for (let step = 0; front.length; step++) {
    for (const name of front) steps.set(name, step);
    front = names.filter(
      (name) => !steps.has(name) && front.some((other) => areNear(cells.get(name), cells.get(other))),
    );
  }
  for (const name of names) if (!steps.has(name)) steps.set(name, 1);
  return steps;
}

const areNear = (a, b) => Math.hypot(a.x - b.x, a.y - b.y) < 1.1;
