/**
 * The explorer: from any position, what every action is worth and how best play goes on.
 *
 * @import { ActionValue, ActionValues, DrawingData, GameData, GameSolutions, PlayState } from "../../net/wire.d.ts"
 * @import { AnalysisAnswer } from "../../net/sockets/analysis-socket.js"
 * @import { Line, OpenPage, OptionValues } from "../../types.d.ts"
 * @typedef {Exclude<GameSolutions["solutions"][number], {positions: number}>} Solution
 * @typedef {{options: OptionValues, solution?: Solution, start: string | null, actions: string[]}} Given
 */

import { heatOf } from "../../board/marks/heat.js";
import { PlayBoard } from "../../board/play-board.js";
import { analysis } from "../../net/sockets/analysis-socket.js";
import { drawing, gameNamed, get, post } from "../../net/api.js";
import { t } from "../../net/language.js";
import { isStill } from "../../net/settings.js";
import { button, h, places, sentenceOf, styles } from "../../ui/dom.js";
import { address, changedOptions, optionsText, parseOptions } from "../../ui/format.js";
import { speak } from "../../ui/speak.js";
import { tableBox } from "../../ui/table-box.js";
import { better } from "../../ui/values/values.js";
import { bestLinePart, countsPart, embedPart, listPart, pathPart, verdictPart } from "./explore-parts.js";

const PAUSE = 900; // milliseconds between two actions of a line that is played out
const SEARCH = 2500; // milliseconds for which the engine searches for the best line
const PARTS = /** @type {const} */ (["path", "verdict", "counts", "best", "table-box", "list", "stacks", "embed"]);

/** @type {OpenPage} */
export async function open(page, { argument: name }) {
  const [game, known] = await Promise.all([
    gameNamed(name),
    get(`solutions/${encodeURIComponent(name)}`),
    styles("solutions"),
  ]);
  const { position, actions = "", ...query } = Object.fromEntries(new URLSearchParams(location.search));
  const declared = game.options.map((option) => option.name);
  const options = parseOptions(
    game.options,
    Object.fromEntries(Object.entries(query).filter(([each]) => declared.includes(each))),
  );
  const solution = known.solutions
    .filter((each) => "table" in each)
    .find((each) => isSame(each.options, { ...known.usual, ...options }));
  const explorer = new Explorer(page, game, await drawing(name, options), {
    options,
    solution,
    start: position || null,
    actions: actions.split(",").filter(Boolean),
  });
  await explorer.load();
  return () => explorer.close();
}

/**
 * @param {OptionValues} some
 * @param {OptionValues} others
 */
const isSame = (some, others) => Object.entries(some).every(([name, value]) => String(others[name]) === String(value));

export class Explorer {
  /** @type {PlayState | null} null until it is loaded */
  state = null;
  /** @type {ActionValues | null} */
  values = null;
  /** @type {string[][] | null} how best play goes on, by turn */
  best = null;
  /** @type {Map<string, string>} what actions are called, by their text */
  names = new Map();
  #visit = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #searching;
  /** @type {string[] | undefined} the last actions that could be played */
  #good;
  #cancel = () => {};

  /**
   * @param {HTMLElement} page
   * @param {GameData} game
   * @param {DrawingData} drawn
   * @param {Given} given
   */
  constructor(page, game, drawn, { options, solution, start, actions }) {
    this.game = game;
    this.options = options;
    this.solution = solution;
    this.start = start;
    this.actions = actions;
    this.drawing = drawn;
    this.parts = places(PARTS, "explore-");
    this.board = new PlayBoard(drawn, {
      title: game.title,
      of: { game: game.name, options },
      play: ({ action }) => void this.goOn([action]),
      why: (attempt) => post("lines/why", { ...this.line(), ...attempt }),
    });
    document.title = `${t("explore.title")}: ${game.title} · damier`;
    this.#build(page);
  }

  close() {
    this.#visit++;
    this.#halt();
    this.#stopSearch();
    this.board.close();
  }

  /** @returns {Line} */
  line(actions = this.actions) {
    return { game: this.game.name, options: this.options, start: this.start, actions };
  }

  /** @param {HTMLElement} page */
  #build(page) {
    page.className = `explore ${this.drawing.view}`;
    page.replaceChildren(
      h("section", { class: "table" }, this.parts.path, this.board.place, this.board.under),
      h(
        "aside",
        { class: "side" },
        h(
          "header",
          {},
          h("p", { class: "crumb" }, h("a", { href: `/solutions/${this.game.name}` }, t("nav.solutions"))),
          h("h1", {}, this.game.title),
          h("p", { class: "soft" }, optionsText(this.game.options, this.options)),
        ),
        this.parts.verdict,
        this.parts.counts,
        this.parts["table-box"],
        this.parts.best,
        this.parts.list,
        this.parts.stacks,
        this.board.typed,
        this.#positionBox(),
        this.parts.embed,
      ),
    );
  }

  #positionBox() {
    const input = h("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder: this.start ?? "" });
    const problem = h("p", { class: "problem", role: "alert" });
    const submit = async (/** @type {Event} */ event) => {
      event.preventDefault();
      const start = input.value.trim() || null;
      try {
        await post("lines/state", { ...this.line([]), start });
      } catch (error) {
        problem.textContent = sentenceOf(error);
        return;
      }
      problem.textContent = "";
      this.start = start;
      this.actions = [];
      await this.load();
    };
    return h(
      "details",
      { class: "fold" },
      h("summary", {}, t("explore.position")),
      h(
        "form",
        { class: "typed", submit },
        h("label", { class: "field" }, h("span", {}, t("explore.position.label")), input),
        h("button", { type: "submit" }, t("type.go")),
      ),
      problem,
    );
  }

  // Going --------------------------------------------------------------------------------------------------------------

  /**
   * Plays actions from here.
   *
   * @param {string[]} actions
   */
  goOn(actions) {
    return this.goTo([...this.actions, ...actions]);
  }

  /** @param {string[]} actions from the start */
  goTo(actions, isHalting = true) {
    if (isHalting) this.#halt();
    const isBack = actions.length < this.actions.length;
    this.actions = actions;
    return this.load(isBack);
  }

  /** Draws the present position, then what is known of it. */
  async load(isBack = false) {
    const mine = ++this.#visit;
    const state = await post("lines/state", this.line()).catch((error) => this.#refused(mine, error));
    if (!state || mine !== this.#visit) return;
    this.#good = this.actions;
    const given = changedOptions(this.game.options, this.options);
    history.replaceState(
      null,
      "",
      address(`/explore/${this.game.name}`, given, { position: this.start, actions: this.actions.join(",") }),
    );
    for (const { action, name } of state.actions) if (name) this.names.set(action, name);
    this.state = state;
    this.values = this.best = null;
    this.board.show(state, { canAct: !state.result, isBack });
    this.board.board.heat(new Map());
    this.#draw();
    if (state.result) return void speak(state.result.sentence);
    await this.#judge(mine);
  }

  /**
   * Goes back to the last position and says why.
   *
   * @param {number} mine
   * @param {Error} error
   */
  #refused(mine, error) {
    if (mine !== this.#visit) return;
    if (!this.#good) throw error;
    this.actions = this.#good;
    this.#halt();
    this.load(true);
    this.board.say(error.message);
  }

  /** @param {number} mine */
  async #judge(mine) {
    this.parts.verdict.replaceChildren(h("p", { class: "soft" }, t("values.wait")));
    try {
      const values = await post("lines/values", this.line());
      if (mine !== this.#visit) return;
      this.values = values;
    } catch (error) {
      if (mine === this.#visit) this.parts.verdict.replaceChildren(h("p", { class: "problem" }, sentenceOf(error)));
      return;
    }
    const { values, state } = this;
    this.board.showValues(values);
    this.board.board.heat(heatOf(state?.actions ?? [], values) ?? new Map());
    this.#draw();
    if (state?.mover === "chance") return;
    if (!this.#timer) speak(this.parts.verdict.textContent ?? "");
    this.#search(mine);
    if (values.is_from_table) return;
    tableBox(this.parts["table-box"], { game: this.game.name, options: this.options }, () => {
      if (mine === this.#visit) this.load();
    });
  }

  /**
   * Searches for the best line, for a short while.
   *
   * @param {number} mine
   */
  #search(mine) {
    this.#stopSearch();
    this.#cancel = analysis.ask({ ...this.line(), lines: 1 }, (answer) => {
      if (mine === this.#visit) this.#hear(answer);
    });
    this.#searching = setTimeout(() => this.#stopSearch(), SEARCH);
  }

  #stopSearch() {
    clearTimeout(this.#searching);
    this.#cancel();
  }

  /** @param {AnalysisAnswer} answer */
  #hear({ lines, error }) {
    if (error || !lines?.length) return;
    this.best = lines[0].turns;
    this.#drawBest();
  }

  // Drawing ------------------------------------------------------------------------------------------------------------

  /**
   * The actions with their values, the best first.
   *
   * @returns {[string, ActionValue][]}
   */
  get ordered() {
    return this.values ? Object.entries(this.values.values).sort(([, a], [, b]) => better(a, b)) : [];
  }

  #draw() {
    const { parts, state } = this;
    if (!state) return;
    parts.path.replaceChildren(...pathPart(this));
    parts.verdict.replaceChildren(...verdictPart(this, state));
    parts.counts.replaceChildren(...countsPart(this, state));
    parts.list.replaceChildren(...listPart(this, state));
    parts.embed.replaceChildren(...embedPart(this));
    parts["table-box"].replaceChildren();
    this.board.typed.hidden = Boolean(state.result);
    this.board.listStacks(parts.stacks, state);
    this.#drawBest();
  }

  #drawBest() {
    if (this.state) this.parts.best.replaceChildren(...bestLinePart(this, this.state, Boolean(this.#timer)));
  }

  // Playing out --------------------------------------------------------------------------------------------------------

  /** Plays the best line action by action, or stops doing so. */
  playOut() {
    if (this.#timer) {
      this.#halt();
      this.#drawBest();
      return;
    }
    const rest = (this.best ?? []).flat();
    const step = () => {
      const action = rest.shift();
      if (action === undefined) this.playOut();
      else this.goTo([...this.actions, action], false);
    };
    this.#timer = setInterval(step, isStill() ? PAUSE * 1.5 : PAUSE);
    step();
  }

  #halt() {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Makes the button that leads to the start. */
  restart() {
    return button(t("explore.start"), () => this.goTo([]), {
      sign: "first",
      look: "step",
      disabled: !this.actions.length,
    });
  }
}
