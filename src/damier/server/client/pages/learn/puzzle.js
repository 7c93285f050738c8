/**
 * The page of puzzles: one after the other, with the solution played out, a streak, and filters.
 *
 * @import { ActionData, DrawingData, GameData, MomentState, PlayState, PuzzleData, PuzzleList, PuzzleVerdictData } from "../../net/wire.d.ts"
 * @import { Go, Line, OpenPage } from "../../types.d.ts"
 * @import { Child } from "../../ui/dom-types.d.ts"
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

const PAUSE = 700;

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
  isFirstTry = true;
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
    page.className = `match puzzle ${drawing.view}`;
    page.replaceChildren(
      h("section", { class: "table" }, this.status, this.board.place, this.board.under),
      h(
        "aside",
        { class: "side" },
        h("header", { class: "match-title" }, h("h1", {}, t("puzzle.title", { game: game.title }))),
        this.verdict,
        this.side,
        this.board.typed,
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

  begin() {
    this.actions = [];
    this.phase = "asked";
    this.state = this.first;
    this.board.show(this.state, { canAct: true, isBack: true });
    this.say("", t("puzzle.begin"));
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
  drawStatus({ captions }) {
    const look = this.drawing.looks[this.first.mover];
    this.status.replaceChildren(
      ...(look ? [smallPiece(look)] : []),
      h("div", {}, h("p", { class: "now" }, this.puzzle.task), h("p", { class: "soft" }, captions.join(" · "))),
    );
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

  /** @param {PuzzleVerdictData} verdict */
  async solved({ sentence }) {
    this.phase = "solved";
    if (this.isFirstTry && !this.kept.solved.has(this.puzzle.id)) this.kept.streak += 1;
    this.kept.solved.add(this.puzzle.id);
    this.kept.store();
    await this.show({ canAct: false });
    this.say("good", sentence);
    speak(sentence);
    sound("end");
    this.drawSide();
  }

  /** @param {PuzzleVerdictData} verdict */
  async wrong({ sentence, refutation }) {
    this.phase = "wrong";
    this.isFirstTry = false;
    this.kept.streak = 0;
    this.kept.store();
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
    const states = (await post("lines/states", this.line([...this.actions, ...actions]))).states.slice(
      this.actions.length,
    );
    for (const [i, state] of states.entries()) {
      if (this.isClosed) return;
      this.board.show(state);
      this.drawStatus(state);
      if (i < states.length - 1) await new Promise((done) => setTimeout(done, isStill() ? PAUSE / 3 : PAUSE));
    }
    this.actions.push(...actions);
  }

  async showSolution() {
    const { phase } = this;
    this.phase = "shown";
    if (phase !== "solved") {
      this.isFirstTry = false;
      this.kept.streak = 0;
      this.kept.store();
    }
    const { line } = await get(`puzzles/${this.puzzle.game}/${this.puzzle.id}/solution`);
    this.actions = [];
    this.say("", t("puzzle.solution", { line: line.join(" ") }));
    await this.playOut(line);
    this.drawSide();
    this.board.draw();
  }

  // Around it --------------------------------------------------------------------------------------------------------

  /** Makes the buttons under the board. */
  after() {
    const again = button(t("puzzle.retry"), () => this.begin(), { sign: "again" });
    if (this.phase === "solved")
      return [
        button(t("puzzle.next"), () => this.next(), { look: "main", sign: "on" }),
        button(t("puzzle.see"), () => this.showSolution()),
      ];
    if (this.phase === "wrong")
      return [
        button(t("puzzle.retry"), () => this.begin(), { look: "main", sign: "again" }),
        button(t("puzzle.give_up"), () => this.showSolution()),
      ];
    if (this.phase === "shown")
      return [button(t("puzzle.next"), () => this.next(), { look: "main", sign: "on" }), again];
    return [
      button(t("puzzle.give_up"), () => this.showSolution(), { look: "quiet" }),
      button(t("puzzle.skip"), () => this.next(), { look: "quiet" }),
    ];
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
        fact(t("puzzle.solved"), `${solved} / ${list.puzzles.length}`),
        fact(t("puzzle.streak"), String(kept.streak)),
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
