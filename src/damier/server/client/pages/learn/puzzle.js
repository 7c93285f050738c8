/** The page of puzzles: one after the other, with the solution played out, a streak, and filters. */

import { smallPiece } from "../../board/pieces.js";
import { PlayBoard } from "../../board/play-board.js";
import { allGames, drawing, get, post } from "../../net/api.js";
import { t } from "../../net/language.js";
import { isStill } from "../../net/settings.js";
import { button, h, styles } from "../../ui/dom.js";
import { embedBox } from "../../ui/embed-box.js";
import { play as sound } from "../../ui/sound.js";
import { speak } from "../../ui/speak.js";

const PAUSE = 700;
const KEPT = "damier.puzzles";

export async function open(page, { argument: name, second: number, go }) {
  const [games, list] = await Promise.all([allGames(), get(`puzzles/${name}`), styles("puzzle")]);
  const game = games.find((each) => each.name === name);
  document.title = `${t("puzzle.title", { game: game.title })} · damier`;
  if (!list.puzzles.length)
    return void page.replaceChildren(
      h("section", { class: "note" }, h("h1", {}, game.title), h("p", {}, t("puzzle.none"))),
    );
  const kept = new Kept(name);
  const wanted = number ?? next(list.puzzles, kept, kept.filter) ?? list.puzzles[0].id;
  if (!number) history.replaceState(null, "", `/puzzles/${name}/${wanted}`);
  const puzzle = await get(`puzzles/${name}/${encodeURIComponent(wanted)}`);
  const shown = new PuzzlePage(page, game, list, puzzle, await drawing(name, puzzle.options), kept, go);
  await shown.begin();
  return () => shown.close();
}

/** The first puzzle that fits and is not solved yet; if all are, any other. */
function next(puzzles, kept, { theme, difficulty }, after) {
  const fitting = puzzles.filter(
    (each) => (!theme || each.theme === theme) && (!difficulty || each.difficulty === difficulty),
  );
  const start = fitting.findIndex(({ id }) => id === after) + 1;
  const ordered = [...fitting.slice(start), ...fitting.slice(0, start)];
  return (ordered.find(({ id }) => !kept.solved.has(id)) ?? ordered[0])?.id;
}

/** What this browser remembers of the puzzles of a game. */
class Kept {
  constructor(name) {
    this.name = name;
    let all = {};
    try {
      all = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    } catch {
      /* nothing that we wrote */
    }
    const { solved = [], streak = 0, filter = {} } = all[name] ?? {};
    Object.assign(this, { solved: new Set(solved), streak, filter });
  }

  keep() {
    try {
      const all = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
      all[this.name] = { solved: [...this.solved], streak: this.streak, filter: this.filter };
      localStorage.setItem(KEPT, JSON.stringify(all));
    } catch {
      /* no room or not allowed: it is only remembered until the page is left */
    }
  }
}

class PuzzlePage {
  actions = [];
  isFirstTry = true;
  isClosed = false;

  constructor(page, game, list, puzzle, drawing, kept, go) {
    Object.assign(this, { game, list, puzzle, drawing, kept, go });
    this.board = new PlayBoard(drawing, {
      title: game.title,
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
          h("a", { href: `/analyse/${game.name}?${this.query()}` }, t("puzzle.analyse")),
          " · ",
          h("a", { href: `/rules/${game.name}` }, t("puzzle.rules")),
        ),
        embedBox(`/embed/puzzle/${game.name}/${puzzle.id}`, game.title),
      ),
    );
  }

  query() {
    return new URLSearchParams({ ...this.puzzle.options, position: this.puzzle.start });
  }

  close() {
    this.isClosed = true;
    this.board.close();
  }

  line(actions = this.actions) {
    return { game: this.puzzle.game, options: this.puzzle.options, start: this.puzzle.start, actions };
  }

  async begin() {
    this.actions = [];
    this.phase = "asked";
    await this.show({ canAct: true, isBack: true });
    this.say("", t("puzzle.begin"));
    this.solver ??= this.state.mover;
    this.drawStatus();
    this.drawSide();
  }

  async show({ canAct, isBack = false }) {
    this.state = await post("lines/state", this.line());
    if (!this.isClosed) this.board.show(this.state, { canAct: canAct && !this.state.result, isBack });
  }

  drawStatus() {
    const look = this.drawing.looks[this.solver];
    this.status.replaceChildren(
      ...[look && smallPiece(look)].filter(Boolean),
      h(
        "div",
        {},
        h("p", { class: "now" }, this.puzzle.task),
        h("p", { class: "soft" }, this.state.captions.join(" · ")),
      ),
    );
  }

  /** The sentence of a verdict: how it looks, and what it says. */
  say(kind, text) {
    this.verdict.className = `verdict ${kind}`;
    this.verdict.textContent = text;
  }

  // Answering --------------------------------------------------------------------------------------------------------

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
      this.board.say(error.message);
      await this.show({ canAct: true, isBack: true });
    }
  }

  async right({ reply }) {
    this.say("", t(reply.length ? "puzzle.on" : "puzzle.on_turn"));
    await this.playOut(reply);
    if (!this.isClosed) await this.show({ canAct: true });
  }

  async solved({ sentence }) {
    this.phase = "solved";
    if (this.isFirstTry && !this.kept.solved.has(this.puzzle.id)) this.kept.streak += 1;
    this.kept.solved.add(this.puzzle.id);
    this.kept.keep();
    await this.show({ canAct: false });
    this.say("good", sentence);
    speak(sentence);
    sound("end");
    this.drawSide();
  }

  async wrong({ sentence, refutation }) {
    this.phase = "wrong";
    this.isFirstTry = false;
    this.kept.streak = 0;
    this.kept.keep();
    this.say("bad", sentence);
    speak(sentence);
    await this.playOut(refutation);
    this.drawSide();
  }

  /** Plays some actions one after the other, so that one can follow them. */
  async playOut(actions) {
    const states = (await post("lines/states", this.line([...this.actions, ...actions]))).states.slice(
      this.actions.length,
    );
    for (const [i, state] of states.entries()) {
      if (this.isClosed) return;
      this.board.show({ actions: [], ...state });
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
      this.kept.keep();
    }
    const { line } = await get(`puzzles/${this.puzzle.game}/${this.puzzle.id}/solution`);
    this.actions = [];
    this.say("", t("puzzle.solution", { line: line.join(" ") }));
    await this.playOut(line);
    this.drawSide();
    this.board.draw();
  }

  // Around it --------------------------------------------------------------------------------------------------------

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
    const id = next(this.list.puzzles, this.kept, this.kept.filter, this.puzzle.id);
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

  filter(name, choices) {
    const change = ({ target }) => {
      this.kept.filter[name] = name === "difficulty" ? Number(target.value) : target.value;
      this.kept.keep();
      const fits = next(this.list.puzzles, this.kept, this.kept.filter);
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

const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));

const stars = (difficulty) =>
  h(
    "span",
    { role: "img", "aria-label": t("puzzle.of_five", { difficulty }) },
    "●".repeat(difficulty) + "○".repeat(5 - difficulty),
  );
