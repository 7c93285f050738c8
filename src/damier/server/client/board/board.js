/**
 * The board of every game, drawn from *drawing* and *state* alone: it knows no rules.
 *
 * Layers from below: frame, cells, heat, tints, shades of a forecast, arrows of the last turn, lines, the table, shadows,
 * halos of pieces that can act, pieces, rings of the win, signs of what may be chosen, the forecast of an action, values,
 * the ring of a hint, and on top the cells that are clicked and focused (a grid with one tab stop). Seen at an angle, the
 * signs themselves can be clicked as well, for a stack may stand before them, and arrows and halos lie above the stacks.
 *
 * @import { CellData, DrawingData, PreviewData } from "../net/wire.d.ts"
 * @import { BoardMoment, BoardPiece, MarkedTurn } from "../types.d.ts"
 * @import { Heat } from "./marks/heat.js"
 * @import { Place } from "./marks/value-chips.js"
 * @import { Point, View } from "./view.js"
 * @typedef {"wood" | "heats" | "tints" | "shades" | "trails" | "lines" | "table" | "shadows" | "halos" | "pieces" | "wins" |
 *   "signs" | "forecasts" | "bursts" | "values" | "hints" | "hits" | "picks"} Layer
 * @typedef {{piece: BoardPiece, node: SVGGElement, marks?: string[], gained?: string[], lost?: string[], target?: string,
 *   offset?: Point, motion?: Animation}} Item a piece on the board
 * @typedef {{choose?: (cell: string) => void, label?: string, coordinates?: boolean, turn?: number,
 *   describe?: (cell: CellData, pieces: BoardPiece[], marks: string[]) => string}} BoardSettings without `choose` the board
 *   is a picture
 */

import { isStill } from "../net/settings.js";
import { drawn, s } from "../ui/dom.js";
import { DRUM } from "./artwork.js";
import { guess, pairUp, spread } from "./change.js";
import { hiding, shadows, tableDie, topOf } from "./depth.js";
import { drag } from "./choosing/drag.js";
import { forecast, left } from "./marks/forecast.js";
import { cellAt, Hits } from "./choosing/hits.js";
import { BURST, motion, paced, stepTimes } from "./motion.js";
import { burstNodes, pieceNodes } from "./pieces.js";
import { edges, isTaken, lines, numbered, ring, sign, signHit } from "./marks/signs.js";
import { tints, trails } from "./marks/tints.js";
import { endsOf, pendingTurn } from "./marks/trails.js";
import { makeView, UNIT } from "./view.js";
import { isWaiting, placesOf, setDown, waitingPieces, waitingPlace, waitingSpot } from "./marks/waiting.js";
import { boardCells, coordinates, frame } from "./wood.js";

/** @type {Layer[]} */
const LAYERS = [
  "wood",
  "heats",
  "tints",
  "shades",
  "trails",
  "lines",
  "table",
  "shadows",
  "halos",
  "pieces",
  "wins",
  "signs",
  "forecasts",
  "bursts",
  "values",
  "hints",
  "hits",
  "picks",
];
const RAISE = 28; // as in board.css

export class Board {
  /** @type {View} */
  #view;
  /** @type {Item[]} */
  #items = [];
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
  #hits = new Hits(this, this.#layers.hits);
  #isDragged = false;
  /** @type {Set<SVGElement>} what is about to leave the picture */
  #vanishing = new Set();
  /** @type {string | undefined} the cell under the pointer */
  #hovered;
  /** Called by the Escape key. */
  cancel = () => {};
  /** @type {(cell: string) => boolean} whether the piece on a cell can be dragged */
  canDrag = () => false;
  /** @type {(cell: string) => void} called when a drag begins */
  onDrag = () => {};
  /** @type {(cell: string | undefined, isKey: boolean) => void} called when pointer or focus comes to a cell or leaves */
  onAim = () => {};

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
    if (!this.#view.isFlat) this.#layers.pieces.after(this.#layers.trails, this.#layers.halos);
    if (choose) this.#listen(choose);
    this.#build();
  }

  /** @type {Map<string, CellData>} */
  #cells;

  get view() {
    return this.#view;
  }

  cell = (/** @type {string} */ name) => {
    const found = this.#cells.get(name);
    if (!found) throw new Error(`no cell ${name}`);
    return found;
  };

  /** Returns the pieces on a cell, lowest first. */
  on = (/** @type {string} */ name) =>
    this.#state.pieces.filter((piece) => piece.cell === name).sort((a, b) => a.level - b.level);

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
    const waiting = waitingPieces(state);
    this.#layers.tints.replaceChildren(
      ...tints(this, state.last_turns ?? [], state.marks ?? {}),
      ...waiting.map((_, i) => waitingPlace(this.#view, i)),
    );
    this.#layers.trails.replaceChildren(...trails(this, state.last_turns ?? []));
    this.#layers.wins.replaceChildren(...(state.winning ?? []).map((name) => ring(this, name, "winning")));
    this.forecast(null);
    this.#move([...state.pieces, ...waiting], state.last?.cells ?? [], { isBack, lit, isPending });
    this.#veil();
    if (this.choose)
      this.#hits.describe((cell, on) => this.describe?.(cell, on, state.marks?.[cell.name] ?? []) ?? cell.name);
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
   * @param {BoardPiece[]} pieces
   * @param {string[]} acting the cells of the action
   * @param {{isBack: boolean, lit: Set<string>, isPending: boolean}} how
   */
  #move(pieces, acting, { isBack, lit, isPending }) {
    this.#finish();
    const { kept, gone, fresh } = pairUp(this.#items, pieces, acting, placesOf(this.#cells, this.drawing));
    for (const [item, piece] of kept) item.piece = piece;
    /** @type {Item[]} */
    const made = fresh.map((piece) => ({ piece, node: this.#newNode(piece) }));
    this.#items = [...kept.map(([item]) => item), ...made];
    for (const item of this.#items) this.#dress(item, lit.has(item.piece.cell), isPending);
    this.#fly();
    this.#arrange();
    this.#remove(gone, acting.at(-1), isBack);
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
    node.classList.toggle("waits", isWaiting(piece));
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
    const [[x, y], [fromX, fromY]] = [this.#spot(to.piece), this.#spot(from.piece)];
    const node = to.node.querySelector(`.mark-${mark}`);
    const start = `translate(${(fromX - x) / UNIT}px, ${(fromY - y) / UNIT}px)`;
    node?.animate([{ transform: start }, { transform: "none" }], { duration: paced(240), easing: "ease-out" });
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
        item.motion = item.node.animate([{ transform: from }, { transform: item.target }], motion());
    }
  }

  /** @param {BoardPiece} piece */
  #spot(piece) {
    return isWaiting(piece) ? waitingSpot(this.#view, piece) : this.#view.spot(this.cell(piece.cell), piece.level);
  }

  /** @param {Item} item */
  #target({ piece }) {
    const [x, y] = this.#spot(piece);
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
    const depth = (/** @type {Item} */ { piece }) => this.#spot({ ...piece, level: 0 })[1];
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
    const time = stepTimes(Math.max(0, ...waits.values()));
    for (const { piece, node } of gone) {
      if (isStill() || isBack) {
        node.remove();
        continue;
      }
      const wait = paced(time(waits.get(piece.cell) ?? 0));
      node.style.animationDelay = `${wait}ms`;
      node.classList.add("gone");
      this.#vanish(node, wait + paced(BURST));
      this.#burst(piece, wait);
    }
  }

  /**
   * Removes a node after some milliseconds, or before the next state is drawn.
   *
   * @param {SVGElement} node
   * @param {number} time
   */
  #vanish(node, time) {
    this.#vanishing.add(node);
    setTimeout(() => {
      node.remove();
      this.#vanishing.delete(node);
    }, time);
  }

  #finish() {
    for (const node of this.#vanishing) node.remove();
    this.#vanishing.clear();
  }

  /**
   * @param {BoardPiece} piece
   * @param {number} wait in milliseconds
   */
  #burst(piece, wait) {
    const [x, y] = this.#spot(piece);
    const inner = s("g", { class: "burst" }, burstNodes());
    inner.style.animationDelay = `${wait}ms`;
    const node = s("g", { transform: `translate(${x} ${y}) scale(${UNIT})` }, inner);
    this.#layers.bursts.append(node);
    this.#vanish(node, wait + paced(BURST));
  }

  /**
   * Draws an action before the server has confirmed it: what can be guessed from its cells, and a sign on them.
   *
   * @param {string[]} cells
   * @param {string} player
   */
  showPending(cells, player) {
    const places = cells.filter((cell) => this.#cells.has(cell));
    const guessed = guess(this.#state.pieces, places, player, !this.#view.isFlat);
    const { pieces, waiting } = setDown(guessed, this.#state.waiting ?? []);
    const state = { ...this.#state, pieces, waiting, last: { cells: places }, last_turns: pendingTurn(places, player) };
    const known = this.#state;
    this.show(state, { isPending: true });
    this.#state = known;
  }

  // Signs ------------------------------------------------------------------------------------------------------------

  /**
   * Shows what may be chosen.
   *
   * @param {{picked?: string[], starts?: Iterable<string>, halos?: Iterable<string>, targets?: Iterable<string>,
   *   singles?: Iterable<string>, hint?: string[], ahead?: string[]}} what `halos`: pieces that can act; `ahead`: what is
   *   chosen in advance, in order
   */
  mark({ picked = [], starts = [], halos = [], targets = [], singles = [], hint = [], ahead = [] } = {}) {
    const open = new Set([...starts, ...targets, ...singles]);
    this.#hits.mark(open, [...picked, ...ahead]);
    const known = (/** @type {Iterable<string>} */ names) => [...names].filter((name) => this.#cells.has(name));
    this.#wanted = known([...picked, ...targets, ...singles, ...hint]);
    this.#veil();
    const origin = known(picked).at(-1);
    const toTargets = origin && this.#view.isFlat ? lines(this, origin, known(targets)) : [];
    this.#layers.lines.replaceChildren(...toTargets, ...edges(this, known([...targets, ...singles])));
    this.#layers.hints.replaceChildren(...known(hint).map((name) => sign(this, name, "hint")));
    this.#layers.signs.replaceChildren(
      ...known(picked).map((name) => sign(this, name, "origin")),
      ...known(targets).map((name) => sign(this, name, isTaken(this, name) ? "goal" : "dot")),
      ...known(singles).map((name) => sign(this, name, isTaken(this, name) ? "single" : "place")),
      ...known(ahead).map((name, i) => numbered(this, name, i + 1)),
    );
    this.#layers.halos.replaceChildren(...known(halos).map((name) => ring(this, name, "halo")));
    this.#liftSigns();
    if (!this.#view.isFlat)
      this.#layers.picks.replaceChildren(...known([...targets, ...singles]).map((name) => signHit(this, name)));
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
    if (this.choose) this.#hits.build();
    this.show(this.#state);
    for (const { node } of this.#items) node.classList.remove("new");
  }

  /**
   * Raises a stack, or none, to show what is in it.
   *
   * @param {string | undefined} name
   */
  raise(name) {
    if (this.#view.isFlat || this.#raised === name) return;
    this.#raised = name;
    this.#liftSigns();
    this.#arrange();
    this.#veil();
  }

  /** Signs on the raised stack go up with it. */
  #liftSigns() {
    const name = this.#raised;
    const isUp = name !== undefined && this.on(name).length > 0;
    for (const layer of [this.#layers.signs, this.#layers.hints, this.#layers.halos, this.#layers.wins])
      for (const each of layer.children) each.classList.toggle("up", isUp && each.getAttribute("data-at") === name);
  }

  /**
   * Shows what an action would do, or nothing.
   *
   * @param {PreviewData | null} preview
   * @param {string} player who acts
   */
  forecast(preview, player = "") {
    const { under, over } = preview ? forecast(this, preview, player) : { under: [], over: [] };
    this.#layers.shades.replaceChildren(...under);
    this.#layers.forecasts.replaceChildren(...over);
    const gone = new Set(preview?.gone.flat());
    const leaving = new Set(preview ? left(this, preview) : []);
    for (const { piece, node } of this.#items) {
      const isTop = piece.level === this.on(piece.cell).length - 1;
      node.classList.toggle("doomed", gone.has(piece.cell));
      node.classList.toggle("leaving", isTop && leaving.has(piece.cell));
    }
    this.element.classList.toggle("foretells", Boolean(preview));
  }

  /**
   * Returns where a cell is in the picture, with the stack on it, in shares of its width and height.
   *
   * @param {string} name
   */
  boxOf(name) {
    const [left, top, width, height] = this.#view.box;
    const points = this.cell(name).outline.map(([x, y]) => this.#view.point(x, y));
    const up = this.#view.isFlat ? 0 : (this.on(name).length + 1) * DRUM.height * UNIT;
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const [x, y] = [Math.min(...xs), Math.min(...ys) - up];
    return {
      x: (x - left) / width,
      y: (y - top) / height,
      width: (Math.max(...xs) - x) / width,
      height: (Math.max(...ys) - y) / height,
    };
  }

  // Pointer and keys -------------------------------------------------------------------------------------------------

  /** @param {(cell: string) => void} choose */
  #listen(choose) {
    const { element } = this;
    element.addEventListener("click", (event) => {
      const cell = cellAt(event.target);
      if (cell && !this.#isDragged) {
        this.#hits.focus(cell);
        choose(cell);
      }
      this.#isDragged = false;
    });
    element.addEventListener("pointerdown", (event) => this.#grab(event, cellAt(event.target), choose));
    element.addEventListener("pointerover", (event) => this.#hover(event, cellAt(event.target)));
    element.addEventListener("pointerleave", (event) => this.#hover(event, undefined));
    element.addEventListener("focusin", (event) => this.#focus(cellAt(event.target)));
    element.addEventListener("focusout", () => this.#leave());
    element.addEventListener("keydown", (event) => this.#hits.key(event, choose, () => this.cancel()));
  }

  /**
   * @param {PointerEvent} down
   * @param {string | undefined} cell
   * @param {(cell: string) => void} choose
   */
  #grab(down, cell, choose) {
    this.#isDragged = false;
    if (!cell || down.button || !this.canDrag(cell)) return;
    const top = this.on(cell).length - 1;
    const item = this.#items.findLast((each) => each.piece.cell === cell && each.piece.level === top);
    if (!item) return;
    drag(down, item, this.#view.box[2] / this.element.getBoundingClientRect().width, {
      begin: () => {
        this.#isDragged = true;
        this.onDrag(cell);
        this.#layers.pieces.append(item.node);
      },
      drop: choose,
      end: () => (this.#isDragged = false),
    });
  }

  /** Gives the focus to the cell that had it last. */
  focus() {
    this.#hits.focus();
  }

  /** @param {string | undefined} cell */
  #focus(cell) {
    if (!cell) return;
    this.#hits.focused(cell);
    this.raise(cell);
    if (this.#hits.isByKeys) this.onAim(cell, true);
  }

  #leave() {
    this.raise(undefined);
    this.onAim(undefined, true);
  }

  /**
   * @param {PointerEvent} event
   * @param {string | undefined} cell
   */
  #hover({ pointerType }, cell) {
    this.raise(cell);
    if (pointerType !== "touch" && cell !== this.#hovered) this.onAim(cell, false);
    this.#hovered = cell;
  }
}
