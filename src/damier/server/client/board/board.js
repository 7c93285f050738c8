/**
 * The board of every game, drawn from *drawing* and *state* alone: it knows no rules.
 *
 * Layers from below: frame, cells, heat, tints, arrows of the last turn, lines, shadows, pieces, signs of what may be chosen,
 * values, the ring of a hint, and on top the cells that are clicked and focused (a grid with one tab stop). Seen at an angle, the signs
 * themselves can be clicked as well, for a stack may stand before them, and the arrows lie above the stacks.
 *
 * @import { CellData, DrawingData } from "../net/wire.d.ts"
 * @import { BoardMoment, BoardPiece, MarkedTurn } from "../types.d.ts"
 * @import { Heat } from "./heat.js"
 * @import { Place } from "./value-chips.js"
 * @import { Point, View } from "./view.js"
 * @typedef {"wood" | "heats" | "tints" | "trails" | "lines" | "table" | "shadows" | "pieces" | "signs" | "bursts" | "values" | "hints" | "hits" | "picks"} Layer
 * @typedef {{piece: BoardPiece, node: SVGGElement, marks?: string[], gained?: string[], lost?: string[], target?: string,
 *   offset?: Point, motion?: Animation}} Item a piece on the board
 * @typedef {{choose?: (cell: string) => void, label?: string, coordinates?: boolean, turn?: number,
 *   describe?: (cell: CellData, pieces: BoardPiece[], marks: string[]) => string}} BoardSettings without `choose` the board
 *   is a picture
 */

import { isStill } from "../net/settings.js";
import { drawn, s } from "../ui/dom.js";
import { ARROW, BRACKET, DRUM, LINE, SIGNS } from "./artwork.js";
import { guess, pairUp, spread } from "./change.js";
import { hiding, shadows, tableDie, topOf } from "./depth.js";
import { burstNodes, pieceNodes } from "./pieces.js";
import { arrow, cellsOf, endsOf, markedCells, moves, pendingTurn } from "./trails.js";
import { makeView, UNIT } from "./view.js";
import { boardCells, coordinates, frame } from "./wood.js";

/** @type {Layer[]} */
const LAYERS = [
  "wood",
  "heats",
  "tints",
  "trails",
  "lines",
  "table",
  "shadows",
  "pieces",
  "signs",
  "bursts",
  "values",
  "hints",
  "hits",
  "picks",
];
const MOTION = { duration: 210, easing: "cubic-bezier(.3, .1, .2, 1)" };
const RAISE = 28; // as in board.css
const LEAST_DRAG = 18; // hundredths of a cell that the pointer moves before a piece goes along
/** @type {Record<string, Point>} */
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const STEP = 90; // milliseconds from one cell of a chain reaction to the next

export class Board {
  /** @type {View} */
  #view;
  /** @type {Item[]} */
  #items = [];
  /** @type {Map<string, {node: SVGGElement, column: SVGPathElement}>} what is clicked, by cell */
  #hits = new Map();
  /** @type {string} the cell that has the focus, or had it last */
  #focused = "";
  /** @type {BoardMoment} */
  #state = { pieces: [], marks: {}, last: null };
  /** @type {string | undefined} the cell whose stack is raised */
  #raised;
  /** @type {string[]} cells that may be chosen or are pointed at */
  #wanted = [];
  /** How far up stacks have reached in the picture: the board keeps its place while they come and go. */
  #highest = Infinity;
  /** The roll that is shown. */
  #rolled = "";
  /** @type {Heat} */
  #heat = new Map();
  #layers = /** @type {Record<Layer, SVGGElement>} */ (
    Object.fromEntries(LAYERS.map((name) => [name, s("g", { class: name })]))
  );
  #isDragged = false;
  /** Called by the Escape key. */
  cancel = () => {};
  /** @type {(cell: string) => boolean} whether the piece on a cell can be dragged */
  canDrag = () => false;
  /** @type {(cell: string) => void} called when a drag begins */
  onDrag = () => {};

  /**
   * @param {DrawingData} drawing
   * @param {BoardSettings} settings
   */
  constructor(drawing, { choose, label, describe, coordinates: hasCoordinates = true, turn = 0 } = {}) {
    this.drawing = drawing;
    this.choose = choose;
    this.describe = describe;
    this.hasCoordinates = hasCoordinates;
    this.turn = turn;
    this.#view = makeView(drawing, turn, hasCoordinates);
    this.#cells = new Map(drawing.cells.map((cell) => [cell.name, cell]));
    const role = choose
      ? { role: "grid", tabindex: "-1", "aria-label": label }
      : label
        ? { role: "img", "aria-label": label }
        : { "aria-hidden": "true" };
    this.element = s("svg", { class: `board ${drawing.view}`, ...role });
    this.element.append(...LAYERS.map((name) => this.#layers[name]));
    if (!this.#view.isFlat) this.#layers.pieces.after(this.#layers.trails);
    if (choose) this.#listen(choose);
    this.#build();
  }

  /** @type {Map<string, CellData>} */
  #cells;

  /** @param {string} name */
  cell(name) {
    const found = this.#cells.get(name);
    if (!found) throw new Error(`no cell ${name}`);
    return found;
  }

  /**
   * Returns the pieces on a cell, lowest first.
   *
   * @param {string} name
   */
  on(name) {
    return this.#state.pieces.filter((piece) => piece.cell === name).sort((a, b) => a.level - b.level);
  }

  /**
   * Turns the board.
   *
   * @param {number} turn in quarter turns
   */
  setTurn(turn) {
    this.turn = ((turn % 4) + 4) % 4;
    this.#build();
  }

  /** @param {boolean} has */
  setCoordinates(has) {
    this.hasCoordinates = has;
    this.#build();
  }

  // What stands on it ------------------------------------------------------------------------------------------------

  /**
   * Draws a state; what changed moves there. `isBack` when an action was taken back: then nothing bursts.
   *
   * @param {BoardMoment} state
   * @param {{isBack?: boolean, lit?: Set<string>, isPending?: boolean}} how
   */
  show(state, { isBack = false, lit = new Set(), isPending = false } = {}) {
    this.#state = state;
    this.#grow();
    this.#tint(state.last_turns ?? [], state.marks ?? {});
    this.#drawTrails(state.last_turns ?? []);
    this.#move(state, { isBack, lit, isPending });
    this.#veil();
    this.#describe();
  }

  #grow() {
    if (this.#view.isFlat) return;
    this.#highest = Math.min(this.#highest, topOf(this.#view, this.#cells, this.#state.pieces));
    const view = makeView(this.drawing, this.turn, this.hasCoordinates, this.#highest);
    if (view.box.join() !== this.#view.box.join()) this.element.setAttribute("viewBox", view.box.join(" "));
    this.#view = view;
    this.#layers.shadows.replaceChildren(...shadows(view, this.#cells, this.#state.pieces));
    this.#drawDie(this.#state.die ?? null);
  }

  /**
   * Lays the die on the table; it tumbles when it is rolled.
   *
   * @param {number | null} points
   */
  #drawDie(points) {
    const rolled = points === null ? "" : `${points} in turn ${this.#state.turn ?? ""}`;
    const isSame = rolled === this.#rolled;
    this.#rolled = rolled;
    this.#layers.table.replaceChildren(...(points === null ? [] : [tableDie(this.#view, points)]));
    this.#layers.table.classList.toggle("still", isSame);
  }

  /** Makes the stacks translucent that hide what matters: what may be chosen, the last turn, the raised stack. */
  #veil() {
    if (this.#view.isFlat) return;
    const { pieces, last_turns: turns = [] } = this.#state;
    const last = endsOf(turns);
    const hides = hiding(this.#view, this.#cells, pieces, last);
    for (const name of last) hides.delete(name);
    const wanted = [...this.#wanted, ...(this.#raised ? [this.#raised] : [])];
    for (const name of hiding(this.#view, this.#cells, pieces, wanted)) hides.add(name);
    for (const { piece, node } of this.#items)
      node.classList.toggle("sheer", hides.has(piece.cell) && piece.cell !== this.#raised);
  }

  /**
   * @param {BoardMoment} state
   * @param {{isBack: boolean, lit: Set<string>, isPending: boolean}} how
   */
  #move(state, { isBack, lit, isPending }) {
    const { kept, gone, fresh } = pairUp(this.#items, state.pieces, state.last?.cells ?? [], this.#cells);
    for (const [item, piece] of kept) item.piece = piece;
    /** @type {Item[]} */
    const made = fresh.map((piece) => ({ piece, node: this.#newNode(piece) }));
    this.#items = [...kept.map(([item]) => item), ...made];
    for (const item of this.#items) this.#dress(item, lit.has(item.piece.cell), isPending);
    this.#fly();
    this.#arrange();
    this.#remove(gone, state.last?.cells.at(-1), isBack);
  }

  /** @param {BoardPiece} piece */
  #newNode(piece) {
    const { colour } = this.drawing.looks[piece.player];
    const node = s("g", { class: `piece ${colour}` }, s("g", { class: "lift" }, s("g", { class: "body" })));
    if (!isStill()) node.classList.add("new");
    return node;
  }

  /**
   * Gives a piece its marks; only what changed is drawn anew.
   *
   * @param {Item} item
   * @param {boolean} isLit
   * @param {boolean} isPending
   */
  #dress(item, isLit, isPending) {
    const { piece, node } = item;
    const marks = piece.marks ?? [];
    node.classList.toggle("is-lit", isLit);
    node.classList.toggle("pending", isPending && Boolean(piece.isGuess));
    if (item.marks?.join() === marks.join()) return;
    const before = item.marks;
    item.gained = before ? marks.filter((mark) => !before.includes(mark)) : [];
    item.lost = (before ?? []).filter((mark) => !marks.includes(mark));
    item.marks = marks;
    const body = node.querySelector(".body");
    body?.setAttribute("transform", `scale(${UNIT})`);
    body?.replaceChildren(
      ...pieceNodes(this.drawing.looks[piece.player]),
      ...marks.map((mark) => s("g", { class: `mark-${mark}` }, drawn(this.drawing.artwork.marks[mark]))),
    );
  }

  /** A mark that left one piece for another of the same player flies over. */
  #fly() {
    for (const to of this.#items) {
      for (const mark of to.gained ?? []) {
        const from = this.#items.find((item) => item.piece.player === to.piece.player && item.lost?.includes(mark));
        if (from && !isStill()) this.#flyMark(to, from, mark);
      }
    }
    for (const item of this.#items) item.gained = item.lost = undefined;
  }

  /**
   * @param {Item} to
   * @param {Item} from
   * @param {string} mark
   */
  #flyMark(to, from, mark) {
    const [x, y] = this.#view.spot(this.cell(to.piece.cell), to.piece.level);
    const [fromX, fromY] = this.#view.spot(this.cell(from.piece.cell), from.piece.level);
    const node = to.node.querySelector(`.mark-${mark}`);
    const start = `translate(${(fromX - x) / UNIT}px, ${(fromY - y) / UNIT}px)`;
    node?.animate([{ transform: start }, { transform: "none" }], { duration: 240, easing: "ease-out" });
  }

  /** Puts every piece in its place; those that were elsewhere go there, from wherever they are just now. */
  #arrange() {
    const moving = this.#items.filter((item) => item.target !== this.#target(item));
    const before = new Map(moving.map((item) => [item, this.#origin(item)]));
    this.#order(moving);
    for (const item of moving) {
      const from = before.get(item);
      item.motion?.cancel();
      item.target = item.node.style.transform = this.#target(item);
      item.offset = undefined;
      if (from && !isStill())
        item.motion = item.node.animate([{ transform: from }, { transform: item.target }], MOTION);
    }
  }

  /** @param {Item} item */
  #target({ piece }) {
    const [x, y] = this.#view.spot(this.cell(piece.cell), piece.level);
    const up = !this.#view.isFlat && piece.cell === this.#raised ? RAISE : 0;
    return `translate(${x.toFixed(1)}px, ${(y - up).toFixed(1)}px)`;
  }

  /**
   * Returns where a piece is just now, in the middle of a motion or where it was dropped; undefined if it is new.
   *
   * @param {Item} item
   */
  #origin({ node, target, offset }) {
    if (!target) return undefined;
    const now = node.isConnected ? getComputedStyle(node).transform : target;
    return offset ? `${now} translate(${offset[0]}px, ${offset[1]}px)` : now;
  }

  /**
   * Orders the pieces: nearer ones are drawn later, the raised stack last; on a flat board those that move.
   *
   * @param {Item[]} moving
   */
  #order(moving) {
    if (this.#view.isFlat) {
      this.#layers.pieces.append(...moving.map(({ node }) => node));
      return;
    }
    const depth = (/** @type {Item} */ { piece }) =>
      this.#view.point(this.cell(piece.cell).x, this.cell(piece.cell).y)[1];
    const isRaised = (/** @type {Item} */ { piece }) => (piece.cell === this.#raised ? 1 : 0);
    this.#items.sort((a, b) => isRaised(a) - isRaised(b) || depth(a) - depth(b) || a.piece.level - b.piece.level);
    const nodes = this.#items.map(({ node }) => node);
    const present = [...this.#layers.pieces.children].filter((node) => nodes.some((each) => each === node));
    if (nodes.some((node, i) => node !== present[i])) this.#layers.pieces.append(...nodes);
  }

  /**
   * @param {Item[]} gone
   * @param {string | undefined} centre
   * @param {boolean} isBack
   */
  #remove(gone, centre, isBack) {
    const waits = spread(
      gone.map(({ piece }) => piece.cell),
      centre,
      this.#cells,
    );
    for (const { piece, node } of gone) {
      if (isStill() || isBack) {
        node.remove();
        continue;
      }
      const wait = (waits.get(piece.cell) ?? 0) * STEP;
      node.style.animationDelay = `${wait}ms`;
      node.classList.add("gone");
      setTimeout(() => node.remove(), wait + 300);
      this.#burst(piece, wait);
    }
  }

  /**
   * @param {BoardPiece} piece
   * @param {number} wait in milliseconds
   */
  #burst(piece, wait) {
    const [x, y] = this.#view.spot(this.cell(piece.cell), piece.level);
    const inner = s("g", { class: "burst" }, burstNodes());
    inner.style.animationDelay = `${wait}ms`;
    const node = s("g", { transform: `translate(${x} ${y}) scale(${UNIT})` }, inner);
    this.#layers.bursts.append(node);
    setTimeout(() => node.remove(), wait + 450);
  }

  /**
   * Draws an action before the server has confirmed it: what can be guessed from its cells, and a sign on them.
   *
   * @param {string[]} cells
   * @param {string} player
   */
  showPending(cells, player) {
    const places = cells.filter((cell) => this.#cells.has(cell));
    const pieces = guess(this.#state.pieces, places, player, !this.#view.isFlat);
    const state = { ...this.#state, pieces, last: { cells: places }, last_turns: pendingTurn(places, player) };
    const known = this.#state;
    this.show(state, { isPending: true });
    this.#state = known;
  }

  // Signs ------------------------------------------------------------------------------------------------------------

  /**
   * @param {readonly MarkedTurn[]} turns
   * @param {Record<string, string[]>} marks by cell
   */
  #tint(turns, marks) {
    const tints = markedCells(turns).map((name) =>
      s("path", { d: this.#view.path(this.cell(name).outline), class: "last", "data-marked": name }),
    );
    const signs = Object.entries(marks).map(([name, kinds]) => this.#cellMark(this.cell(name), kinds));
    this.#layers.tints.replaceChildren(...tints, ...signs);
  }

  /**
   * Draws arrows along the ways of pieces; seen at an angle, from the top of one stack to that of the next, with a halo
   * that makes them stand out from pieces of any colour.
   *
   * @param {readonly MarkedTurn[]} turns
   */
  #drawTrails(turns) {
    const { isFlat } = this.#view;
    const spot = (/** @type {string} */ name) => this.#view.spot(this.cell(name), isFlat ? 0 : this.on(name).length);
    this.#layers.trails.replaceChildren(
      ...moves(turns).flatMap((route) => {
        const d = arrow(cellsOf(route).map(spot), UNIT);
        const ends = { "data-from": route.origin, "data-to": route.target };
        const line = s("path", { d, class: "trail", "stroke-width": ARROW.width * UNIT, ...ends });
        return isFlat ? [line] : [s("path", { d, class: "trail-halo", "stroke-width": ARROW.halo * UNIT }), line];
      }),
    );
  }

  /**
   * Makes a bracket in each corner of a cell and the names of its marks.
   *
   * @param {CellData} cell
   * @param {string[]} kinds
   */
  #cellMark(cell, kinds) {
    /** @type {Point[]} */
    const corners = cell.outline.map(([x, y]) => [x + (cell.x - x) * BRACKET.inset, y + (cell.y - y) * BRACKET.inset]);
    const place = (/** @type {number} */ x, /** @type {number} */ y) =>
      this.#view
        .point(x, y)
        .map((n) => n.toFixed(1))
        .join(" ");
    const lines = corners.map(([x, y], i) => {
      const [a, b] = [corners[(i || corners.length) - 1], corners[(i + 1) % corners.length]];
      const arm = (/** @type {Point} */ [toX, toY]) => place(x + (toX - x) * BRACKET.arm, y + (toY - y) * BRACKET.arm);
      return `M${arm(a)}L${place(x, y)}L${arm(b)}`;
    });
    const [x, y] = this.#view.point(cell.x, cell.y);
    const text = kinds.map((kind) => this.drawing.marks[kind] ?? kind).join(", ");
    return s("g", { class: "cell-mark" }, s("path", { d: lines.join("") }), s("text", { x, y: y - UNIT * 0.36 }, text));
  }

  /**
   * Shows what may be chosen.
   *
   * @param {{picked?: string[], starts?: Iterable<string>, targets?: Iterable<string>, singles?: Iterable<string>, hint?: string[]}} what
   */
  mark({ picked = [], starts = [], targets = [], singles = [], hint = [] } = {}) {
    const open = new Set([...starts, ...targets, ...singles]);
    for (const [name, { node }] of this.#hits) {
      node.classList.toggle("open", open.has(name));
      node.classList.toggle("grab", open.has(name) && this.on(name).length > 0);
      node.setAttribute("aria-selected", String(picked.includes(name)));
    }
    const known = (/** @type {Iterable<string>} */ names) => [...names].filter((name) => this.#cells.has(name));
    this.#wanted = known([...picked, ...targets, ...singles, ...hint]);
    this.#veil();
    const origin = known(picked).at(-1);
    const lines = origin && this.#view.isFlat ? this.#lines(origin, known(targets)) : [];
    this.#layers.lines.replaceChildren(...lines, ...this.#grounds(known([...targets, ...singles])));
    this.#layers.hints.replaceChildren(...known(hint).map((name) => this.#sign(name, "hint")));
    this.#layers.signs.replaceChildren(
      ...known(picked).map((name) => this.#sign(name, "origin")),
      ...known(targets).map((name) => this.#sign(name, this.#isTaken(name) ? "goal" : "dot")),
      ...known(singles).map((name) => this.#sign(name, this.#isTaken(name) ? "single" : "place")),
    );
    if (!this.#view.isFlat)
      this.#layers.picks.replaceChildren(...known([...targets, ...singles]).map((name) => this.#pick(name)));
  }

  /**
   * Makes the edges of empty cells that may be chosen, seen at an angle: their signs may stand before a stack.
   *
   * @param {string[]} names
   */
  #grounds(names) {
    const empty = this.#view.isFlat ? [] : names.filter((name) => !this.on(name).length);
    return empty.map((name) => s("path", { d: this.#view.path(this.cell(name).outline), class: "ground" }));
  }

  /** @param {string} name */
  #pick(name) {
    const [x, y] = this.#view.spot(this.cell(name), this.on(name).length);
    return s("ellipse", {
      cx: x,
      cy: y,
      rx: 0.34 * UNIT,
      ry: 0.34 * UNIT * this.#view.lying,
      class: "hit open",
      "data-cell": name,
      "aria-hidden": "true",
    });
  }

  /** @param {string} name */
  #isTaken(name) {
    return this.#view.isFlat && this.on(name).length > 0;
  }

  /**
   * @param {string} name
   * @param {"hint" | "origin" | "goal" | "single" | "dot" | "place"} style
   */
  #sign(name, style) {
    const [x, y] = this.#view.spot(this.cell(name), this.#view.isFlat ? 0 : this.on(name).length);
    const transform = `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${UNIT} ${UNIT * this.#view.lying})`;
    const inner = s(
      "g",
      { transform, class: `sign ${style}` },
      drawn(SIGNS[this.#view.isFlat ? "flat" : "isometric"][style]),
    );
    const isUp = name === this.#raised && this.on(name).length > 0;
    return s("g", { class: `stands${isUp ? " up" : ""}`, "data-at": name }, inner);
  }

  /**
   * Makes lines to targets: solid to empty cells, dotted to taken ones; of those in one direction only the longest.
   *
   * @param {string} origin
   * @param {string[]} targets
   */
  #lines(origin, targets) {
    const from = this.cell(origin);
    /** @type {Map<string, {length: number, name: string}>} by direction */
    const longest = new Map();
    for (const name of targets) {
      const [dx, dy] = [this.cell(name).x - from.x, this.cell(name).y - from.y];
      const length = Math.hypot(dx, dy);
      const way = `${Math.round((dx / length) * 100)},${Math.round((dy / length) * 100)},${this.#isTaken(name)}`;
      if ((longest.get(way)?.length ?? 0) <= length) longest.set(way, { length, name });
    }
    return [...longest.values()].map(({ name }) => this.#line(origin, name));
  }

  /**
   * @param {string} origin
   * @param {string} name
   */
  #line(origin, name) {
    const [x1, y1] = this.#view.spot(this.cell(origin));
    const [x2, y2] = this.#view.spot(this.cell(name));
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [clear, short] = [LINE.start * UNIT, (this.#isTaken(name) ? LINE.taken : LINE.end) * UNIT];
    const d = `M${x1 + dx * clear} ${y1 + dy * clear}L${x2 - dx * short} ${y2 - dy * short}`;
    return s("path", { d, class: this.#isTaken(name) ? "dotted" : "solid" });
  }

  /**
   * Returns where on a cell the chip of a value covers neither a piece nor the ring of a hint.
   *
   * @param {string} name
   * @returns {Place}
   */
  chipPlace(name, hasRing = false) {
    if (!this.#view.isFlat) return "top";
    if (this.on(name).length) return "edge";
    return hasRing ? "middle" : "corner";
  }

  /**
   * Writes values on cells.
   *
   * @param {Map<string, SVGElement>} nodes by cell, for a cell 1 wide and high
   */
  showValues(nodes) {
    this.#layers.values.replaceChildren(
      ...[...nodes]
        .filter(([name]) => this.#cells.has(name))
        .map(([name, node]) => {
          const [x, y] = this.#view.spot(this.cell(name), this.#view.isFlat ? 0 : this.on(name).length);
          return s("g", { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${UNIT})` }, node);
        }),
    );
  }

  /**
   * Tints cells.
   *
   * @param {Heat} cells
   */
  heat(cells) {
    this.#heat = cells;
    this.#layers.heats.replaceChildren(
      ...[...cells]
        .filter(([name]) => this.#cells.has(name))
        .map(([name, { kind, strength }]) =>
          s("path", {
            d: this.#view.path(this.cell(name).outline),
            class: `heat ${kind}`,
            "fill-opacity": strength.toFixed(2),
          }),
        ),
    );
  }

  // Building ---------------------------------------------------------------------------------------------------------

  #build() {
    this.#highest = Infinity;
    this.#view = makeView(this.drawing, this.turn, this.hasCoordinates);
    this.element.setAttribute("viewBox", this.#view.box.join(" "));
    this.#layers.wood.replaceChildren(
      frame(this.drawing, this.#view),
      boardCells(this.drawing, this.#view),
      ...(this.hasCoordinates ? [coordinates(this.drawing, this.#view)] : []),
    );
    for (const name of LAYERS.slice(1)) this.#layers[name].replaceChildren();
    this.#items = [];
    this.heat(this.#heat);
    if (this.choose) this.#buildHits();
    this.show(this.#state);
    for (const { node } of this.#items) node.classList.remove("new");
  }

  #buildHits() {
    /** @type {Map<number, {cell: CellData, x: number}[]>} by height */
    const rows = new Map();
    for (const cell of this.drawing.cells) {
      const [x, y] = this.#view.turned(cell.x, cell.y);
      rows.set(y, [...(rows.get(y) ?? []), { cell, x }]);
    }
    const hadFocus = this.#layers.hits.contains(document.activeElement);
    this.#hits.clear();
    const sorted = [...rows].sort(([a], [b]) => a - b);
    this.#layers.hits.replaceChildren(
      ...sorted.map(([, cells]) =>
        s(
          "g",
          { role: "row" },
          cells.sort((a, b) => a.x - b.x).map(({ cell }) => this.#hit(cell)),
        ),
      ),
    );
    if (!this.#hits.has(this.#focused)) this.#focused = sorted[sorted.length - 1][1][0].cell.name;
    const node = this.#hits.get(this.#focused)?.node;
    node?.setAttribute("tabindex", "0");
    if (hadFocus) node?.focus();
  }

  /** @param {CellData} cell */
  #hit(cell) {
    const d = this.#view.path(cell.outline);
    const column = s("path", { class: "hit" });
    const node = s(
      "g",
      { role: "gridcell", "data-cell": cell.name, tabindex: "-1", "aria-selected": "false", class: cell.kind },
      s("path", { d, class: "hit" }),
      column,
      s("path", { d, class: "focus-ring" }),
    );
    this.#hits.set(cell.name, { node, column });
    return node;
  }

  #describe() {
    if (!this.choose) return;
    for (const [name, { node, column }] of this.#hits) {
      const pieces = this.on(name);
      node.setAttribute(
        "aria-label",
        this.describe?.(this.cell(name), pieces, this.#state.marks?.[name] ?? []) ?? name,
      );
      if (!this.#view.isFlat)
        column.setAttribute("d", pieces.length ? this.#column(this.cell(name), pieces.length) : "");
    }
  }

  /**
   * @param {CellData} cell
   * @param {number} levels
   */
  #column(cell, levels) {
    const [x, y] = this.#view.spot(cell);
    const [rx, ry, up] = [DRUM.width * UNIT, DRUM.depth * UNIT, levels * DRUM.height * UNIT];
    return `M${x - rx} ${y}A${rx} ${ry} 0 0 0 ${x + rx} ${y}V${y - up}A${rx} ${ry} 0 0 0 ${x - rx} ${y - up}Z`;
  }

  /**
   * Raises a stack, or none, to show what is in it.
   *
   * @param {string | undefined} name
   */
  raise(name) {
    if (this.#view.isFlat || this.#raised === name) return;
    this.#raised = name;
    for (const sign of [...this.#layers.signs.children, ...this.#layers.hints.children])
      sign.classList.toggle(
        "up",
        name !== undefined && sign.getAttribute("data-at") === name && this.on(name).length > 0,
      );
    this.#arrange();
    this.#veil();
  }

  // Pointer and keys -------------------------------------------------------------------------------------------------

  /** @param {(cell: string) => void} choose */
  #listen(choose) {
    const { element } = this;
    element.addEventListener("click", (event) => {
      const cell = cellAt(event.target);
      if (cell && !this.#isDragged) {
        this.#hits.get(cell)?.node.focus({ preventScroll: true });
        choose(cell);
      }
      this.#isDragged = false;
    });
    element.addEventListener("pointerdown", (event) => this.#grab(event, cellAt(event.target), choose));
    element.addEventListener("pointerover", (event) => this.raise(cellAt(event.target)));
    element.addEventListener("pointerleave", () => this.raise(undefined));
    element.addEventListener("focusin", (event) => this.#focus(cellAt(event.target)));
    element.addEventListener("focusout", () => this.raise(undefined));
    element.addEventListener("keydown", (event) => this.#key(event, choose));
  }

  /**
   * Begins a drag, which is a click where it begins and one where it ends; the piece goes along.
   *
   * @param {PointerEvent} down
   * @param {string | undefined} cell
   * @param {(cell: string) => void} choose
   */
  #grab(down, cell, choose) {
    this.#isDragged = false;
    if (!cell || down.button || !this.canDrag(cell)) return;
    const top = this.on(cell).length - 1;
    const item = this.#items.findLast((each) => each.piece.cell === cell && each.piece.level === top);
    const lift = item?.node.firstElementChild;
    if (!item || !(lift instanceof SVGElement)) return;
    const scale = this.#view.box[2] / this.element.getBoundingClientRect().width;
    /** @type {(event: PointerEvent) => Point} */
    const moved = (event) => [(event.clientX - down.clientX) * scale, (event.clientY - down.clientY) * scale];
    const move = (/** @type {PointerEvent} */ event) => {
      const [dx, dy] = moved(event);
      if (!this.#isDragged && Math.hypot(dx, dy) < LEAST_DRAG) return;
      if (!this.#isDragged) {
        this.#isDragged = true;
        this.onDrag(cell);
        this.#layers.pieces.append(item.node);
        item.node.classList.add("dragged");
      }
      lift.style.transform = `translate(${dx}px, ${dy}px)`;
    };
    const end = (/** @type {PointerEvent} */ event) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      lift.style.transform = "";
      item.node.classList.remove("dragged");
      if (!this.#isDragged) return;
      item.offset = moved(event);
      const to = event.type === "pointerup" && cellAt(document.elementFromPoint(event.clientX, event.clientY));
      if (to && to !== cell) choose(to);
      if (item.offset && !isStill())
        lift.animate(
          [{ transform: `translate(${item.offset[0]}px, ${item.offset[1]}px)` }, { transform: "none" }],
          MOTION,
        );
      item.offset = undefined;
      setTimeout(() => (this.#isDragged = false));
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  /** Gives the focus to the cell that had it last. */
  focus() {
    this.#hits.get(this.#focused)?.node.focus({ preventScroll: true });
  }

  /** @param {string | undefined} cell */
  #focus(cell) {
    if (!cell) return;
    this.#hits.get(this.#focused)?.node.setAttribute("tabindex", "-1");
    this.#focused = cell;
    this.#hits.get(cell)?.node.setAttribute("tabindex", "0");
    this.raise(cell);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {(cell: string) => void} choose
   */
  #key(event, choose) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const way = ARROWS[event.key];
    if (way) this.#step(...way);
    else if (event.key === "Home" || event.key === "End") this.#toEnd(event.key === "Home");
    else if (event.key === "Enter" || event.key === " ") choose(this.#focused);
    else if (event.key === "Escape") this.cancel();
    else return;
    event.preventDefault();
  }

  /** @param {boolean} isHome */
  #toEnd(isHome) {
    const row = this.#hits.get(this.#focused)?.node.parentElement;
    const cell = isHome ? row?.firstElementChild : row?.lastElementChild;
    if (cell instanceof SVGElement) cell.focus();
  }

  /**
   * Moves the focus to the nearest cell in a direction.
   *
   * @param {number} dx
   * @param {number} dy
   */
  #step(dx, dy) {
    const [x, y] = this.#view.turned(this.cell(this.#focused).x, this.cell(this.#focused).y);
    let best = { cost: Infinity, name: "" };
    for (const cell of this.drawing.cells) {
      const [toX, toY] = this.#view.turned(cell.x, cell.y);
      const ahead = (toX - x) * dx + (toY - y) * dy;
      const aside = Math.abs((toX - x) * dy) + Math.abs((toY - y) * dx);
      const cost = ahead + 2.5 * aside;
      if (ahead > 0.1 && cost < best.cost) best = { cost, name: cell.name };
    }
    this.#hits.get(best.name)?.node.focus();
  }
}

/**
 * Returns the cell of what is clicked.
 *
 * @param {EventTarget | null} target
 */
const cellAt = (target) =>
  (target instanceof Element ? target.closest("[data-cell]")?.getAttribute("data-cell") : undefined) ?? undefined;
