/**
 * An analysis: a tree of variations that grows by playing on its board, and what is known of its positions.
 *
 * @import { AnalysisAnswer } from "../../net/sockets/analysis-socket.js"
 * @import { DrawingData, GameData, RecordDraft } from "../../net/wire.d.ts"
 * @import { AnalysisRecord, Branch, Line, Moment } from "../../types.d.ts"
 * @import { Parts } from "./parts.js"
 * @import { TreeNode } from "./tree.js"
 * @typedef {Branch & {action: string, state: Moment}} Followed
 */

import { stackList } from "../../board/stacks.js";
import { t } from "../../net/language.js";
import { onChange } from "../../net/settings.js";
import { button, h, sentenceOf } from "../../ui/dom.js";
import { play as sound } from "../../ui/sound.js";
import { speak } from "../../ui/speak.js";
import { playersOf } from "../../ui/start/start-dialog.js";
import { Editor } from "./editor.js";
import { worthOfAnswer, worthOfResult, worthOfStep } from "./evaluation-bar.js";
import { abilities, treeActs } from "./going.js";
import { grade } from "./grades.js";
import { Opponent } from "./opponent.js";
import { drawStatus, layOut, makeParts } from "./parts.js";
import { Positions } from "./positions.js";
import { reviewNodes } from "./review.js";
import { stepKeys } from "./steps.js";
import * as tree from "./tree.js";

const REST = 150; // milliseconds on a node before its values are requested, while stepping fast
const SLOW = 400; // milliseconds between two nodes from which on stepping is slow

export class Analysis {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #frame = 0;
  #arrived = -SLOW;
  isClosed = false;
  opponent = new Opponent();
  /** @type {{node: TreeNode, place: number} | null} */
  removed = null;

  /**
   * @param {HTMLElement} page
   * @param {{game: GameData, record: AnalysisRecord, drawing: DrawingData, opened: (record: AnalysisRecord) => void,
   *   form: Node | null, problem: string}} given
   */
  constructor(page, { game, record, drawing, opened, form, problem }) {
    const { options, start, players = [], date = "", tags = {}, result = null, reason = null } = record;
    this.game = game;
    this.drawing = drawing;
    this.opened = opened;
    this.players = playersOf(game, options);
    this.written = { players, date, tags, result, reason };
    this.positions = new Positions({ game: game.name, options, start });
    const nodes = tree.fromBranches(record.tree);
    this.root = nodes[0];
    this.now = nodes[record.at ?? 0];
    this.firstLine = this.#mainLine();
    this.acts = treeActs(this);
    /** @type {Parts} */
    this.parts = makeParts(this);
    layOut(page, this, form);
    this.drawMoves();
    this.goTo(this.now);
    this.ends = [
      onChange((name) => name === "values" && this.settle()),
      onChange((name) => name === "coordinates" && this.parts.arrows.draw()),
      stepKeys(page, this.acts),
      this.parts.reader.takeFiles(page),
    ];
    if (problem) this.parts.board.say(problem, true);
    document.title = `${game.title}, ${t("nav.analyse")} · damier`;
  }

  close() {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.isClosed = true;
    for (const part of [this.parts.board, this.parts.lines, this.parts.graph]) part.close();
    for (const end of this.ends) end();
  }

  // What there is ----------------------------------------------------------------------------------------------------------

  /** Returns the nodes of the line through the present one, the root first. */
  line() {
    return [this.root, ...tree.lineThrough(this.now)];
  }

  #mainLine() {
    return tree
      .lineThrough(this.root)
      .map(({ action }) => action)
      .join(" ");
  }

  /**
   * Returns the record; how players ended the game is left out if the main line has changed.
   *
   * @returns {RecordDraft & AnalysisRecord}
   */
  record() {
    const isAsOpened = this.#mainLine() === this.firstLine;
    const end = isAsOpened ? {} : { result: null, reason: null };
    const branches = tree.toBranches(this.root).map(({ parent, action, comment }) => ({ parent, action, comment }));
    return { ...this.positions.about, ...this.written, ...end, tree: branches };
  }

  /**
   * Returns the record and the present node, to go on later.
   *
   * @returns {AnalysisRecord}
   */
  draft() {
    return { ...this.record(), tree: tree.toBranches(this.root), at: tree.nodesOf(this.root).indexOf(this.now) };
  }

  // Going about ------------------------------------------------------------------------------------------------------------

  /**
   * Goes to a node; the board is drawn at most once a frame.
   *
   * @param {TreeNode} node
   */
  async goTo(node, { isBack = false } = {}) {
    const isSlow = performance.now() - this.#arrived > SLOW;
    this.now = node;
    this.#arrived = performance.now();
    clearTimeout(this.#timer);
    if (!node.state) {
      await this.positions.load(node, this.root).catch((error) => this.parts.board.say(error.message));
      if (this.now !== node || !node.state || this.isClosed) return;
    }
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.draw({ isBack });
      this.#timer = setTimeout(() => this.settle(), isSlow ? 0 : REST);
    });
  }

  /** Stays at the present node: requests its actions, values and lines. */
  async settle() {
    const { now: node, parts } = this;
    await this.positions.loadActions(node).catch((error) => parts.board.say(error.message));
    const { state } = node;
    if (this.now !== node || !state?.actions || this.isClosed) return;
    if (!parts.board.actions.length) this.#show();
    const line = this.positions.line(node);
    const player = this.players.find((each) => each.player === state.mover) ?? this.players[0];
    parts.lines.look(line, player.name, (answer) => this.#heard(node, answer));
    parts.known.look(state, line);
    if (node.action) speak(t("analyse.at", { turn: node.turn, action: node.action }));
    if (this.opponent.acts(state) && !node.children.length) this.#answer(node, line);
  }

  /**
   * @param {TreeNode} node
   * @param {AnalysisAnswer} answer
   */
  #heard(node, answer) {
    node.worth = (node.state && worthOfAnswer(this.players, node.state.mover, answer)) ?? node.worth;
    if (node === this.now) this.drawBar();
  }

  // Drawing ----------------------------------------------------------------------------------------------------------------

  draw({ isBack = false } = {}) {
    const { now, parts } = this;
    const { state } = now;
    if (!state) return;
    parts.lines.leave();
    this.#show(isBack);
    drawStatus(this, state);
    parts.known.clear();
    parts.moves.mark(now);
    if (document.activeElement !== parts.comment) parts.comment.value = now.comment;
    const line = this.line();
    parts.graph.turnTo(line.slice(1).map(({ action }) => action));
    parts.graph.update(line.length - 1, line.indexOf(now));
    this.drawBar();
    this.#drawSteps();
    if (this.drawing.view === "isometric")
      stackList(parts.stacks, this.drawing, state, parts.board.board, (cell) => parts.board.choose(cell));
  }

  /** Draws what the present position is worth: by its result, the engine, or a review. */
  drawBar() {
    const { now, parts, players } = this;
    if (!now.state) return;
    const step = parts.graph.steps[this.line().indexOf(now)];
    const isExact = parts.graph.source === "exact";
    parts.bar.show(worthOfResult(players, now.state) ?? now.worth ?? worthOfStep(players, step, isExact));
  }

  /** Writes the marks of a review into the tree, and what it sums up beside it. */
  drawReview() {
    const { graph, review, moves } = this.parts;
    if (grade(this.line().slice(1), graph.steps)) moves.update(this.root, this.now);
    review.replaceChildren(...(graph.steps.length > 1 ? reviewNodes(this) : []));
    this.drawBar();
  }

  /** @param {number} by quarter turns */
  turn(by) {
    const { board, bar, arrows } = this.parts;
    board.setTurn(board.board.turn + by);
    bar.turn(board.board.turn === 2);
    arrows.draw();
  }

  #show(isBack = true) {
    const { state } = this.now;
    if (!state) return;
    const canAct = Boolean(state.actions) && !state.result && !this.opponent.acts(state);
    this.parts.board.show(state, { canAct, isBack });
  }

  drawMoves() {
    this.parts.moves.update(this.root, this.now);
  }

  #drawSteps() {
    this.parts.steps.update(abilities(this));
  }

  /** Returns what stands under the board in a game against the engine. */
  underBoard() {
    if (!this.opponent.isOn) return [];
    const name = this.players.find(({ player }) => player === this.opponent.me)?.name ?? "";
    const stop = () => {
      this.opponent.me = null;
      this.#show();
    };
    return [
      h("p", { class: "soft" }, t("analyse.against.now", { player: name })),
      button(t("analyse.against.stop"), stop),
    ];
  }

  // Playing ----------------------------------------------------------------------------------------------------------------

  /**
   * Plays an action that is legal at the present node.
   *
   * @param {string} action
   */
  async play(action) {
    const { now: before, parts } = this;
    const known = before.children.find((child) => child.action === action);
    if (known) return this.goTo(known);
    parts.board.pend(before.state?.actions?.find((each) => each.action === action) ?? { cells: [] });
    try {
      const [what] = await this.positions.follow(before, [action]);
      const node = this.#add(before, what);
      sound(what.state.pieces.length < (before.state?.pieces.length ?? 0) ? "burst" : "set");
      this.drawMoves();
      if (this.now === before) await this.goTo(node);
    } catch (error) {
      parts.board.say(sentenceOf(error));
      if (this.now === before) this.#show();
    }
  }

  /**
   * @param {TreeNode} before
   * @param {Followed} what
   */
  #add(before, what) {
    const node = tree.add(before, what);
    node.state ??= what.state;
    return node;
  }

  /**
   * Adds a line after a node; returns its first node.
   *
   * @param {TreeNode} before
   * @param {string[]} actions
   */
  async addLine(before, actions) {
    let node = before;
    /** @type {TreeNode | null} */
    let first = null;
    for (const what of await this.positions.follow(before, actions)) {
      node = this.#add(node, what);
      first ??= node;
    }
    this.changed();
    return first;
  }

  /** @param {string[]} actions */
  async playLine(actions) {
    const first = await this.addLine(this.now, actions).catch((error) => this.parts.board.say(error.message));
    if (first?.parent === this.now) this.goTo(first);
  }

  /**
   * Handles a click before the actions are known: it waits for them.
   *
   * @param {string} cell
   */
  tapEarly(cell) {
    const { now } = this;
    if (now.state?.actions || !now.state || now.state.result) return false;
    this.settle().then(() => {
      if (this.now === now && now.state?.actions) this.parts.board.choose(cell);
    });
    return true;
  }

  refuse() {
    if (this.now.state?.result) this.parts.board.say(this.now.state.result.sentence);
    else if (this.opponent.isOn) this.parts.board.say(t("match.not_your_turn"));
  }

  // Changing ---------------------------------------------------------------------------------------------------------------

  /** Draws the tree after a change. */
  changed() {
    this.drawMoves();
    this.#drawSteps();
  }

  edit() {
    const { game, options } = this.positions.about;
    const use = (/** @type {string} */ position) => this.anew(position);
    new Editor({ game, options, drawing: this.drawing, players: this.players, use }).open(
      this.now.state?.position ?? null,
    );
  }

  /**
   * Begins an analysis of the same game, from its first position or another.
   *
   * @param {string | null} start
   */
  anew(start) {
    this.opened({ ...this.positions.about, start, tree: [{}] });
  }

  // The engine -------------------------------------------------------------------------------------------------------------

  /**
   * Plays on from a node against the engine.
   *
   * @param {TreeNode} node
   * @param {string} [player] the visitor's; by default the one who acts there
   */
  async playFrom(node, player) {
    await this.positions.loadActions(node).catch((error) => this.parts.board.say(error.message));
    if (!node.state?.actions || this.isClosed) return;
    const { mover } = node.state;
    this.opponent.me = player ?? (mover === "chance" ? this.players[0].player : mover);
    this.goTo(node, { isBack: true });
  }

  /**
   * @param {TreeNode} node
   * @param {Line} line
   */
  async #answer(node, line) {
    const { state } = node;
    if (!state) return;
    const isDue = () => this.now === node && this.opponent.isOn && !node.children.length;
    const action = await this.opponent.answer(state, line).catch((error) => this.parts.board.say(error.message));
    if (action && isDue() && !this.isClosed) this.play(action);
  }
}
