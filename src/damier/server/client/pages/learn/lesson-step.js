/**
 * A step of a lesson on its board: what the learner does there, and what is said about it.
 *
 * @import { Attempt, LessonAnswer, LessonData, LessonStepData, LessonVerdictData, PlayState, Refusal } from "../../net/wire.d.ts"
 * @import { VerdictKind } from "./lesson-verdict.js"
 */

import { HAND } from "../../board/choosing/narrowing.js";
import { smallPiece } from "../../board/pieces.js";
import { PlayBoard } from "../../board/play-board.js";
import { t } from "../../net/language.js";
import { isStill } from "../../net/settings.js";
import { button, h, places, sentenceOf } from "../../ui/dom.js";
import { play as sound } from "../../ui/sound.js";
import { speak } from "../../ui/speak.js";
import { LessonJudge } from "./lesson-judge.js";
import { VerdictBox } from "./lesson-verdict.js";

const PAUSE = 900;

export class StepPlay {
  /** @type {string[]} played in the step */
  actions = [];
  /** @type {Map<number, PlayBoard>} made when they are needed: variants have their own */
  boards = new Map();
  /** Counts the steps shown: what was requested for an earlier one is dropped. */
  visit = 0;
  isOver = false;
  isRight = false;
  isShown = false;
  mustRetry = false;
  table = h("section", { class: "lesson-table" });
  verdict = new VerdictBox();

  /**
   * @param {LessonData} lesson
   * @param {{changed: () => void, done: () => void}} tell `done` is called when the step is done, then `changed`
   */
  constructor(lesson, tell) {
    this.lesson = lesson;
    this.tells = tell;
    this.judge = new LessonJudge(lesson.game);
    this.step = lesson.steps[0];
    this.state = this.step.state;
    this.parts = places(["status", "stacks", "typing"]);
  }

  close() {
    this.visit++;
    for (const board of this.boards.values()) board.close();
  }

  /** What the step is played on. */
  get setting() {
    return this.lesson.boards[this.step.board];
  }

  get board() {
    const found = this.boards.get(this.step.board) ?? this.#makeBoard();
    this.boards.set(this.step.board, found);
    return found;
  }

  #makeBoard() {
    const board = new PlayBoard(this.setting.drawing, {
      title: this.lesson.title,
      of: { game: this.lesson.game, options: this.setting.options },
      play: (action) => this.answer({ actions: [...this.actions, action.action] }),
      why: (what) => this.explain(what),
      refuse: () => board.say(t(this.mustRetry ? "lesson.retry.first" : "lesson.task.read")),
      tap: (cell) => this.tap(cell),
      more: () => this.tryButtons(),
    });
    return board;
  }

  // Drawing ----------------------------------------------------------------------------------------------------------

  /** @param {LessonStepData} step */
  open(step) {
    this.step = step;
    this.isOver = false;
    this.table.replaceChildren(this.parts.status, this.board.place, this.board.under);
    this.parts.typing.replaceChildren(this.board.typed);
    this.restore();
  }

  /** Leaves the board as it is, with nothing more to do. */
  finish() {
    this.visit++;
    this.isOver = true;
    this.tell("");
    this.board.show(this.state, { canAct: false });
  }

  /** Shows the board of the step as it is at first. */
  restore() {
    this.visit++;
    this.actions = [];
    this.mustRetry = this.isShown = false;
    this.tell("");
    this.board.say("");
    this.draw(this.step.state, { canAct: !["read", "cell"].includes(this.step.kind), isBack: true });
    this.board.hint = this.step.cells;
    this.board.draw();
    this.tells.changed();
  }

  /** @param {PlayState} state */
  draw(state, { canAct = false, isBack = false } = {}) {
    this.state = state;
    this.board.show(state, { canAct: canAct && !state.result, isBack });
    const { drawing } = this.setting;
    const look = drawing.looks[(state.result ? state.result.winner : state.mover) ?? ""];
    this.parts.status.replaceChildren(...(look ? [smallPiece(look)] : []), h("p", {}, state.captions.join(" · ")));
    this.board.listStacks(this.parts.stacks, state);
  }

  /**
   * Shows the sentence of a verdict; with an empty kind, none.
   *
   * @param {VerdictKind} kind
   * @param {string} sentence
   * @param {HTMLElement | false} more
   */
  tell(kind, sentence = "", more = false) {
    this.isRight = kind === "right";
    this.verdict.tell(kind, sentence, more, this.board.place);
  }

  // Answering --------------------------------------------------------------------------------------------------------

  /**
   * Handles a click where a cell is asked for, or something that the rules forbid; returns whether it has.
   *
   * @param {string} cell
   */
  tap(cell) {
    if (this.isRight || this.mustRetry || this.isOver) return false;
    if (this.step.kind === "cell") this.answer({ cell });
    else if (this.step.kind === "refused") this.attempt(cell);
    else return false;
    return true;
  }

  /**
   * Handles a click where something forbidden is to be tried: any piece can be picked up.
   *
   * @param {string} cell
   */
  async attempt(cell) {
    const [first] = this.board.picked.filter((each) => each !== HAND);
    this.board.cancel();
    if (first === cell) return;
    const mine = this.visit;
    const verdict = await this.ask({ cells: first ? [first, cell] : [cell] });
    if (mine !== this.visit) return;
    const canPick = !first && verdict.status !== "right" && this.board.board.on(cell).length > 0;
    if (!canPick) return this.judged(verdict, []);
    this.board.picked = [cell];
    this.board.draw();
    speak(t("said.picked", { cells: cell }));
  }

  /** Makes the buttons under the board for actions without cells that are to be tried. */
  tryButtons() {
    if (this.isOver || this.isRight) return [];
    return this.step.buttons.map(({ action, name }) =>
      button(name ?? action, () => this.answer({ actions: [action] })),
    );
  }

  /**
   * Handles what fits no action: part of the task, or a slip that is explained.
   *
   * @param {Attempt} what
   * @returns {Promise<Partial<Refusal>>}
   */
  async explain(what) {
    if (this.step.kind === "refused") {
      const mine = this.visit;
      const verdict = await this.ask(what.action ? { actions: [what.action] } : { cells: what.cells });
      if (mine === this.visit) this.judged(verdict, []);
      return { sentence: "" };
    }
    return this.judge.why(this.step, this.setting, this.actions, what);
  }

  /** @param {LessonAnswer} body */
  ask(body) {
    return this.judge.verdict(this.step, body, this.state);
  }

  /** @param {LessonAnswer} body */
  async answer(body) {
    const mine = this.visit;
    const chosen = this.state.actions.find(({ action }) => action === body.actions?.at(-1));
    if (chosen && this.step.kind !== "refused") this.board.pend(chosen);
    const verdict = await this.ask(body);
    if (mine === this.visit) await this.judged(verdict, body.actions ?? []);
  }

  /**
   * Shows the verdict on an answer.
   *
   * @param {LessonVerdictData} verdict
   * @param {string[]} actions
   */
  async judged({ status, sentence, state, replies }, actions) {
    const hasChanged = state.position !== this.step.state.position;
    if (status === "go_on") this.actions = actions;
    const canAct = status === "go_on" || (status === "wrong" && !hasChanged && this.step.kind !== "cell");
    this.draw(state, { canAct });
    if (status === "right") {
      this.succeed(sentence);
      return;
    }
    this.mustRetry = status === "wrong" && hasChanged;
    const retry = button(t("lesson.retry"), () => this.retry(), { sign: "again", look: "main" });
    this.tell(status === "wrong" ? "wrong" : "so-far", sentence, this.mustRetry && retry);
    this.tells.changed();
    if (status === "wrong") sound("no");
    if (this.mustRetry) await this.showReplies(replies);
    if (this.mustRetry) retry.focus({ preventScroll: true });
  }

  /**
   * Plays out what the opponent would do.
   *
   * @param {PlayState[]} states
   */
  async showReplies(states) {
    const mine = this.visit;
    for (const state of states) {
      await new Promise((next) => setTimeout(next, isStill() ? 0 : PAUSE));
      if (mine !== this.visit) return;
      this.draw(state);
      sound("set");
    }
  }

  retry() {
    this.restore();
    this.board.board.focus();
  }

  /** @param {string} sentence */
  succeed(sentence) {
    this.tell("right", sentence);
    sound("set");
    this.tells.done();
    this.tells.changed();
  }

  showHint() {
    this.tell("so-far", this.step.hint ?? "");
  }

  /** Shows a right answer on the board. */
  async showAnswer() {
    this.restore();
    const mine = this.visit;
    const answer = await this.judge.solution(this.step).catch((error) => {
      if (mine === this.visit) this.board.say(sentenceOf(error));
    });
    if (mine !== this.visit || !answer) return;
    const { names, cells, states } = answer;
    this.mustRetry = states.length > 0;
    this.isShown = true;
    this.board.hint = cells;
    this.board.draw();
    const said = names.join(", ") || cells.join(", ");
    this.tell(
      "so-far",
      t("lesson.shown", { answer: said }),
      this.mustRetry && button(t("lesson.retry"), () => this.retry(), { sign: "again" }),
    );
    this.tells.changed();
    await this.showReplies(states);
  }
}
