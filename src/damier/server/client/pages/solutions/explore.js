/** The explorer: from any position, what every action is worth and how best play goes on. */

import { heatOf } from "../../board/heat.js";
import { PlayBoard } from "../../board/play-board.js";
import { stackList } from "../../board/stacks.js";
import { allGames, drawing, get, post } from "../../net/api.js";
import { t } from "../../net/language.js";
import { isStill } from "../../net/settings.js";
import { button, h, styles } from "../../ui/dom.js";
import { address, optionsText } from "../../ui/format.js";
import { speak } from "../../ui/speak.js";
import { tableBox } from "../../ui/table-box.js";
import { better } from "../../ui/values.js";
import { BestLine } from "./best-line.js";
import { bestLinePart, countsPart, embedPart, listPart, pathPart, verdictPart } from "./explore-parts.js";

const PAUSE = 900;

export async function open(page, { argument: name, go }) {
  const [games, known] = await Promise.all([
    allGames(),
    get(`solutions/${encodeURIComponent(name)}`),
    styles("solutions"),
  ]);
  const game = games.find((each) => each.name === name);
  if (!game) throw new Error(t("error.page"));
  const given = new URLSearchParams(location.search);
  const options = Object.fromEntries(
    game.options
      .filter((option) => given.has(option.name))
      .map((option) => [
        option.name,
        option.type === "integer" ? Number(given.get(option.name)) : given.get(option.name),
      ]),
  );
  const solution = known.solutions.find((each) => each.table && isSame(each.options, { ...known.usual, ...options }));
  const explorer = new Explorer(page, game, await drawing(name, options), {
    options,
    solution,
    start: given.get("position") || null,
    actions: split(given.get("actions")),
    go,
  });
  await explorer.load();
  return () => explorer.close();
}

const isSame = (some, others) => Object.entries(some).every(([name, value]) => String(others[name]) === String(value));
const split = (text) => (text ?? "").split(",").filter(Boolean);

class Explorer {
  state = { pieces: [], marks: {}, actions: [], captions: [] };
  values = null;
  best = null;
  #visit = 0;
  #timer;
  #good;

  constructor(page, game, drawn, { options, solution, start, actions, go }) {
    Object.assign(this, { game, options, solution, start, actions, go, drawing: drawn });
    this.bestLine = new BestLine();
    this.board = new PlayBoard(drawn, {
      title: game.title,
      play: ({ action }) => this.goOn([action]),
      why: (what) => post("lines/why", { ...this.line(), ...what }),
    });
    document.title = `${t("explore.title")}: ${game.title} · damier`;
    this.#build(page);
  }

  close() {
    this.#visit++;
    this.#halt();
    this.bestLine.close();
    this.board.close();
  }

  line(actions = this.actions) {
    return { game: this.game.name, options: this.options, start: this.start, actions };
  }

  #build(page) {
    this.parts = Object.fromEntries(
      ["path", "verdict", "counts", "best", "table-box", "list", "stacks", "embed"].map((name) => [
        name,
        h("div", { class: `explore-${name} ${name}` }),
      ]),
    );
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
          h("p", { class: "soft" }, optionsText(this.options)),
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
    const submit = async (event) => {
      event.preventDefault();
      const start = input.value.trim() || null;
      try {
        await post("lines/state", { ...this.line([]), start });
      } catch (error) {
        problem.textContent = error.message;
        return;
      }
      problem.textContent = "";
      Object.assign(this, { start, actions: [] });
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

  /** Plays actions from here. */
  goOn(actions) {
    return this.goTo([...this.actions, ...actions]);
  }

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
    const usual = Object.fromEntries(this.game.options.map((option) => [option.name, option.default]));
    const given = Object.fromEntries(Object.entries(this.options).filter(([name, value]) => usual[name] !== value));
    history.replaceState(
      null,
      "",
      address(`/explore/${this.game.name}`, given, { position: this.start, actions: this.actions.join(",") }),
    );
    Object.assign(this, { state, values: null, best: null });
    this.board.show(state, { canAct: !state.result, isBack });
    this.board.board.heat(new Map());
    this.#draw();
    if (state.result) return void speak(state.result.sentence);
    await this.#judge(mine);
  }

  /** Stays where one is and says why one cannot go on; a line of the table may return where the rules forbid it. */
  #refused(mine, error) {
    if (mine !== this.#visit) return;
    if (!this.#good) throw error;
    this.actions = this.#good;
    this.#halt();
    this.load(true);
    this.board.say(error.message);
  }

  async #judge(mine) {
    this.parts.verdict.replaceChildren(h("p", { class: "soft" }, t("values.wait")));
    try {
      const values = await post("lines/values", this.line());
      if (mine !== this.#visit) return;
      this.values = values;
    } catch (error) {
      if (mine === this.#visit) this.parts.verdict.replaceChildren(h("p", { class: "problem" }, error.message));
      return;
    }
    this.board.showValues(this.values);
    this.board.board.heat(heatOf(this.state.actions, this.values) ?? new Map());
    this.#draw();
    if (this.state.mover === "chance") return;
    if (!this.#timer) speak(this.parts.verdict.textContent);
    this.bestLine.ask(this.line(), (answer) => mine === this.#visit && this.#hear(answer));
    if (!this.values.is_exact)
      tableBox(
        this.parts["table-box"],
        { game: this.game.name, options: this.options },
        () => mine === this.#visit && this.load(),
      );
  }

  #hear({ lines, error }) {
    if (error || !lines?.length) return;
    this.best = lines[0].actions;
    this.#drawBest();
  }

  // Drawing ------------------------------------------------------------------------------------------------------------

  /** The actions with their values, the best first. */
  get ordered() {
    return this.values ? Object.entries(this.values.values).sort(([, a], [, b]) => better(a, b)) : [];
  }

  #draw() {
    const { parts, drawing: drawn, state } = this;
    parts.path.replaceChildren(...pathPart(this));
    parts.verdict.replaceChildren(...verdictPart(this));
    parts.counts.replaceChildren(...countsPart(this));
    parts.list.replaceChildren(...listPart(this));
    parts.embed.replaceChildren(...embedPart(this));
    parts["table-box"].replaceChildren();
    this.board.typed.hidden = Boolean(state.result);
    if (drawn.view === "isometric")
      stackList(parts.stacks, drawn, state, this.board.board, (cell) => this.board.choose(cell));
    this.#drawBest();
  }

  #drawBest() {
    this.parts.best.replaceChildren(...bestLinePart(this, Boolean(this.#timer)));
  }

  // Playing out --------------------------------------------------------------------------------------------------------

  /** Plays the best line action by action, or stops doing so. */
  playOut() {
    if (this.#timer) {
      this.#halt();
      return this.#drawBest();
    }
    const rest = [...(this.best ?? [])];
    const step = () => {
      const action = rest.shift();
      if (action === undefined) return this.playOut();
      this.goTo([...this.actions, action], false);
    };
    this.#timer = setInterval(step, isStill() ? PAUSE * 1.5 : PAUSE);
    return step();
  }

  #halt() {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  restart() {
    return button(t("explore.start"), () => this.goTo([]), {
      sign: "first",
      look: "step",
      disabled: !this.actions.length,
    });
  }
}
