/**
 * The winning chances after every action as a graph; a click on it shows that moment of the game.
 *
 * @import { ReviewStart, ReviewStep } from "../net/wire.d.ts"
 * @import { Line } from "../types.d.ts"
 * @typedef {{line: () => Line, players: () => {player: string, name: string}[], goTo: (moment: number) => void,
 *   more?: (step: ReviewStep) => Node[], drawn?: () => void}} About `more` stands under a mistake; with `drawn`, called
 *   after each change, the page shows the mistakes itself
 */

import { review } from "../net/api.js";
import { t } from "../net/language.js";
import { button, h, s, sentenceOf } from "./dom.js";
import { percent } from "./format.js";

const [WIDE, HIGH] = [300, 90];

/** A fold with the graph; the engine works only while it is open. */
export class ChanceGraph {
  /** @type {(ReviewStart | ReviewStep)[]} the first is the beginning */
  steps = [];
  isDone = false;
  isLoading = false;
  problem = "";
  #count = 0;
  #moment = 0;
  /** @type {AbortController | undefined} */
  #work;
  /** @type {Map<string, (ReviewStart | ReviewStep)[]>} what was found, by the actions of the line */
  #kept = new Map();
  #key = "";

  /** @param {About} about */
  constructor(about) {
    this.about = about;
    this.body = h("div", { class: "course-body" });
    this.element = h(
      "details",
      { class: "fold course", toggle: ({ currentTarget }) => this.#toggled(currentTarget.open) },
      h("summary", {}, t("course.title")),
      this.body,
    );
  }

  close() {
    this.#work?.abort();
  }

  /** @param {boolean} isOpen */
  #toggled(isOpen) {
    if (isOpen && !this.steps.length && !this.isLoading) this.load();
  }

  /**
   * Turns to another line; what was found of it before, or of its beginning, is shown.
   *
   * @param {readonly string[]} actions
   */
  turnTo(actions) {
    const key = actions.join(" ");
    if (key === this.#key) return;
    this.#work?.abort();
    if (this.isDone) this.#kept.set(this.#key, this.steps);
    this.#key = key;
    const played = this.steps.slice(1).map((step) => ("action" in step ? step.action : ""));
    const other = actions.findIndex((action, i) => played[i] !== action);
    this.steps = this.#kept.get(key) ?? this.steps.slice(0, (other < 0 ? actions.length : other) + 1);
    this.isDone = this.steps.length > 0 || this.element.open;
    this.problem = "";
  }

  /** Where the chances come from: exact ones from a table, those of a table that knows no history, or estimates. */
  get source() {
    const [first] = this.steps;
    if (first === undefined || !("is_exact" in first) || !first.is_from_table) return "engine";
    return first.is_exact ? "exact" : "table";
  }

  /**
   * Draws a line of `count` actions, at the moment after `moment` of them.
   *
   * @param {number} count
   * @param {number} moment
   */
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
      for await (const step of review(this.about.line(), work.signal)) {
        if ("error" in step) throw new Error(step.error);
        this.steps.push(step);
        this.draw();
      }
      this.isDone = true;
    } catch (error) {
      if (work.signal.aborted) return;
      this.problem = sentenceOf(error);
    } finally {
      this.isLoading = work !== this.#work && this.isLoading;
    }
    this.draw();
  }

  draw() {
    this.about.drawn?.();
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
      ...(this.about.drawn ? [] : this.mistakeList()),
    );
  }

  /** Makes the list of the biggest mistakes. */
  mistakeList() {
    return this.mistakes.flatMap((step) => [this.#mistake(step), ...(this.about.more?.(step) ?? [])]);
  }

  /** The three biggest mistakes, the biggest first. */
  get mistakes() {
    return this.steps
      .filter((step) => "is_mistake" in step)
      .filter((step) => step.is_mistake)
      .sort((a, b) => (b.loss ?? 0) - (a.loss ?? 0))
      .slice(0, 3);
  }

  /**
   * Makes the graph: the first player's chance from below; with more players a line for each.
   *
   * @param {number} count
   * @param {ReviewStep[]} mistakes
   */
  #graph(count, mistakes) {
    const players = this.about.players();
    const x = (/** @type {number} */ i) => (count ? (i / count) * WIDE : 0);
    const points = (/** @type {number} */ player) =>
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
    const goTo = (/** @type {MouseEvent & {currentTarget: SVGSVGElement}} */ event) => {
      const box = event.currentTarget.getBoundingClientRect();
      this.about.goTo(Math.round(((event.clientX - box.left) / box.width) * count));
    };
    const label = this.steps.length
      ? t("course.label", { player: players[0].name, share: percent(this.steps[this.steps.length - 1].chances[0], 0) })
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
    return h(
      "label",
      { class: "moment" },
      h("span", { class: "unseen" }, t("course.moment")),
      h("input", {
        type: "range",
        min: 0,
        max: this.#count,
        value: this.#moment,
        input: ({ currentTarget }) => this.about.goTo(Number(currentTarget.value)),
        "aria-valuetext": t("moment.after", { count: this.#moment, all: this.#count }),
      }),
    );
  }

  /** @param {ReviewStep} step */
  #mistake({ number, turn, player, action, mark, before, chances, better_turns: better }) {
    const players = this.about.players();
    const place = players.findIndex((each) => each.player === player);
    const said = (/** @type {number} */ chance) => chanceText(chance, this.source === "exact");
    return h(
      "button",
      { type: "button", class: "plain mistake", click: () => this.about.goTo(number) },
      h("b", {}, t("course.mistake", { turn, player: players[place]?.name ?? "", action: `${action} ${mark ?? ""}` })),
      h(
        "span",
        {},
        t("course.better", {
          from: said(before[place]),
          to: said(chances[place]),
          better: better
            .slice(0, 4)
            .map((actions) => actions.join("+"))
            .join(" "),
        }),
      ),
    );
  }
}

/**
 * Says a chance; an estimate says that it is one.
 *
 * @param {number} chance
 * @param {boolean} isExact
 */
export const chanceText = (chance, isExact) =>
  isExact ? percent(chance, 0) : t("values.about", { value: percent(chance, 0) });
