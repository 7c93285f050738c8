/**
 * The lobby: play now, seeks and challenges of others and one's own, what is played now. It is made for the case that
 * nobody else is there: then it says what to do instead.
 *
 * @import { GameData, SeekData } from "../../net/wire.d.ts"
 * @import { Go, OpenPage } from "../../types.d.ts"
 */

import { allGames, newMatch } from "../../net/api.js";
import { t } from "../../net/language.js";
import { followLobby, liveSeek, lobbyState, makeSeek, onDeclined, onPaired, ownSeeks } from "../../net/lobby.js";
import { button, h, places, sentenceOf, styles } from "../../ui/dom.js";
import { speak } from "../../ui/speak.js";
import { seatsOf, usualLevel } from "../../ui/start/new-match.js";
import { showWaiting } from "../../ui/seeking/waiting.js";
import { NowPlaying } from "./now-playing.js";
import { playNow } from "./play-now.js";
import { seekDialog } from "./seek-dialog.js";
import { seekRow, waitingCard } from "./seek-rows.js";
import { weeklyCard } from "./weekly.js";
import { wishFold } from "./wishes.js";

const PLACES = /** @type {const} */ ([
  "counts",
  "challenges",
  "waiting",
  "now",
  "open",
  "mine",
  "weekly",
  "playing",
  "wishes",
]);

/** @type {OpenPage} */
export async function open(page, { go }) {
  const [games] = await Promise.all([allGames(), styles("online/lobby")]);
  document.title = `${t("lobby.title")} · damier`;
  const at = places(PLACES, "lobby-");
  const problem = h("p", { class: "problem", role: "alert" });
  const act = async (/** @type {() => Promise<unknown>} */ work) => {
    problem.textContent = "";
    try {
      await work();
    } catch (error) {
      problem.textContent = sentenceOf(error);
      problem.scrollIntoView({ block: "nearest" });
    }
  };
  page.className = "lobby";
  page.replaceChildren(
    h("div", { class: "lobby-head" }, h("h1", {}, t("lobby.title")), at.counts),
    problem,
    at.challenges,
    at.waiting,
    at.now,
    at.open,
    at.mine,
    at.weekly,
    at.playing,
    at.wishes,
    h(
      "footer",
      { class: "page-foot" },
      h("a", { href: "/matches", class: "quiet-link" }, t("matches.title")),
      " ",
      h("a", { href: "/tournaments", class: "quiet-link" }, t("tournaments.title")),
      " ",
      h("a", { href: "/leaderboard", class: "quiet-link" }, t("ratings.leaderboard")),
    ),
  );
  at.now.append(
    playNow(games, (seek) =>
      act(async () => {
        const { seek: made } = await makeSeek(seek);
        if (made?.is_live) showWaiting(go);
      }),
    ),
  );
  at.wishes.append(wishFold(games));
  const parts = new Parts(at, games, act, go);
  const playing = new NowPlaying(at.playing, games);
  const draw = () => {
    const state = lobbyState();
    if (!state) return;
    parts.draw();
    playing.show(state.playing);
    at.weekly.replaceChildren(...weeklyCard(state.weekly));
  };
  const stops = [
    followLobby(draw),
    onPaired((match) => go(`/m/${match}`)),
    onDeclined((name) => {
      problem.textContent = t("lobby.declined", { name });
    }),
  ];
  const rival = new URLSearchParams(location.search).get("challenge");
  if (rival) {
    history.replaceState(history.state, "", "/lobby"); // a reload does not ask again
    seekDialog(games, "challenge", go, rival);
  }
  const ticking = setInterval(() => at.weekly.replaceChildren(...weeklyCard(lobbyState()?.weekly ?? null)), 30_000);
  return () => {
    clearInterval(ticking);
    stops.forEach((stop) => stop());
  };
}

/** @param {Element | null} element */
const nameOf = (element) => element?.getAttribute("aria-label") ?? element?.textContent ?? "";

/** The parts of the page that follow the seeks; each is drawn again only when what it shows has changed. */
class Parts {
  /** @type {Map<HTMLElement, string>} */
  #drawn = new Map();
  #known = 0;

  /**
   * @param {Record<(typeof PLACES)[number], HTMLElement>} at
   * @param {GameData[]} games
   * @param {(work: () => Promise<unknown>) => Promise<void>} act
   * @param {Go} go
   */
  constructor(at, games, act, go) {
    this.at = at;
    this.games = games;
    this.act = act;
    this.go = go;
  }

  draw() {
    const { seeks, counts } = lobbyState() ?? { seeks: [], counts: { people: 0, matches: 0, seeks: {} } };
    const { seeks: mine, challenges } = ownSeeks();
    const own = new Set(mine.map(({ number }) => number));
    const others = seeks.filter(({ number }) => !own.has(number));
    const live = liveSeek();
    const waiting = live?.kind === "open" ? live : undefined; // the others are among one's own
    this.#put(this.at.counts, counts, () => [
      h(
        "p",
        { class: "soft" },
        t("lobby.people", { count: counts.people }),
        " · ",
        t("lobby.matches", { count: counts.matches }),
      ),
    ]);
    this.#put(this.at.challenges, challenges, () =>
      challenges.length ? this.#list(t("lobby.challenges"), challenges, "challenge") : [],
    );
    if (challenges.length > this.#known) speak(t("lobby.challenged"));
    this.#known = challenges.length;
    this.#put(this.at.waiting, waiting ?? null, () =>
      waiting ? [waitingCard(waiting, this.games, this.act, () => this.#playComputer(waiting.terms[0].game))] : [],
    );
    this.#put(this.at.open, others, () => this.#open(others));
    const stored = mine.filter((seek) => seek !== waiting);
    this.#put(this.at.mine, stored, () => (stored.length ? this.#list(t("lobby.mine"), stored, "mine") : []));
  }

  /**
   * @param {HTMLElement} place
   * @param {unknown} shown
   * @param {() => Node[]} make
   */
  #put(place, shown, make) {
    const text = JSON.stringify(shown);
    if (this.#drawn.get(place) === text) return;
    this.#drawn.set(place, text);
    const focused = place.contains(document.activeElement) ? nameOf(document.activeElement) : null;
    place.replaceChildren(...make());
    if (focused === null) return;
    const again = [...place.querySelectorAll("button, a, summary")].find((each) => nameOf(each) === focused);
    if (again instanceof HTMLElement) again.focus();
  }

  /**
   * @param {string} title
   * @param {SeekData[]} seeks
   * @param {"open" | "mine" | "challenge"} kind
   */
  #list(title, seeks, kind) {
    return [
      h(
        "section",
        { class: "panel" },
        h("h2", {}, title),
        h(
          "ul",
          { class: "seeks" },
          seeks.map((seek) => seekRow(seek, kind, this.games, this.act, this.go)),
        ),
      ),
    ];
  }

  /** @param {SeekData[]} others */
  #open(others) {
    const actions = h(
      "div",
      { class: "buttons" },
      button(t("lobby.leave_seek"), () => seekDialog(this.games, "open", this.go), { sign: "plus" }),
      button(t("lobby.friend"), () => seekDialog(this.games, "link", this.go), { sign: "share" }),
      button(t("lobby.computer"), () => this.act(() => this.#playComputer(this.games[0].name)), { sign: "play" }),
    );
    const list = others.length
      ? h(
          "ul",
          { class: "seeks" },
          others.map((seek) => seekRow(seek, "open", this.games, this.act, this.go)),
        )
      : h("p", { class: "invite-text" }, t("lobby.empty"));
    return [h("section", { class: "panel" }, h("h2", {}, t("lobby.open")), list, actions)];
  }

  /** @param {string} name of the game */
  async #playComputer(name) {
    const game = this.games.find((each) => each.name === name) ?? this.games[0];
    const seats = seatsOf(game, { options: {}, who: "computer", level: usualLevel(game), side: 0 });
    const given = await newMatch(game.name, {}, seats);
    await this.go(`/m/${given.number}`, given);
  }
}
