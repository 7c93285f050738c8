/** The course of a game: the winning chances after every action as a graph, on which one goes to a moment. */

import { stream } from "../net/api.js";
import { t } from "../net/language.js";
import { button, h, s } from "./dom.js";

const [WIDE, HIGH] = [300, 90];

/**
 * A fold with the graph; the engine works only when it is opened.
 *
 * @param {{line: () => object, players: () => {player, name, colour}[], goTo: (moment: number) => void,
 *   more?: (step) => Node[]}} about `more` stands under a mistake
 */
export class Course {
  steps = [];
  #count = 0;
  #moment = 0;
  #work;
  #kept = new Map();
  #key = "";

  constructor(about) {
    this.about = about;
    this.body = h("div", { class: "course-body" });
    this.element = h(
      "details",
      { class: "fold course", toggle: () => this.element.open && !this.steps.length && !this.isLoading && this.load() },
      h("summary", {}, t("course.title")),
      this.body,
    );
  }

  close() {
    this.#work?.abort();
  }

  /** One looks at another line now; what was found of it before, or of its beginning, is shown. */
  turnTo(actions) {
    const key = actions.join(" ");
    if (key === this.#key) return;
    this.#work?.abort();
    if (this.isDone) this.#kept.set(this.#key, this.steps);
    this.#key = key;
    const other = actions.findIndex((action, i) => this.steps[i + 1]?.action !== action);
    this.steps = this.#kept.get(key) ?? this.steps.slice(0, (other < 0 ? actions.length : other) + 1);
    this.isDone = this.steps.length > 0 || this.element.open;
    this.problem = "";
  }

  /** Whether the chances come from a table. */
  get isExact() {
    return Boolean(this.steps[0]?.is_exact);
  }

  /** There are so many actions now, and one looks at the moment after so many. */
  update(count, moment) {
    this.#moment = moment;
    this.#count = count;
    this.element.hidden = !count;
    this.draw();
  }

  async load() {
    this.#work?.abort();
    const work = new AbortController();
    this.#work = work;
    this.steps = [];
    this.problem = "";
    this.isDone = false;
    this.isLoading = true;
    try {
      for await (const step of stream("lines/review", this.about.line(), work.signal)) {
        if (step.error) throw new Error(step.error);
        this.steps.push(step);
        this.draw();
      }
      this.isDone = true;
    } catch (error) {
      if (work.signal.aborted) return;
      this.problem = error.message;
    } finally {
      this.isLoading = work !== this.#work && this.isLoading;
    }
    this.draw();
  }

  draw() {
    if (!this.element.open || !this.#count) return;
    const known = this.steps.length - 1;
    const isOld = this.isDone && known !== this.#count;
    const mistakes = this.mistakes;
    this.body.replaceChildren(
      this.#graph(Math.max(this.#count, known), mistakes),
      this.#slider(),
      ...(this.problem ? [h("p", { class: "soft" }, this.problem)] : []),
      ...(!this.isDone && !this.problem
        ? [h("p", { class: "soft" }, t("course.wait", { done: Math.max(known, 0), all: this.#count }))]
        : []),
      ...(isOld || this.problem
        ? [button(t("course.again"), () => this.load(), { sign: "again", look: "quiet" })]
        : []),
      ...mistakes.flatMap((step) => [this.#mistake(step), ...(this.about.more?.(step) ?? [])]),
    );
  }

  /** The three biggest mistakes, the biggest first. */
  get mistakes() {
    return this.steps
      .filter((step) => step.is_mistake)
      .sort((a, b) => b.loss - a.loss)
      .slice(0, 3);
  }

  /** The first player's chance from below; with more players a line for each. */
  #graph(count, mistakes) {
    const players = this.about.players();
    const x = (i) => (count ? (i / count) * WIDE : 0);
    const points = (player) =>
      this.steps.map(({ chances }, i) => `${x(i).toFixed(1)} ${((1 - chances[player]) * HIGH).toFixed(1)}`);
    const shapes =
      players.length === 2
        ? [
            s("path", {
              class: "course-area",
              d: this.steps.length ? `M0 ${HIGH}L${points(0).join("L")}L${x(this.steps.length - 1)} ${HIGH}Z` : "",
            }),
          ]
        : players.map((_, i) =>
            s("path", { class: `course-line line-${i}`, d: this.steps.length ? `M${points(i).join("L")}` : "" }),
          );
    const goTo = (event) => {
      const box = event.currentTarget.getBoundingClientRect();
      this.about.goTo(Math.round(((event.clientX - box.left) / box.width) * count));
    };
    const label = this.steps.length
      ? t("course.label", { player: players[0].name, percent: percent(this.steps.at(-1).chances[0]) })
      : t("course.title");
    return h(
      "figure",
      {},
      s(
        "svg",
        {
          viewBox: `0 0 ${WIDE} ${HIGH}`,
          class: "course-graph",
          preserveAspectRatio: "none",
          role: "img",
          "aria-label": label,
          click: goTo,
        },
        s("path", { class: "course-even", d: `M0 ${HIGH / 2}H${WIDE}` }),
        shapes,
        mistakes.map(({ number }) => s("path", { class: "course-mistake", d: `M${x(number + 1)} 0V${HIGH}` })),
        s("path", { class: "course-now", d: `M${x(this.#moment)} 0V${HIGH}` }),
      ),
      h(
        "figcaption",
        { class: "soft" },
        players.length === 2
          ? t("course.legend", { first: players[0].name, second: players[1].name })
          : players.map(({ name }, i) => h("span", { class: `key key-${i}` }, name, " ")),
      ),
    );
  }

  #slider() {
    const input = ({ target }) => this.about.goTo(Number(target.value));
    return h(
      "label",
      { class: "moment" },
      h("span", { class: "unseen" }, t("course.moment")),
      h("input", {
        type: "range",
        min: 0,
        max: this.#count,
        value: this.#moment,
        input,
        "aria-valuetext": t("moment.after", { count: this.#moment, all: this.#count }),
      }),
    );
  }

  #mistake({ number, turn, player, action, before, chances, better }) {
    const players = this.about.players();
    const place = players.findIndex((each) => each.player === player);
    const said = (chance) => chanceText(chance, this.isExact);
    return h(
      "button",
      { type: "button", class: "plain mistake", click: () => this.about.goTo(number) },
      h("b", {}, t("course.mistake", { turn, player: players[place]?.name ?? "", action })),
      h(
        "span",
        {},
        t("course.better", {
          from: said(before[place]),
          to: said(chances[place]),
          better: better.slice(0, 4).join(" "),
        }),
      ),
    );
  }
}

/** A chance in words; an estimate says that it is one. */
export const chanceText = (chance, isExact) =>
  isExact ? `${percent(chance)} %` : t("values.about", { value: `${percent(chance)} %` });

const percent = (chance) => Math.round(100 * chance);
