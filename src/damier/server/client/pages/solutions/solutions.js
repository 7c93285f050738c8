/**
 * What is known exactly of the games: a list, and a page for each game.
 *
 * @import { ChanceSolution, ChanceSummary, DrawingData, GameData, GameSolutions, OutcomeSolution, OutcomeSummary,
 *   SolutionSummaries, UnsolvedGame } from "../../net/wire.d.ts"
 * @import { ShownLine } from "../../board/line-player.js"
 * @import { Go, OpenPage, OptionData, OptionValues } from "../../types.d.ts"
 * @import { Child } from "../../ui/dom-types.d.ts"
 * @typedef {"full" | "half" | "open"} Certainty
 */

import { Board } from "../../board/board.js";
import { LinePlayer } from "../../board/line-player.js";
import { allGames, drawing, example, gameNamed, get } from "../../net/api.js";
import { t } from "../../net/language.js";
import { button, h, styles } from "../../ui/dom.js";
import {
  address,
  changedOptions,
  number,
  optionsText,
  percent,
  plies,
  powerOfTen,
  size,
  tiny,
} from "../../ui/format.js";
import { costs, estimate, firstActions, firstRolls, onlyOnes, returnsPart } from "./parts.js";
import { chancePlot, checking, distancePlot, fileFacts, tierTable } from "./table-file.js";

/** @type {OpenPage} */
export async function open(page, { argument: name, go }) {
  if (!name) return overview(page);
  const [known, game] = await Promise.all([
    get(`solutions/${encodeURIComponent(name)}`),
    gameNamed(name),
    styles("solutions"),
  ]);
  page.className = "solutions";
  document.title = `${known.title} · ${t("nav.solutions")} · damier`;
  const solved = known.solutions.filter((each) => "table" in each);
  const found = solved.find((each) => isChosen(each.options, known.usual)) ?? known.solutions[0];
  if (!("table" in found)) return unsolved(page, known, found, go);
  const shown = new SolutionPage(page, { known, game, data: found, drawing: await drawing(name, found.options), go });
  return () => shown.close();
}

/**
 * Whether the address means a solution with these options; what it leaves out is as usual.
 *
 * @param {OptionValues} options
 * @param {OptionValues} usual
 */
function isChosen(options, usual) {
  const given = new URLSearchParams(location.search);
  return Object.entries(options).every(([name, value]) => (given.get(name) ?? String(usual[name])) === String(value));
}

// The list ------------------------------------------------------------------------------------------------------------

/** @param {HTMLElement} page */
async function overview(page) {
  const [known, games] = await Promise.all([get("solutions"), allGames(), styles("solutions")]);
  const optionsOf = Object.fromEntries(games.map(({ name, options }) => [name, options]));
  page.className = "solutions";
  document.title = `${t("nav.solutions")} · damier`;
  page.replaceChildren(
    h(
      "header",
      { class: "solutions-head" },
      h("h1", {}, t("solutions.title")),
      h("p", { class: "lead" }, t("solutions.intro")),
    ),
    h(
      "div",
      { class: "solution-cards" },
      known.map((game) => card(game, optionsOf[game.game] ?? [])),
    ),
  );
}

/**
 * @param {SolutionSummaries} game
 * @param {OptionData[]} declared
 */
function card(game, declared) {
  const [first, ...others] = game.solutions.filter((each) => "value" in each);
  const sizes = game.solutions.filter((each) => "positions" in each);
  const link = `/solutions/${game.game}`;
  return h(
    "article",
    { class: "card solution-card" },
    exampleBoard(game.game),
    h("h2", {}, h("a", { href: link }, game.title)),
    h("p", { class: "verdict" }, first ? verdict(game, first) : t("solutions.unsolved.short")),
    first
      ? h("p", { class: "soft" }, t("solutions.entries", { count: number(first.entries), size: size(first.bytes) }))
      : sizes.map(({ positions }) =>
          h("p", { class: "soft" }, t("solutions.positions", { count: powerOfTen(positions) })),
        ),
    first
      ? badge(first, game.usual, declared)
      : h("p", { class: "badge-line" }, sign("open"), t("solutions.badge.unsolved")),
    others.map((each) => badge(each, game.usual, declared)),
    h(
      "p",
      { class: "card-links" },
      h("a", { href: link, class: "go" }, t(first ? "solutions.more" : "solutions.more.unsolved")),
      h("a", { href: `/explore/${game.game}`, class: "quiet-link" }, t("solutions.explore")),
    ),
  );
}

/**
 * Makes a board in the middle of a game.
 *
 * @param {string} name
 */
function exampleBoard(name) {
  const place = h("div", { class: "card-board", "aria-hidden": "true" });
  example(name).then(
    ({ drawing: drawn, states }) => {
      const board = new Board(drawn, { coordinates: false });
      board.show(states[Math.floor(states.length * 0.6)]);
      place.append(board.element);
    },
    () => {},
  );
  return place;
}

/** @param {Certainty} kind */
const sign = (kind) => h("span", { class: `sign-${kind}`, "aria-hidden": "true" });

/**
 * @param {OutcomeSummary | ChanceSummary} summary
 * @param {OptionValues} usual
 * @param {OptionData[]} declared
 */
function badge({ options, verified, repetition }, usual, declared) {
  const which = optionsText(declared, changedOptions(declared, options, usual));
  const kind = !verified ? "open" : repetition === "forbidden" ? "half" : "full";
  const said = t(`solutions.badge.${kind}`);
  return h(
    "p",
    { class: "badge-line" },
    sign(kind),
    which ? t("solutions.badge.of", { options: which, badge: said }) : said,
  );
}

/**
 * Says how the game ends, in one sentence.
 *
 * @param {{players: Record<string, string>}} game
 * @param {OutcomeSummary | ChanceSummary | OutcomeSolution | ChanceSolution} solution
 */
function verdict(game, solution) {
  const { player, repetition } = solution;
  const name = game.players[player];
  if (solution.metric === "probability")
    return t("solutions.verdict.chance", { player: name, percent: percent(solution.chance, 2) });
  const { value } = solution;
  const by = repetition === "forbidden" ? ".table" : "";
  if (value.outcome === "draw") return t(`solutions.verdict.draw${by}`);
  const others = Object.keys(game.players).filter((each) => each !== player);
  return t(`solutions.verdict.${value.outcome}${by}`, {
    player: value.outcome === "win" ? name : game.players[others[0]],
    plies: plies(value.plies ?? 0),
  });
}

// A game that is solved -----------------------------------------------------------------------------------------------

class SolutionPage {
  /** @type {LinePlayer[]} which end with the page */
  players = [];

  /**
   * @param {HTMLElement} page
   * @param {{known: GameSolutions, game: GameData, data: OutcomeSolution | ChanceSolution, drawing: DrawingData, go: Go}} about
   */
  constructor(page, { known, game, data, drawing: drawn, go }) {
    this.known = known;
    this.declared = game.options;
    this.data = data;
    this.go = go;
    this.game = known.game;
    this.options = data.options;
    this.drawing = drawn;
    page.replaceChildren(
      h(
        "header",
        { class: "solutions-head" },
        h("p", { class: "crumb" }, h("a", { href: "/solutions" }, t("nav.solutions"))),
        h("h1", {}, known.title),
        h("p", { class: "lead" }, known.summary),
        this.#others(),
      ),
      this.#section("known", this.#knownPart()),
      ...(data.metric === "probability" ? this.#chanceParts(data) : this.#outcomeParts(data)),
      this.#section("table", fileFacts(data)),
      this.#section("check", checking(data)),
    );
  }

  close() {
    for (const player of this.players) player.close();
  }

  /** @param {OutcomeSolution} data */
  #outcomeParts(data) {
    const { longest_wins: longest, returns } = data;
    return [
      this.#section("first", firstActions(this, data.choices, data.repetition !== "forbidden")),
      ...(longest.lines.length ? [this.#section("longest", this.#longest(longest))] : []),
      ...(returns ? [this.#section("returns", returnsPart(this, data, returns))] : []),
      this.#section("positions", this.#positions(data)),
      this.#section("only", onlyOnes(this, data.only)),
    ];
  }

  /** @param {ChanceSolution} data */
  #chanceParts(data) {
    const positions = [
      h("p", { class: "soft" }, t("solutions.positions.chance")),
      chancePlot(data),
      tierTable(data, this.known.tier_names),
    ];
    return [
      this.#section("first", firstRolls(this, data.rolls)),
      this.#section("positions", positions),
      this.#section("cost", costs(this, data.cost)),
    ];
  }

  /**
   * @param {string} name
   * @param {Child} content
   */
  #section(name, content) {
    return h(
      "section",
      { class: `part part-${name}`, "aria-labelledby": `part-${name}` },
      h("h2", { id: `part-${name}` }, t(`solutions.part.${name}`)),
      content,
    );
  }

  /** Makes links to the same game with other options. */
  #others() {
    const solved = this.known.solutions.filter((each) => "table" in each);
    if (solved.length < 2) return "";
    // What differs in most solutions is always named, the rest only where it differs from the usual.
    const usual = Object.fromEntries(
      Object.entries(this.known.usual).filter(
        ([name, value]) => 2 * solved.filter((each) => each.options[name] !== value).length < solved.length,
      ),
    );
    return h(
      "nav",
      { class: "which", "aria-label": t("solutions.which") },
      solved.map((each) => {
        const given = changedOptions(this.declared, each.options, this.known.usual);
        return h(
          "a",
          { href: address(`/solutions/${this.game}`, given), "aria-current": each === this.data ? "page" : null },
          optionsText(this.declared, changedOptions(this.declared, each.options, usual)),
        );
      }),
    );
  }

  /**
   * Makes a player of lines that ends with the page.
   *
   * @param {string} title
   */
  linePlayer(title) {
    const player = new LinePlayer(this.drawing, { game: this.game, options: this.options, title });
    this.players.push(player);
    return player;
  }

  /**
   * Returns an address of the explorer.
   *
   * @param {Record<string, string>} more
   */
  explore(more = {}) {
    return address(`/explore/${this.game}`, changedOptions(this.declared, this.options, this.known.usual), more);
  }

  #knownPart() {
    const { data } = this;
    return [
      h("p", { class: "verdict" }, verdict(this.known, data)),
      h(
        "ul",
        { class: "certainty" },
        this.#certainty().map(([kind, text]) => h("li", {}, sign(kind), h("span", {}, text))),
      ),
      h(
        "p",
        { class: "buttons" },
        button(t("solutions.explore"), () => this.go(this.explore()), { look: "main" }),
      ),
      "line" in data && data.line && [h("h3", {}, t("solutions.line")), this.#line(data.line, t("solutions.line"))],
    ];
  }

  #certainty() {
    const { data } = this;
    /** @type {[Certainty, string][]} */
    const found = [
      data.verified
        ? ["full", t("solutions.verified", { entries: number(data.verified.entries) })]
        : ["open", t("solutions.unverified")],
    ];
    if (data.metric === "probability") {
      found.push(["full", t("solutions.error", { chance: number(data.chance, 7), error: tiny(data.error) })]);
      if (data.verified?.error)
        found.push(["full", t("solutions.error.rounded", { error: tiny(data.verified.error) })]);
      found.push(["full", t("solutions.lasts", { actions: number(data.actions, 1) })]);
    } else
      found.push(
        data.repetition === "forbidden"
          ? ["half", t("solutions.repetition.forbidden")]
          : ["full", t(`solutions.repetition.${data.repetition}`)],
      );
    for (const { options, entries, memory } of data.open ?? [])
      found.push([
        "open",
        t(entries ? "solutions.open.large" : "solutions.open", {
          options: optionsText(this.declared, options),
          entries: number(entries ?? 0),
          memory: size(memory ?? 0),
        }),
      ]);
    return found;
  }

  /**
   * @param {ShownLine} line
   * @param {string} title
   */
  #line(line, title) {
    const player = this.linePlayer(title);
    player.show(line);
    return player.element;
  }

  /** @param {OutcomeSolution["longest_wins"]} longest */
  #longest({ plies: far, positions, lines }) {
    const player = this.linePlayer(t("solutions.part.longest"));
    const choose = (/** @type {number} */ i) => {
      tabs.forEach((tab, j) => tab.setAttribute("aria-pressed", String(i === j)));
      player.show(lines[i]);
    };
    const tabs = lines.map((_, i) =>
      button(t("solutions.example", { number: i + 1 }), () => choose(i), { "aria-pressed": "false" }),
    );
    choose(0);
    return [
      h(
        "p",
        {},
        t("solutions.longest", {
          plies: plies(far),
          count: positions,
        }),
      ),
      h("p", { class: "soft" }, t("solutions.longest.how")),
      h("div", { class: "buttons tabs" }, tabs),
      player.element,
    ];
  }

  /** @param {OutcomeSolution} data */
  #positions(data) {
    const kinds = /** @type {const} */ (["won", "drawn", "lost", "over"]);
    const sums = kinds.map((kind) => ({ kind, count: data.tiers.reduce((sum, tier) => sum + tier[kind], 0) }));
    const whole = sums.reduce((sum, { count }) => sum + count, 0);
    return [
      h("p", { class: "soft" }, t("solutions.positions.how")),
      h("p", {}, t("solutions.positions.all", { count: number(whole) })),
      h(
        "div",
        { class: "share-bar", "aria-hidden": "true" },
        sums.map(({ kind, count }) => shareOf(kind, count / whole)),
      ),
      h(
        "ul",
        { class: "share-list" },
        sums.map(({ kind, count }) =>
          h(
            "li",
            { class: kind },
            h("b", {}, percent(count / whole)),
            h("span", {}, `${t(`solutions.${kind}`)} · ${number(count)}`),
          ),
        ),
      ),
      h("h3", {}, t("solutions.distances")),
      distancePlot(data),
      tierTable(data, this.known.tier_names),
    ];
  }
}

/**
 * @param {string} kind
 * @param {number} share
 */
function shareOf(kind, share) {
  const part = h("span", { class: kind });
  part.style.flexGrow = String(share);
  return part;
}

// One that is not -----------------------------------------------------------------------------------------------------

/**
 * @param {HTMLElement} page
 * @param {GameSolutions} known
 * @param {UnsolvedGame} facts
 * @param {Go} go
 */
async function unsolved(page, known, { positions, symmetries }, go) {
  const guess = h("div", { class: "estimate" });
  const drawn = await drawing(known.game, {});
  const about = {
    game: known.game,
    options: {},
    drawing: drawn,
    go,
    explore: (/** @type {Record<string, string>} */ more = {}) => address(`/explore/${known.game}`, {}, more),
  };
  page.replaceChildren(
    h(
      "header",
      { class: "solutions-head" },
      h("p", { class: "crumb" }, h("a", { href: "/solutions" }, t("nav.solutions"))),
      h("h1", {}, known.title),
      h("p", { class: "lead" }, known.summary),
    ),
    h(
      "section",
      { class: "part" },
      h("h2", {}, t("solutions.part.known")),
      h("p", { class: "verdict" }, t("solutions.unsolved.short")),
      h(
        "ul",
        { class: "certainty" },
        h(
          "li",
          {},
          sign("open"),
          h(
            "span",
            {},
            t("solutions.unsolved.why", {
              positions: powerOfTen(positions),
              count: number(positions / symmetries / 1e15),
              symmetries,
            }),
          ),
        ),
        h("li", {}, sign("half"), h("span", {}, t("solutions.unsolved.engine"))),
      ),
      h(
        "p",
        { class: "card-links" },
        h("a", { href: `/explore/${known.game}`, class: "go" }, t("solutions.explore")),
        h("a", { href: `/analyse/${known.game}`, class: "quiet-link" }, t("nav.analyse")),
      ),
    ),
    h(
      "section",
      { class: "part" },
      h("h2", {}, t("solutions.part.estimate")),
      h("p", { class: "soft" }, t("solutions.estimate.how")),
      guess,
    ),
  );
  estimate(guess, about);
}
