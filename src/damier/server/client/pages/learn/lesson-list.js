/**
 * The chapters of a lesson with their steps: which are done, and where the learner is.
 *
 * @import { LessonStepData } from "../../net/wire.d.ts"
 */

import { t } from "../../net/language.js";
import { h } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";

const WIDE = "(min-width: 1200px)";

/**
 * Returns the steps by chapter, in their order.
 *
 * @param {LessonStepData[]} steps
 */
export function chaptersOf(steps) {
  /** @type {Map<string, LessonStepData[]>} */
  const chapters = new Map();
  for (const step of steps) chapters.set(step.chapter, [...(chapters.get(step.chapter) ?? []), step]);
  return chapters;
}

export class StepList {
  /**
   * @param {LessonStepData[]} steps
   * @param {(id: string) => void} goTo
   */
  constructor(steps, goTo) {
    this.chapters = chaptersOf(steps);
    this.goTo = goTo;
    this.content = h("div", { class: "chapters" });
    this.element = h(
      "nav",
      { class: "lesson-list", "aria-label": t("lesson.steps") },
      h("details", { open: matchMedia(WIDE).matches }, h("summary", {}, t("lesson.steps")), this.content),
    );
  }

  /**
   * @param {Set<string>} done
   * @param {string} current
   */
  draw(done, current) {
    this.content.replaceChildren(
      ...[...this.chapters].flatMap(([chapter, steps]) => this.#chapter(chapter, steps, done, current)),
    );
    const here = this.content.querySelector("[aria-current]");
    const { element } = this;
    if (here instanceof HTMLElement && element.scrollHeight > element.clientHeight)
      element.scrollTop = here.offsetTop - element.clientHeight / 2;
  }

  /**
   * @param {string} chapter
   * @param {LessonStepData[]} steps
   * @param {Set<string>} done
   * @param {string} current
   */
  #chapter(chapter, steps, done, current) {
    const count = steps.filter(({ id }) => done.has(id)).length;
    return [
      h(
        "h2",
        {},
        t(`lesson.chapter.${chapter}`),
        h("span", { class: "soft" }, t("lesson.chapter.count", { count, all: steps.length })),
      ),
      h("ol", {}, ...steps.map((step) => this.#entry(step, done.has(step.id), step.id === current))),
    ];
  }

  /**
   * @param {LessonStepData} step
   * @param {boolean} isDone
   * @param {boolean} isCurrent
   */
  #entry({ id, title }, isDone, isCurrent) {
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "plain",
          click: () => this.goTo(id),
          "aria-current": isCurrent ? "step" : null,
          "aria-label": isDone ? t("lesson.step.done", { title }) : null,
        },
        h("span", { class: isDone ? "tick done" : "tick" }, isDone && icon("check")),
        h("span", {}, title),
      ),
    );
  }
}
