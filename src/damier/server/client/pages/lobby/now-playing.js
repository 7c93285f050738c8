/**
 * Now playing: the best match of each game with its board, and a list of all matches that may be watched.
 *
 * @import { GameData, LobbyState, PlayingData } from "../../net/wire.d.ts"
 */

import { Board } from "../../board/board.js";
import { drawing, get } from "../../net/api.js";
import { t } from "../../net/language.js";
import { button, h, sentenceOf } from "../../ui/dom.js";
import { clockText } from "../../ui/seeking/time-controls.js";
import { matchRow } from "../matches/match-rows.js";

export class NowPlaying {
  /** @type {Map<string, {number: string, card: HTMLElement, show: (match: PlayingData) => void}>} by game */
  #cards = new Map();

  /**
   * @param {HTMLElement} place
   * @param {GameData[]} games
   */
  constructor(place, games) {
    this.games = games;
    this.list = h("ul", { class: "now-boards" });
    this.none = h("p", { class: "soft" }, t("lobby.playing.none"));
    place.replaceChildren(
      h("section", { class: "panel" }, h("h2", {}, t("lobby.playing")), this.none, this.list, watchFold(games)),
    );
  }

  /** @param {LobbyState["playing"]} playing */
  show(playing) {
    for (const [game, { card }] of this.#cards) {
      if (playing[game]) continue;
      card.remove();
      this.#cards.delete(game);
    }
    for (const match of Object.values(playing)) {
      let shown = this.#cards.get(match.game);
      if (shown?.number !== match.number) {
        const fresh = { number: match.number, ...this.#card(match) };
        if (shown) shown.card.replaceWith(fresh.card);
        else this.list.append(fresh.card);
        shown = fresh;
        this.#cards.set(match.game, fresh);
      }
      shown.show(match);
    }
    this.none.hidden = this.#cards.size > 0;
  }

  /** @param {PlayingData} match */
  #card(match) {
    const title = this.games.find(({ name }) => name === match.game)?.title ?? match.game;
    const place = h("div", { class: "mini-board", "aria-hidden": "true" });
    const turn = h("span", { class: "soft" });
    const names = match.names.map((name, i) => {
      const rating = match.ratings[i];
      return rating ? `${name} (${rating.value})` : name;
    });
    const card = h(
      "li",
      {},
      h(
        "a",
        { href: `/m/${match.number}` },
        place,
        h("b", {}, title),
        h("span", {}, names.join(" – ")),
        h("span", { class: "soft" }, clockText(match.clock)),
        turn,
      ),
    );
    /** @type {Board | undefined} */
    let board;
    let last = match;
    const show = (/** @type {PlayingData} */ now) => {
      last = now;
      turn.textContent = t("lobby.playing.turn", { count: now.turn + 1 });
      board?.show({ pieces: now.pieces, marks: now.marks });
    };
    drawing(match.game, match.options).then((found) => {
      board = new Board(found, { coordinates: false });
      place.replaceChildren(board.element);
      show(last);
    }, console.error);
    return { card, show };
  }
}

/** @param {GameData[]} games */
function watchFold(games) {
  const list = h("ul", { class: "match-rows" });
  const status = h("p", { class: "soft", role: "status" });
  const more = button(t("matches.more"), () => load());
  more.hidden = true;
  /** @type {string | null} */
  let before = null;
  const load = async () => {
    more.disabled = true;
    try {
      const part = await get("lobby/matches", before ? { before } : {});
      list.append(...part.matches.map((match) => matchRow(match, games)));
      before = part.before;
      status.textContent = list.children.length ? "" : t("lobby.watch.none");
    } catch (error) {
      status.textContent = sentenceOf(error);
    }
    more.disabled = false;
    more.hidden = !before;
  };
  const open = (/** @type {{currentTarget: HTMLDetailsElement}} */ { currentTarget }) => {
    if (!currentTarget.open) return;
    before = null;
    list.replaceChildren();
    load();
  };
  return h("details", { toggle: open }, h("summary", {}, t("lobby.watch")), list, status, more);
}
