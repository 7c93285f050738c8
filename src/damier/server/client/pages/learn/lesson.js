/**
 * The lesson of a game: step by step, on a board that answers.
 *
 * @import { Attempt, GameData, LessonAnswer, LessonData, LessonVerdictData, PlayState, Refusal } from "../../net/wire.d.ts"
 * @import { Go, OpenPage } from "../../types.d.ts"
 */

import { HAND } from "../../board/narrowing.js";
import { smallPiece } from "../../board/pieces.js";
import { PlayBoard } from "../../board/play-board.js";
import { stackList } from "../../board/stacks.js";
import { gameNamed, get, post } from "../../net/api.js";
import { t } from "../../net/language.js";
import { isStill } from "../../net/settings.js";
import { button, h, places, sentenceOf, styles } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { play as sound } from "../../ui/sound.js";
import { speak } from "../../ui/speak.js";
import { lessonEnd } from "./lesson-end.js";
import { noteDone, stepsDone } from "./progress.js";

const PAUSE = 900;

/** @type {OpenPage} */
export async function open(page, { argument: name, go }) {
  const [lesson, game] = await Promise.all([
    get(`games/${encodeURIComponent(name)}/lesson`),
    gameNamed(name),
    styles("learn"),
  ]);
  const shown = new LessonPage(page, lesson, game, go);
  return () => shown.close();
}

class LessonPage {
  /** @type {string[]} played in the present step */
  actions = [];
  /** Counts the steps shown: what was requested for an earlier one is dropped. */
  visit = 0;
  number = 1;
  isRight = false;
  isShown = false;
  mustRetry = false;

  /**
   * @param {HTMLElement} page
   * @param {LessonData} lesson
   * @param {GameData} game
   * @param {Go} go
   */
  constructor(page, lesson, game, go) {
    this.lesson = lesson;
    this.game = game;
    this.go = go;
    this.done = stepsDone(game.name);
    this.state = lesson.steps[0].state;
    document.title = `${t("lesson.title", { game: game.title })} · damier`;
    this.board = new PlayBoard(lesson.drawing, {
      title: game.title,
      of: { game: game.name, options: lesson.options },
      play: (action) => this.answer({ actions: [...this.actions, action.action] }),
      why: (what) => this.explain(what),
      refuse: () => this.board.say(t(this.mustRetry ? "lesson.retry.first" : "lesson.task.read")),
      tap: (cell) => this.tap(cell),
      more: () => this.tryButtons(),
    });
    this.parts = places(["status", "stacks"]);
    this.bar = h("progress", { max: this.all, "aria-hidden": "true" });
    this.counted = h("p", { class: "soft" });
    this.text = h("section", { class: "lesson-text" });
    this.verdict = h("div", { class: "verdict", role: "status" });
    this.list = h("ol", {});
    this.back = button(t("lesson.back"), () => this.goTo(this.number - 1), { sign: "back" });
    this.hint = button(t("lesson.hint"), () => this.showHint(), { sign: "hint" });
    this.show = button(t("lesson.show"), () => this.showAnswer(), { sign: "check" });
    this.on = button(t("lesson.next"), () => this.goOn(), { sign: "on" });
    this.page = page;
    this.build(page);
    this.goTo(this.firstStep(), { isFirst: true });
  }

  close() {
    this.visit++;
    this.board.close();
  }

  get all() {
    return this.lesson.steps.length;
  }

  get step() {
    return this.lesson.steps[this.number - 1];
  }

  /** Returns the step in the address, else the first that is not done; the first of all if all are. */
  firstStep() {
    const asked = Number(location.hash.slice(1));
    return Number.isInteger(asked) && asked >= 1 && asked <= this.all ? asked : this.openStep();
  }

  /** Returns the first step that is not done; the first of all if all are. */
  openStep() {
    const open = this.lesson.steps.findIndex((_, i) => !this.done.has(i + 1));
    return Math.max(open, 0) + 1;
  }

  // Building ---------------------------------------------------------------------------------------------------------

  /** @param {HTMLElement} page */
  build(page) {
    page.className = `lesson ${this.lesson.drawing.view}`;
    page.replaceChildren(
      h(
        "header",
        { class: "lesson-head" },
        h("h1", {}, t("lesson.title", { game: this.game.title })),
        this.bar,
        this.counted,
      ),
      this.text,
      h("section", { class: "lesson-table" }, this.parts.status, this.board.place, this.board.under),
      this.verdict,
      h("div", { class: "controls" }, this.back, this.hint, this.show, this.on),
      h(
        "div",
        { class: "lesson-more" },
        this.parts.stacks,
        this.board.typed,
        h("details", { class: "fold" }, h("summary", {}, t("lesson.steps")), this.list),
        h(
          "p",
          { class: "more" },
          h("a", { href: `/rules/${this.game.name}`, target: "_blank" }, t("learn.rules")),
          h("a", { href: "/learn" }, t("learn.title")),
        ),
      ),
    );
  }

  /**
   * Opens a step; after the last comes the end.
   *
   * @param {number} number
   */
  goTo(number, { isFirst = false } = {}) {
    this.number = number;
    history.replaceState(null, "", number <= this.all ? `#${number}` : location.pathname);
    this.page.classList.toggle("at-end", number > this.all);
    if (number > this.all) {
      this.end();
      return;
    }
    const title = h("h2", { tabindex: "-1" }, this.step.title);
    this.text.replaceChildren(
      title,
      h("p", {}, this.step.text),
      h("p", { class: "task" }, t(`lesson.task.${this.step.kind}`)),
    );
    this.restore();
    if (isFirst) return;
    scrollTo(0, 0);
    title.focus({ preventScroll: true });
  }

  // Drawing ----------------------------------------------------------------------------------------------------------

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
    this.drawControls();
  }

  /** @param {PlayState} state */
  draw(state, { canAct = false, isBack = false } = {}) {
    this.state = state;
    this.board.show(state, { canAct: canAct && !state.result, isBack });
    const look = this.lesson.drawing.looks[(state.result ? state.result.winner : state.mover) ?? ""];
    this.parts.status.replaceChildren(...(look ? [smallPiece(look)] : []), h("p", {}, state.captions.join(" · ")));
    if (this.lesson.drawing.view === "isometric")
      stackList(this.parts.stacks, this.lesson.drawing, state, this.board.board, (cell) => this.board.choose(cell));
  }

  drawControls() {
    const isTask = this.number <= this.all && this.step.kind !== "read";
    const isDone = !isTask || this.isRight || this.isShown;
    (this.on.lastElementChild ?? this.on).textContent = t(isDone ? "lesson.next" : "lesson.skip");
    this.on.classList.toggle("main", isDone);
    this.back.disabled = this.number === 1;
    for (const each of [this.hint, this.show, this.on]) each.hidden = this.number > this.all;
    this.hint.disabled = !isTask || this.isRight || !this.step.hint;
    this.show.disabled = !isTask || this.isRight;
    this.board.typed.hidden = !isTask || this.step.kind === "cell" || this.isRight;
    this.drawProgress();
  }

  drawProgress() {
    this.bar.value = this.done.size;
    this.counted.textContent =
      this.number <= this.all
        ? t("lesson.step", { number: this.number, all: this.all })
        : t("learn.progress", { count: this.done.size, all: this.all });
    this.list.replaceChildren(
      ...this.lesson.steps.map(({ title }, i) => {
        const isDone = this.done.has(i + 1);
        return h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: "plain",
              click: () => this.goTo(i + 1),
              "aria-current": i + 1 === this.number ? "step" : null,
              "aria-label": isDone ? t("lesson.step.done", { title }) : null,
            },
            h("span", { class: "soft" }, `${i + 1}.`),
            h("span", {}, title),
            isDone && icon("check"),
          ),
        );
      }),
    );
  }

  /**
   * Shows the sentence of a verdict; with an empty kind, none.
   *
   * @param {"" | "right" | "wrong" | "so-far"} kind
   * @param {string} sentence
   * @param {HTMLElement | false} more
   */
  tell(kind, sentence = "", more = false) {
    this.isRight = kind === "right";
    this.verdict.className = `verdict ${kind}`;
    this.verdict.replaceChildren();
    if (!kind) return;
    this.verdict.append(h("p", {}, kind === "right" && icon("check"), sentence), ...(more ? [more] : []));
    this.uncover();
  }

  /** Scrolls the board up as far as the verdict covers it on a small screen. */
  uncover() {
    const hidden = this.board.place.getBoundingClientRect().bottom - this.verdict.getBoundingClientRect().top;
    if (hidden > 0 && getComputedStyle(this.verdict).position === "fixed")
      scrollBy({ top: hidden, behavior: isStill() ? "auto" : "smooth" });
  }

  // Answering --------------------------------------------------------------------------------------------------------

  /**
   * Handles a click where a cell is asked for, or something that the rules forbid; returns whether it has.
   *
   * @param {string} cell
   */
  tap(cell) {
    if (this.isRight || this.mustRetry || this.number > this.all) return false;
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
    if (this.number > this.all || this.isRight) return [];
    return (this.step?.buttons ?? []).map(({ action, name }) =>
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
    const { start, actions } = this.step;
    return post("lines/why", {
      game: this.game.name,
      options: this.lesson.options,
      start,
      actions: [...actions, ...this.actions],
      ...what,
    });
  }

  /**
   * @param {LessonAnswer} body
   * @returns {Promise<LessonVerdictData>}
   */
  ask(body) {
    return post(`games/${this.game.name}/lesson/${this.number}`, body).catch((error) => ({
      status: "wrong",
      sentence: error.message,
      state: this.state,
      replies: [],
    }));
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
    this.drawControls();
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
    this.done = noteDone(this.game.name, this.number);
    this.tell("right", sentence);
    this.drawControls();
    sound("set");
    this.on.focus({ preventScroll: true });
  }

  goOn() {
    if (this.number <= this.all && this.step.kind === "read") this.done = noteDone(this.game.name, this.number);
    if (this.number <= this.all) this.goTo(this.number + 1);
  }

  showHint() {
    this.tell("so-far", this.step.hint ?? "");
  }

  /** Shows a right answer on the board. */
  async showAnswer() {
    this.restore();
    const mine = this.visit;
    const answer = await get(`games/${this.game.name}/lesson/${this.number}/answer`).catch((error) => {
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
    this.drawControls();
    await this.showReplies(states);
  }

  end() {
    this.visit++;
    this.tell("");
    this.board.show(this.state, { canAct: false });
    const steps = { done: this.done.size, all: this.all, goOn: () => this.goTo(this.openStep()) };
    const [title, ...others] = lessonEnd(this.game, steps, this.go);
    this.text.replaceChildren(title, ...others);
    this.drawControls();
    sound("end");
    title.focus();
  }
}
