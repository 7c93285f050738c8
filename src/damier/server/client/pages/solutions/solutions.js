/** What is known exactly of the games: a list, and a page for each game. */

import { Board } from "../../board/board.js";
import { LinePlayer } from "../../board/line-player.js";
import { drawing, example, get } from "../../net/api.js";
import { t } from "../../net/language.js";
import { button, h, styles } from "../../ui/dom.js";
import { address, number, optionsText, percent, plies, powerOfTen, size, tiny } from "../../ui/format.js";
import { costs, estimate, firstActions, firstRolls, onlyOnes, returnsPart } from "./parts.js";
import { chancePlot, checking, distancePlot, fileFacts, tierTable } from "./table-file.js";

export async function open(page, { argument: name, go }) {
  const [known] = await Promise.all([
    get(name ? `solutions/${encodeURIComponent(name)}` : "solutions"),
    styles("solutions"),
  ]);
  page.className = "solutions";
  if (!name) return overview(page, known);
  const found = known.solutions.find((each) => each.table && isChosen(each, known.usual)) ?? known.solutions[0];
  document.title = `${known.title} · ${t("nav.solutions")} · damier`;
  return found.table ? new SolutionPage(page, known, found, go).ready() : unsolved(page, known, found, go);
}

/** Whether the address names the options of a solution; without any, those are meant that are as usual. */
function isChosen({ options }, usual) {
  const given = new URLSearchParams(location.search);
  return Object.entries(options).every(([name, value]) => (given.get(name) ?? String(usual[name])) === String(value));
}

// The list ------------------------------------------------------------------------------------------------------------

function overview(page, known) {
  document.title = `${t("nav.solutions")} · damier`;
  page.replaceChildren(
    h(
      "header",
      { class: "solutions-head" },
      h("h1", {}, t("solutions.title")),
      h("p", { class: "lead" }, t("solutions.intro")),
    ),
    h("div", { class: "solution-cards" }, known.map(card)),
  );
}

function card(game) {
  const [first, ...others] = game.solutions.filter(({ value }) => value);
  const link = `/solutions/${game.game}`;
  return h(
    "article",
    { class: "card solution-card" },
    exampleBoard(game.game),
    h("h2", {}, h("a", { href: link }, game.title)),
    h("p", { class: "verdict" }, first ? verdict(game, first) : t("solutions.unsolved.short")),
    first
      ? h("p", { class: "soft" }, t("solutions.entries", { count: number(first.entries), size: size(first.bytes) }))
      : game.solutions.map(({ positions }) =>
          h("p", { class: "soft" }, t("solutions.positions", { count: powerOfTen(positions) })),
        ),
    first ? badge(first, game.usual) : h("p", { class: "badge-line" }, sign("open"), t("solutions.badge.unsolved")),
    others.map((each) => badge(each, game.usual)),
    h(
      "p",
      { class: "card-links" },
      h("a", { href: link, class: "go" }, t(first ? "solutions.more" : "solutions.more.unsolved")),
      h("a", { href: `/explore/${game.game}`, class: "quiet-link" }, t("solutions.explore")),
    ),
  );
}

/** A board in the middle of a game. */
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

const sign = (kind) => h("span", { class: `sign-${kind}`, "aria-hidden": "true" });

function badge({ options, verified, repetition }, usual) {
  const which = optionsText(options, usual);
  const kind = !verified ? "open" : repetition === "forbidden" ? "half" : "full";
  const said = t(`solutions.badge.${kind}`);
  return h(
    "p",
    { class: "badge-line" },
    sign(kind),
    which ? t("solutions.badge.of", { options: which, badge: said }) : said,
  );
}

/** How the game ends, in one sentence. */
function verdict(game, { value, player, chance, repetition, metric }) {
  const name = game.players[player];
  if (metric === "probability") return t("solutions.verdict.chance", { player: name, percent: percent(chance, 2) });
  const by = repetition === "forbidden" ? ".table" : "";
  if (value.outcome === "draw") return t(`solutions.verdict.draw${by}`);
  const others = Object.keys(game.players).filter((each) => each !== player);
  return t(`solutions.verdict.${value.outcome}${by}`, {
    player: value.outcome === "win" ? name : game.players[others[0]],
    plies: plies(value.plies),
  });
}

// A game that is solved -----------------------------------------------------------------------------------------------

class SolutionPage {
  players = [];

  constructor(page, known, data, go) {
    Object.assign(this, { page, known, data, go, game: known.game, options: data.options });
  }

  async ready() {
    this.drawing = await drawing(this.game, this.options);
    const { data } = this;
    this.page.replaceChildren(
      h(
        "header",
        { class: "solutions-head" },
        h("p", { class: "crumb" }, h("a", { href: "/solutions" }, t("nav.solutions"))),
        h("h1", {}, this.known.title),
        h("p", { class: "lead" }, this.known.summary),
        this.#others(),
      ),
      this.#section("known", this.#knownPart()),
      this.#section("first", data.rolls ? firstRolls(this) : firstActions(this)),
      data.longest_wins?.lines.length ? this.#section("longest", this.#longest()) : "",
      data.returns ? this.#section("returns", returnsPart(this)) : "",
      this.#section("positions", this.#positions()),
      data.only ? this.#section("only", onlyOnes(this)) : "",
      data.cost ? this.#section("cost", costs(this)) : "",
      this.#section("table", fileFacts(data)),
      this.#section("check", checking(data)),
    );
    return () => this.players.forEach((player) => player.close());
  }

  #section(name, content) {
    return h(
      "section",
      { class: `part part-${name}`, "aria-labelledby": `part-${name}` },
      h("h2", { id: `part-${name}` }, t(`solutions.part.${name}`)),
      content,
    );
  }

  /** The same game with other options. */
  #others() {
    const solved = this.known.solutions.filter((each) => each.table);
    if (solved.length < 2) return "";
    const usual = Object.fromEntries(
      Object.entries(this.known.usual).filter(([name]) =>
        solved.every((each) => each.options[name] === this.known.usual[name]),
      ),
    );
    return h(
      "nav",
      { class: "which", "aria-label": t("solutions.which") },
      solved.map((each) => {
        const given = Object.fromEntries(
          Object.entries(each.options).filter(([name, value]) => this.known.usual[name] !== value),
        );
        return h(
          "a",
          { href: address(`/solutions/${this.game}`, given), "aria-current": each === this.data ? "page" : null },
          optionsText(each.options, usual),
        );
      }),
    );
  }

  /** A player of lines that ends with the page. */
  linePlayer(title) {
    const player = new LinePlayer(this.drawing, { game: this.game, options: this.options, title });
    this.players.push(player);
    return player;
  }

  explore(more) {
    const given = Object.fromEntries(
      Object.entries(this.options).filter(([name, value]) => this.known.usual[name] !== value),
    );
    return address(`/explore/${this.game}`, given, more);
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
      data.line ? [h("h3", {}, t("solutions.line")), this.#line(data.line, t("solutions.line"))] : "",
    ];
  }

  #certainty() {
    const { data } = this;
    const found = [
      data.verified
        ? ["full", t("solutions.verified", { entries: number(data.verified.entries) })]
        : ["open", t("solutions.unverified")],
    ];
    if (data.error !== undefined) {
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
    for (const { options, entries, memory } of data.open)
      found.push([
        "open",
        t(entries ? "solutions.open.large" : "solutions.open", {
          options: optionsText(options),
          entries: number(entries ?? 0),
          memory: size(memory ?? 0),
        }),
      ]);
    return found;
  }

  #line(line, title) {
    const player = this.linePlayer(title);
    player.show(line);
    return player.element;
  }

  #longest() {
    const { plies: far, positions, lines } = this.data.longest_wins;
    const player = this.linePlayer(t("solutions.part.longest"));
    const choose = (i) => {
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
        t(positions === 1 ? "solutions.longest.one" : "solutions.longest", {
          plies: plies(far),
          count: number(positions),
        }),
      ),
      h("p", { class: "soft" }, t("solutions.longest.how")),
      h("div", { class: "buttons tabs" }, tabs),
      player.element,
    ];
  }

  #positions() {
    const { data } = this;
    if (data.parts)
      return [h("p", { class: "soft" }, t("solutions.positions.chance")), chancePlot(data), tierTable(data)];
    const sums = ["won", "drawn", "lost", "over"].map((kind) => [
      kind,
      data.tiers.reduce((sum, tier) => sum + tier[kind], 0),
    ]);
    const whole = sums.reduce((sum, [, count]) => sum + count, 0);
    return [
      h("p", { class: "soft" }, t("solutions.positions.how")),
      h("p", {}, t("solutions.positions.all", { count: number(whole) })),
      h(
        "div",
        { class: "share-bar", "aria-hidden": "true" },
        sums.map(([kind, count]) => shareOf(kind, count / whole)),
      ),
      h(
        "ul",
        { class: "share-list" },
        sums.map(([kind, count]) =>
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
      tierTable(data),
    ];
  }
}

function shareOf(kind, share) {
  const part = h("span", { class: kind });
  part.style.flexGrow = share;
  return part;
}

// One that is not -----------------------------------------------------------------------------------------------------

async function unsolved(page, known, { positions, symmetries }, go) {
  const guess = h("div", { class: "estimate" });
  const drawn = await drawing(known.game, {});
  const about = {
    game: known.game,
    options: {},
    drawing: drawn,
    go,
    explore: (more) => address(`/explore/${known.game}`, {}, more),
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
