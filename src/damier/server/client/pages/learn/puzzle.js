/**
 * The page of puzzles: one after the other near the solver's rating, with hints, refutations, reasons, and filters.
 *
 * @import { ActionData, DrawingData, GameData, MomentState, PlayState, PuzzleData, PuzzleList, PuzzleSolution, PuzzleVerdictData } from "../../net/wire.d.ts"
 * @import { Go, Line, OpenPage } from "../../types.d.ts"
 * @import { Child } from "../../ui/dom-types.d.ts"
 * @import { Outcome } from "./puzzle-rating.js"
 */

import { smallPiece } from "../../board/pieces.js";
import { PlayBoard } from "../../board/play-board.js";
import { drawing, gameNamed, get, post } from "../../net/api.js";
import { t } from "../../net/language.js";
import { isStill } from "../../net/settings.js";
import { button, h, sentenceOf, styles } from "../../ui/dom.js";
import { embedBox } from "../../ui/embed-box.js";
import { play as sound } from "../../ui/sound.js";
import { address } from "../../ui/format.js";
import { speak } from "../../ui/speak.js";
import { nextPuzzle, PuzzleProgress } from "./puzzle-progress.js";
import { whyPanel } from "./puzzle-why.js";

const PAUSE = 700;
const NARROW = "(max-width: 899px)"; // as in main.css

/** @type {OpenPage} */
export async function open(page, { argument: name, second: number, go }) {
  const [game, list] = await Promise.all([
    gameNamed(name),
    get(`puzzles/${encodeURIComponent(name)}`),
    styles("puzzle"),
  ]);
  document.title = `${t("puzzle.title", { game: game.title })} · damier`;
  if (!list.puzzles.length) {
    page.replaceChildren(h("section", { class: "note" }, h("h1", {}, game.title), h("p", {}, t("puzzle.none"))));
    return;
  }
  const kept = new PuzzleProgress(name);
  const wanted = number ?? nextPuzzle(list.puzzles, kept) ?? list.puzzles[0].id;
  if (!number) history.replaceState(null, "", `/puzzles/${name}/${wanted}`);
  const puzzle = await get(`puzzles/${name}/${encodeURIComponent(wanted)}`);
  const [drawn, state] = await Promise.all([
    drawing(name, puzzle.options),
    post("lines/state", { game: name, options: puzzle.options, start: puzzle.start, actions: [] }),
  ]);
  const shown = new PuzzlePage(page, { game, list, puzzle, drawing: drawn, state, kept, go });
  shown.begin();
  return () => shown.close();
}

class PuzzlePage {
  /** @type {string[]} */
  actions = [];
  /** @type {"asked" | "solved" | "wrong" | "shown"} */
  phase = "asked";
  /** @type {Outcome} what the puzzle counts as if it is solved now */
  outcome = "right";
  /** How many hints were given for the next action. */
  hints = 0;
  /** @type {PuzzleSolution | null} once it may be seen */
  solution = null;
  /** Counts what is played out: a later line ends an earlier one. */
  runs = 0;
  isClosed = false;

  /**
   * @param {HTMLElement} page
   * @param {{game: GameData, list: PuzzleList, puzzle: PuzzleData, drawing: DrawingData, state: PlayState,
   *   kept: PuzzleProgress, go: Go}} about `state`: at the beginning
   */
  constructor(page, { game, list, puzzle, drawing, state, kept, go }) {
    this.list = list;
    this.puzzle = puzzle;
    this.drawing = drawing;
    this.first = state;
    this.state = state;
    this.kept = kept;
    this.go = go;
    this.board = new PlayBoard(drawing, {
      title: game.title,
      of: { game: game.name, options: puzzle.options },
      play: (action) => this.play(action),
      why: (what) => post("lines/why", { ...this.line(), ...what }),
      more: () => this.after(),
    });
    this.verdict = h("p", { class: "verdict", role: "status" });
    this.status = h("div", { class: "status" });
    this.side = h("div", { class: "puzzle-side" });
    this.rated = h("p", { class: "rated", hidden: true });
    this.why = h("div", {});
    this.stacks = h("div", { class: "stacks" });
    page.className = `match puzzle ${drawing.view}`;
    const said = [this.verdict, this.rated];
    const isNarrow = matchMedia(NARROW).matches; // then what is said stands at the board
    page.replaceChildren(
      h("section", { class: "table" }, this.status, this.board.place, ...(isNarrow ? said : []), this.board.under),
      h(
        "aside",
        { class: "side" },
        h("header", { class: "match-title" }, h("h1", {}, t("puzzle.title", { game: game.title }))),
        ...(isNarrow ? [] : said),
        this.why,
        this.side,
        this.stacks,
        ...(puzzle.choices.length ? [] : [this.board.typed]),
        h(
          "p",
          { class: "soft" },
          h(
            "a",
            { href: address(`/analyse/${game.name}`, puzzle.options, { position: puzzle.start }) },
            t("puzzle.analyse"),
          ),
          " · ",
          h("a", { href: `/rules/${game.name}` }, t("puzzle.rules")),
        ),
        embedBox(`/embed/puzzle/${game.name}/${puzzle.id}`, game.title),
      ),
    );
  }

  close() {
    this.isClosed = true;
    this.board.close();
  }

  /** @returns {Line} */
  line(actions = this.actions) {
    return { game: this.puzzle.game, options: this.puzzle.options, start: this.puzzle.start, actions };
  }

  get isNumber() {
    return this.puzzle.choices.length > 0;
  }

  begin() {
    this.runs += 1;
    this.actions = [];
    this.phase = "asked";
    this.hints = 0;
    this.state = this.first;
    this.board.show(this.state, { canAct: !this.isNumber, isBack: true });
    this.say("", t(this.isNumber ? "puzzle.begin_number" : "puzzle.begin"));
    this.drawStatus(this.state);
    this.drawSide();
  }

  /** @param {{canAct: boolean, isBack?: boolean}} how */
  async show({ canAct, isBack = false }) {
    this.state = await post("lines/state", this.line());
    if (this.isClosed) return;
    this.board.show(this.state, { canAct: canAct && !this.state.result, isBack });
    this.drawStatus(this.state);
  }

  /** @param {MomentState} state that is shown */
  drawStatus(state) {
    const { player, task } = this.puzzle;
    const look = this.drawing.looks[player];
    this.status.replaceChildren(
      ...(look ? [smallPiece(look)] : []),
      h("div", {}, h("p", { class: "now" }, task), h("p", { class: "soft" }, state.captions.join(" · "))),
    );
    this.board.listStacks(this.stacks, state);
  }

  /**
   * Shows a verdict.
   *
   * @param {"" | "good" | "bad"} kind
   * @param {string} text
   */
  say(kind, text) {
    this.verdict.className = `verdict ${kind}`;
    this.verdict.textContent = text;
  }

  // Answering --------------------------------------------------------------------------------------------------------

  /** @param {ActionData} action */
  async play(action) {
    if (this.phase !== "asked") return;
    this.board.pend(action);
    this.hints = 0;
    this.actions.push(action.action);
    try {
      const verdict = await post(`puzzles/${this.puzzle.game}/${this.puzzle.id}/judge`, { actions: this.actions });
      sound(verdict.kind === "wrong" ? "no" : "set");
      await this[verdict.kind](verdict);
    } catch (error) {
      this.actions.pop();
      this.board.say(sentenceOf(error));
      await this.show({ canAct: true, isBack: true });
    }
  }

  /** @param {PuzzleVerdictData} verdict */
  async right({ reply }) {
    this.say("", t(reply.length ? "puzzle.on" : "puzzle.on_turn"));
    await this.playOut(reply);
    if (!this.isClosed) await this.show({ canAct: true });
  }

  /** @param {string} number one of the choices */
  async choose(number) {
    if (this.phase !== "asked") return;
    try {
      const verdict = await post(`puzzles/${this.puzzle.game}/${this.puzzle.id}/judge`, { actions: [number] });
      sound(verdict.kind === "wrong" ? "no" : "set");
      await this[verdict.kind](verdict);
    } catch (error) {
      this.board.say(sentenceOf(error));
    }
  }

  /** @param {PuzzleVerdictData} verdict */
  async solved({ sentence }) {
    this.phase = "solved";
    this.count(this.outcome);
    await this.show({ canAct: false });
    if (this.isClosed) return;
    this.say("good", sentence);
    speak(sentence);
    sound("end");
    await this.explain();
    this.drawSide();
  }

  /** @param {PuzzleVerdictData} verdict */
  async wrong({ sentence, refutation }) {
    this.phase = "wrong";
    this.count("wrong");
    this.say("bad", sentence);
    speak(sentence);
    await this.playOut(refutation);
    this.drawSide();
  }

  /**
   * Plays some actions one after the other, slowly enough to follow.
   *
   * @param {string[]} actions
   */
  async playOut(actions) {
    const run = (this.runs += 1);
    const states = (await post("lines/states", this.line([...this.actions, ...actions]))).states.slice(
      this.actions.length,
    );
    for (const [i, state] of states.entries()) {
      if (this.isClosed || run !== this.runs) return;
      this.board.show(state);
      this.drawStatus(state);
      if (i < states.length - 1) await new Promise((done) => setTimeout(done, isStill() ? PAUSE / 3 : PAUSE));
    }
    this.actions.push(...actions);
  }

  async showSolution() {
    if (this.phase !== "solved") {
      this.phase = "shown";
      this.count("wrong");
    }
    const { answer, line } = await this.explain();
    if (this.phase === "shown") this.say("", t("puzzle.solution", { line: line.length ? line.join(" ") : answer }));
    this.drawSide();
    await this.showLine(line);
  }

  /**
   * Plays a line from the position of the puzzle on.
   *
   * @param {string[]} line
   */
  async showLine(line) {
    this.actions = [];
    await this.playOut(line);
  }

  /** Shows why the answer is right. */
  async explain() {
    this.solution ??= await get(`puzzles/${this.puzzle.game}/${this.puzzle.id}/solution`);
    this.why.replaceChildren(whyPanel(this.solution, this.isNumber, (line) => this.showLine(line)));
    return this.solution;
  }

  /**
   * Counts the puzzle for the rating, the first time only.
   *
   * @param {Outcome} outcome
   */
  count(outcome) {
    const change = this.kept.count(this.puzzle, outcome);
    if (change === null) return;
    const signed = change < 0 ? `−${-change}` : `+${change}`;
    this.rated.hidden = false;
    this.rated.className = `rated ${change < 0 ? "bad" : "good"}`;
    this.rated.replaceChildren(
      h("span", {}, t("puzzle.your_rating")),
      h("b", {}, String(this.kept.rating)),
      h("span", { class: "change" }, signed),
    );
  }

  /** Gives the next hint: first where to look, then the action. */
  async hint() {
    const step = this.hints === 0 ? 1 : 2;
    try {
      const { sentence, cells } = await post(`puzzles/${this.puzzle.game}/${this.puzzle.id}/hint`, {
        actions: this.actions,
        step,
      });
      if (this.isClosed || this.phase !== "asked") return;
      this.hints = step;
      if (step === 2) this.outcome = "told";
      else if (this.outcome === "right") this.outcome = "hint";
      this.say("", sentence);
      this.board.hint = cells;
      this.board.draw();
    } catch (error) {
      this.board.say(sentenceOf(error));
    }
  }

  // Around it --------------------------------------------------------------------------------------------------------

  /** Makes the buttons under the board. */
  after() {
    const again = button(t("puzzle.retry"), () => this.begin(), { sign: "again" });
    if (this.phase === "solved")
      return [
        button(t("puzzle.next"), () => this.next(), { look: "main", sign: "on" }),
        ...(this.isNumber ? [] : [button(t("puzzle.see"), () => this.showSolution())]),
      ];
    if (this.phase === "wrong")
      return [
        button(t("puzzle.retry"), () => this.begin(), { look: "main", sign: "again" }),
        button(t("puzzle.give_up"), () => this.showSolution()),
      ];
    if (this.phase === "shown")
      return [button(t("puzzle.next"), () => this.next(), { look: "main", sign: "on" }), again];
    return [
      ...(this.isNumber ? [this.numbers()] : []),
      ...(this.hints < 2 ? [button(t(`puzzle.hint.${this.hints + 1}`), () => this.hint(), { sign: "hint" })] : []),
      button(t("puzzle.give_up"), () => this.showSolution(), { look: "quiet" }),
      button(t("puzzle.skip"), () => this.next(), { look: "quiet" }),
    ];
  }

  /** Makes the numbers to choose from. */
  numbers() {
    return h(
      "div",
      { class: "numbers", role: "group", "aria-label": t("puzzle.number") },
      this.puzzle.choices.map((number) => button(number, () => this.choose(number))),
    );
  }

  next() {
    const id = nextPuzzle(this.list.puzzles, this.kept, this.puzzle.id);
    if (id) this.go(`/puzzles/${this.puzzle.game}/${id}`);
  }

  drawSide() {
    const { kept, list, puzzle } = this;
    const solved = list.puzzles.filter(({ id }) => kept.solved.has(id)).length;
    this.side.replaceChildren(
      h(
        "dl",
        { class: "facts-row" },
        fact(t("puzzle.difficulty"), stars(puzzle.difficulty)),
        fact(t("puzzle.rating"), String(puzzle.rating)),
        fact(t("puzzle.your_rating"), String(kept.rating)),
        fact(t("puzzle.solved"), `${solved} / ${list.puzzles.length}`),
        kept.streak > 1 && fact(t("puzzle.streak"), String(kept.streak)),
      ),
      h(
        "div",
        { class: "fields" },
        this.filter("theme", { "": t("puzzle.any"), ...list.themes }),
        this.filter("difficulty", {
          "": t("puzzle.any"),
          ...Object.fromEntries([1, 2, 3, 4, 5].map((each) => [each, "●".repeat(each)])),
        }),
      ),
    );
    this.board.draw();
  }

  /**
   * @param {"theme" | "difficulty"} name
   * @param {Record<string, string>} choices texts by value
   */
  filter(name, choices) {
    const change = (/** @type {{currentTarget: HTMLSelectElement}} */ { currentTarget: { value } }) => {
      if (name === "difficulty") this.kept.filter.difficulty = Number(value);
      else this.kept.filter.theme = value;
      this.kept.store();
      const fits = nextPuzzle(this.list.puzzles, this.kept);
      if (!fits) this.say("bad", t("puzzle.no_fit"));
      else if (fits !== this.puzzle.id) this.go(`/puzzles/${this.puzzle.game}/${fits}`);
    };
    return h(
      "label",
      { class: "field" },
      h("span", {}, t(`puzzle.filter.${name}`)),
      h(
        "select",
        { change },
        Object.entries(choices).map(([value, text]) =>
          h("option", { value, selected: String(this.kept.filter[name] || "") === value }, text),
        ),
      ),
    );
  }
}

/**
 * @param {string} name
 * @param {Child} value
 */
const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));

/** @param {number} difficulty from 1 to 5 */
const stars = (difficulty) =>
  h(
    "span",
    { role: "img", "aria-label": t("puzzle.of_five", { difficulty }) },
    "●".repeat(difficulty) + "○".repeat(5 - difficulty),
  );
