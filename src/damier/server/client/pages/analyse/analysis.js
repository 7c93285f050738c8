/** An analysis: a tree of variations that grows by playing on its board, and what is known of it all. */

import { stackList } from "../../board/stacks.js";
import { t } from "../../net/language.js";
import { onChange } from "../../net/settings.js";
import { button, h } from "../../ui/dom.js";
import { play as sound } from "../../ui/sound.js";
import { speak } from "../../ui/speak.js";
import { playersOf } from "../../ui/start-dialog.js";
import { Editor } from "./editor.js";
import { Opponent } from "./opponent.js";
import { drawStatus, layOut, makeParts } from "./parts.js";
import { Positions } from "./positions.js";
import { annotate } from "./review.js";
import { stepKeys } from "./steps.js";
import * as tree from "./tree.js";

const REST = 150; // milliseconds on a node after which more is asked about it, for one who goes fast
const SLOW = 400; // milliseconds between two nodes for one who does not

export class Analysis {
  #timer;
  #frame;
  #arrived = -SLOW;
  #isClosed = false;
  opponent = new Opponent();
  removed = null;

  /** @param {{game, record, drawing, opened: (record) => void, form: (options) => Node, problem?: string}} given */
  constructor(page, { game, record, drawing, opened, form, problem }) {
    const { options, start, players = [], date = "", tags = {}, result = null, reason = null } = record;
    Object.assign(this, {
      game,
      drawing,
      opened,
      players: playersOf(game, options),
      written: { players, date, tags, result, reason },
    });
    this.positions = new Positions({ game: game.name, options, start });
    const nodes = tree.fromBranches(record.tree);
    this.root = nodes[0];
    this.now = nodes[record.at ?? 0];
    this.firstLine = this.#mainLine();
    this.acts = this.#acts();
    this.parts = makeParts(this);
    layOut(page, this, form(options));
    this.drawMoves();
    this.goTo(this.now);
    this.ends = [
      onChange((name) => name === "values" && this.settle()),
      stepKeys(page, this.acts),
      this.parts.reading.takeFiles(page),
    ];
    if (problem) this.parts.board.say(problem, true);
    document.title = `${game.title}, ${t("nav.analyse")} · damier`;
  }

  close() {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.#isClosed = true;
    for (const part of ["board", "lines", "course"]) this.parts[part].close();
    for (const end of this.ends) end();
  }

  // What there is ----------------------------------------------------------------------------------------------------------

  /** The nodes of the line through the present one, the root first. */
  line() {
    return [this.root, ...tree.lineThrough(this.now)];
  }

  #mainLine() {
    return tree
      .lineThrough(this.root)
      .map(({ action }) => action)
      .join(" ");
  }

  /** All of it, as the server writes records; how players ended the game is true of the line that was opened alone. */
  record() {
    const isAsOpened = this.#mainLine() === this.firstLine;
    const end = isAsOpened ? {} : { result: null, reason: null };
    const branches = tree.toBranches(this.root).map(({ parent, action, comment }) => ({ parent, action, comment }));
    return { ...this.positions.about, ...this.written, ...end, tree: branches };
  }

  /** All of it, and where one is, to go on later. */
  draft() {
    return { ...this.record(), tree: tree.toBranches(this.root), at: tree.nodesOf(this.root).indexOf(this.now) };
  }

  // Going about ------------------------------------------------------------------------------------------------------------

  #acts() {
    const to = (find, isBack) => () => {
      const node = find(this.now);
      if (node && node !== this.now) this.goTo(node, { isBack });
    };
    return {
      first: to(() => this.root, true),
      back: to((node) => node.parent, true),
      on: to((node) => node.children[0]),
      last: to((node) => tree.endOf(node)),
      up: to((node) => tree.alternative(node, -1), true),
      down: to((node) => tree.alternative(node, 1), true),
      promote: () => tree.promote(this.now) && this.#changed(),
      remove: () => this.#remove(),
      restore: () => this.#restore(),
    };
  }

  /** Goes to a node; however fast one goes, the board is drawn once a frame. */
  async goTo(node, { isBack = false } = {}) {
    const isSlow = performance.now() - this.#arrived > SLOW;
    this.now = node;
    this.#arrived = performance.now();
    clearTimeout(this.#timer);
    if (!node.state) {
      await this.positions.load(node, this.root).catch((error) => this.parts.board.say(error.message));
      if (this.now !== node || !node.state || this.#isClosed) return;
    }
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.draw({ isBack });
      this.#timer = setTimeout(() => this.settle(), isSlow ? 0 : REST);
    });
  }

  /** One stays here: asks for the actions, and whoever wants to know more. */
  async settle() {
    const { now: node, parts } = this;
    await this.positions.loadActions(node).catch((error) => parts.board.say(error.message));
    if (this.now !== node || !node.state?.actions || this.#isClosed) return;
    if (!parts.board.state.actions.length) this.#show();
    const line = this.positions.line(node);
    const player = this.players.find((each) => each.player === node.state.mover) ?? this.players[0];
    parts.lines.look(line, player.name);
    parts.known.look(node.state, line);
    if (node.action) speak(t("analyse.at", { turn: node.turn, action: node.action }));
    if (this.opponent.acts(node.state) && !node.children.length) this.#answer(node, line);
  }

  // Drawing ----------------------------------------------------------------------------------------------------------------

  draw({ isBack = false } = {}) {
    const { now, parts } = this;
    this.#show(isBack);
    drawStatus(this);
    parts.known.clear();
    parts.moves.mark(now);
    if (document.activeElement !== parts.comment) parts.comment.value = now.comment;
    const line = this.line();
    parts.course.turnTo(line.slice(1).map(({ action }) => action));
    parts.course.update(line.length - 1, line.indexOf(now));
    this.#drawSteps();
    if (this.drawing.view === "isometric")
      stackList(parts.stacks, this.drawing, now.state, parts.board.board, (cell) => parts.board.choose(cell));
  }

  #show(isBack = true) {
    const { state } = this.now;
    const canAct = Boolean(state.actions) && !state.result && !this.opponent.acts(state);
    this.parts.board.show({ actions: [], ...state }, { canAct, isBack });
  }

  drawMoves() {
    this.parts.moves.update(this.root, this.now);
  }

  #drawSteps() {
    const { now, root } = this;
    const [up, down] = [tree.alternative(now, -1), tree.alternative(now, 1)];
    this.parts.steps.update({
      first: now !== root,
      back: now !== root,
      on: now.children.length > 0,
      last: now.children.length > 0,
      up: Boolean(up),
      down: Boolean(down),
      promote: !tree.isMain(now),
      remove: now !== root,
      restore: Boolean(this.removed),
    });
  }

  /** Under the board while one plays against the engine. */
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

  /** Plays an action that is legal at the present node. */
  async play(action) {
    const { now: before, parts } = this;
    const known = before.children.find((child) => child.action === action);
    if (known) return this.goTo(known);
    parts.board.pend(before.state.actions.find((each) => each.action === action) ?? { cells: [] });
    try {
      const [what] = await this.positions.follow(before, [action]);
      const node = this.#add(before, what);
      sound(what.state.pieces.length < before.state.pieces.length ? "burst" : "set");
      this.drawMoves();
      if (this.now === before) await this.goTo(node);
    } catch (error) {
      parts.board.say(error.message);
      if (this.now === before) this.#show();
    }
  }

  #add(before, what) {
    const node = tree.add(before, what);
    node.state ??= what.state;
    return node;
  }

  /** Adds a line after a node; returns its first node. */
  async addLine(before, actions) {
    let [node, first] = [before, null];
    for (const what of await this.positions.follow(before, actions)) {
      node = this.#add(node, what);
      first ??= node;
    }
    this.#changed();
    return first;
  }

  async playLine(actions) {
    const first = await this.addLine(this.now, actions).catch((error) => this.parts.board.say(error.message));
    if (first?.parent === this.now) this.goTo(first);
  }

  /** A click before the actions are known waits for them. */
  tapEarly(cell) {
    const { now } = this;
    if (now.state?.actions || !now.state || now.state.result) return false;
    this.settle().then(() => this.now === now && now.state.actions && this.parts.board.choose(cell));
    return true;
  }

  refuse() {
    if (this.now.state?.result) this.parts.board.say(this.now.state.result.sentence);
    else if (this.opponent.isOn) this.parts.board.say(t("match.not_your_turn"));
  }

  // Changing ---------------------------------------------------------------------------------------------------------------

  #changed() {
    this.drawMoves();
    this.#drawSteps();
  }

  #remove() {
    if (this.now === this.root) return;
    this.removed = tree.remove(this.now);
    this.goTo(this.now.parent, { isBack: true });
    this.#changed();
    speak(t("analyse.removed"));
  }

  #restore() {
    if (!this.removed) return;
    tree.restore(this.removed);
    const { node } = this.removed;
    this.removed = null;
    this.goTo(node);
    this.#changed();
  }

  edit() {
    const { game, options } = this.positions.about;
    const use = (position) => this.anew(position);
    new Editor({ game, options, drawing: this.drawing, players: this.players, use }).open(
      this.now.state?.position ?? null,
    );
  }

  /** Begins an analysis of the same game, from its first position or another. */
  anew(start) {
    this.opened({ ...this.positions.about, start, tree: [{}] });
  }

  // The engine -------------------------------------------------------------------------------------------------------------

  async review() {
    const {
      parts: { course, board },
    } = this;
    const nodes = this.line().slice(1);
    if (!nodes.length) return board.say(t("review.empty"));
    course.element.open = true;
    if (course.steps.length <= nodes.length) await course.load();
    if (course.steps.length <= nodes.length) return;
    try {
      await annotate(nodes, course, {
        players: this.players,
        line: (node) => this.positions.line(node),
        follow: (node, actions) => this.addLine(node, actions),
      });
    } catch (error) {
      board.say(error.message);
    }
    this.drawMoves();
    if (!this.#isClosed) board.say(t(course.mistakes.length ? "review.done" : "review.none"));
  }

  /** Plays on from a node against the engine, as a player or as the one who acts there. */
  async playFrom(node, player) {
    await this.positions.loadActions(node).catch((error) => this.parts.board.say(error.message));
    if (!node.state?.actions || this.#isClosed) return;
    const { mover } = node.state;
    this.opponent.me = player ?? (mover === "chance" ? this.players[0].player : mover);
    this.goTo(node, { isBack: true });
  }

  async #answer(node, line) {
    const isDue = () => this.now === node && this.opponent.isOn && !node.children.length;
    const action = await this.opponent.answer(node.state, line).catch((error) => this.parts.board.say(error.message));
    if (action && isDue() && !this.#isClosed) this.play(action);
  }
}
