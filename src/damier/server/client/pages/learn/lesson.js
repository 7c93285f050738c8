/**
 * The lesson of a game: step by step, on a board that answers.
 *
 * @import { GameData, LessonData } from "../../net/wire.d.ts"
 * @import { Go, OpenPage } from "../../types.d.ts"
 */

import { gameNamed, get } from "../../net/api.js";
import { t } from "../../net/language.js";
import { button, h, styles } from "../../ui/dom.js";
import { play as sound } from "../../ui/sound.js";
import { lessonEnd } from "./lesson-end.js";
import { StepList } from "./lesson-list.js";
import { StepPlay } from "./lesson-step.js";
import { noteDone, stepsDone } from "./progress.js";

const BASICS = "basics";

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
  /** The place of the present step; at an end, of the step before it. */
  at = 0;
  isEnd = false;

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
    this.ids = { steps: lesson.steps.map(({ id }) => id), numbered: lesson.numbered };
    this.done = stepsDone(game.name, this.ids);
    document.title = `${t("lesson.title", { game: game.title })} · damier`;
    this.play = new StepPlay(lesson, { changed: () => this.drawControls(), done: () => this.succeed() });
    this.bar = h("progress", { "aria-hidden": "true" });
    this.counted = h("p", { class: "soft" });
    this.text = h("section", { class: "lesson-text" });
    this.list = new StepList(lesson.steps, (id) => this.goTo(this.ids.steps.indexOf(id)));
    this.back = button(t("lesson.back"), () => this.goTo(this.isEnd ? this.at : this.at - 1), { sign: "back" });
    this.hint = button(t("lesson.hint"), () => this.play.showHint(), { sign: "hint" });
    this.show = button(t("lesson.show"), () => this.play.showAnswer(), { sign: "check" });
    this.on = button(t("lesson.next"), () => this.goOn(), { sign: "on" });
    this.page = page;
    this.build(page);
    this.goTo(this.firstStep(), { isFirst: true });
  }

  close() {
    this.play.close();
  }

  get step() {
    return this.lesson.steps[this.at];
  }

  get basics() {
    return this.lesson.steps.filter(({ chapter }) => chapter === BASICS);
  }

  /** Returns the step in the address, by its id or the number it once had, else the first that is not done. */
  firstStep() {
    const asked = location.hash.slice(1);
    const at = this.ids.steps.indexOf(this.lesson.numbered[Number(asked) - 1] ?? asked);
    return at >= 0 ? at : Math.max(this.openStep(), 0);
  }

  /** Returns the place of the first step that is not done, or -1. */
  openStep() {
    return this.lesson.steps.findIndex(({ id }) => !this.done.has(id));
  }

  // Building ---------------------------------------------------------------------------------------------------------

  /** @param {HTMLElement} page */
  build(page) {
    page.className = `lesson ${this.play.setting.drawing.view}`;
    page.replaceChildren(
      h(
        "header",
        { class: "lesson-head" },
        h("h1", {}, t("lesson.title", { game: this.game.title })),
        this.bar,
        this.counted,
      ),
      this.text,
      this.play.table,
      this.play.verdict.element,
      h("div", { class: "controls" }, this.back, this.hint, this.show, this.on),
      h(
        "div",
        { class: "lesson-more" },
        this.play.parts.stacks,
        this.play.parts.typing,
        h(
          "p",
          { class: "more" },
          h("a", { href: `/rules/${this.game.name}`, target: "_blank" }, t("learn.rules")),
          h("a", { href: "/learn" }, t("learn.title")),
        ),
      ),
      this.list.element,
    );
  }

  /**
   * Opens a step.
   *
   * @param {number} at
   */
  goTo(at, { isFirst = false } = {}) {
    this.at = at;
    this.setEnd(false);
    history.replaceState(null, "", `#${this.step.id}`);
    const title = h("h2", { tabindex: "-1" }, this.step.title);
    this.text.replaceChildren(
      title,
      h("p", {}, this.step.text),
      h("p", { class: "task" }, t(`lesson.task.${this.step.kind}`)),
    );
    this.play.open(this.step);
    if (isFirst) return;
    scrollTo(0, 0);
    title.focus({ preventScroll: true });
  }

  /** @param {boolean} isEnd */
  setEnd(isEnd) {
    this.isEnd = isEnd;
    this.page.classList.toggle("at-end", isEnd);
  }

  // Progress ---------------------------------------------------------------------------------------------------------

  drawControls() {
    const { isRight, isShown, board } = this.play;
    const isTask = !this.isEnd && this.step.kind !== "read";
    const isDone = !isTask || isRight || isShown;
    (this.on.lastElementChild ?? this.on).textContent = t(isDone ? "lesson.next" : "lesson.skip");
    this.on.classList.toggle("main", isDone);
    this.back.disabled = this.at === 0 && !this.isEnd;
    for (const each of [this.hint, this.show, this.on]) each.hidden = this.isEnd;
    this.hint.disabled = !isTask || isRight || !this.step.hint;
    this.show.disabled = !isTask || isRight;
    board.typed.hidden = !isTask || this.step.kind === "cell" || isRight;
    this.drawProgress();
  }

  /** Shows where the learner is in the chapter. */
  drawProgress() {
    const chapter = this.lesson.steps.filter((step) => step.chapter === this.step.chapter);
    this.bar.max = chapter.length;
    this.bar.value = chapter.filter(({ id }) => this.done.has(id)).length;
    this.counted.textContent = t("lesson.step", {
      chapter: t(`lesson.chapter.${this.step.chapter}`),
      number: chapter.indexOf(this.step) + 1,
      all: chapter.length,
    });
    this.list.draw(this.done, this.isEnd ? "" : this.step.id);
  }

  succeed() {
    this.noteDone();
    this.on.focus({ preventScroll: true });
  }

  noteDone() {
    this.done = noteDone(this.game.name, this.ids, this.step.id);
  }

  /** Goes on to the next step; the basics and the lesson have an end of their own. */
  goOn() {
    if (this.step.kind === "read") this.noteDone();
    const next = this.lesson.steps[this.at + 1];
    const isLastOfBasics = this.step.chapter === BASICS && next?.chapter !== BASICS;
    if (!next || isLastOfBasics) this.end();
    else this.goTo(this.at + 1);
  }

  /** Shows the end of the basics or of the lesson. */
  end() {
    this.setEnd(true);
    history.replaceState(null, "", location.pathname);
    this.play.finish();
    const [title, ...others] = lessonEnd(this.game, this.summary(), this.go);
    this.text.replaceChildren(title, ...others);
    this.drawControls();
    sound("end");
    title.focus();
  }

  /** Returns what is done and what comes next. */
  summary() {
    const { basics } = this;
    const isDone = (/** @type {{id: string}} */ { id }) => this.done.has(id);
    const open = basics.findIndex((step) => !isDone(step));
    const next = this.lesson.steps[this.at + 1];
    return {
      all: this.lesson.steps.length,
      done: this.done.size,
      basics: basics.length,
      basicsDone: basics.filter(isDone).length,
      open: open < 0 ? null : () => this.goTo(open),
      next: next ? { chapter: next.chapter, go: () => this.goTo(this.at + 1) } : null,
    };
  }
}
