/**
 * What has been played: a row for each round, a column for each player. A click on an action goes to the moment after it.
 *
 * @import { DrawingData, HistoryEntry, SeatData } from "../../net/wire.d.ts"
 * @typedef {{player: string, actions: {action: string, moment: number}[]}} Turn
 * @typedef {(Turn | null)[]} Round one turn for each player
 */

import { smallPiece } from "../../board/pieces.js";
import { shownAction } from "../../board/rolls.js";
import { t } from "../../net/language.js";
import { h } from "../../ui/dom.js";

/**
 * Groups the actions of each turn. A roll belongs to the turn that it begins, an answer to the turn that it answers. A
 * turn of a roll alone is that of the next player, who is out by it; the last one may be that of the player on move.
 *
 * @param {readonly HistoryEntry[]} history
 * @param {readonly string[]} players
 * @param {string} mover who is to act; empty when the game is over
 * @returns {Turn[]}
 */
export function byTurn(history, players, mover) {
  /** @type {(Turn & {turn: number})[]} */
  const turns = [];
  for (const [i, { action, player, turn }] of history.entries()) {
    let last = turns.at(-1);
    if (last?.turn !== turn) turns.push((last = { turn, player, actions: [] }));
    if (last.player === "chance") last.player = player;
    last.actions.push({ action, moment: i + 1 });
  }
  /** @type {Set<string>} */
  const out = new Set();
  let before = -1;
  for (const turn of turns) {
    if (turn.player === "chance" && turn === turns.at(-1) && players.includes(mover)) turn.player = mover;
    if (turn.player === "chance") {
      const after = [...players.slice(before + 1), ...players.slice(0, before + 1)];
      turn.player = after.find((player) => !out.has(player)) ?? after[0];
      out.add(turn.player);
    }
    before = players.indexOf(turn.player);
  }
  return turns.map(({ player, actions }) => ({ player, actions }));
}

/**
 * Orders turns by rounds: a new one begins with a player who is not after the last one.
 *
 * @param {readonly Turn[]} turns
 * @param {readonly string[]} players
 * @returns {Round[]}
 */
export function rounds(turns, players) {
  /** @type {Round[]} */
  const found = [];
  let last = Infinity;
  for (const turn of turns) {
    const place = players.indexOf(turn.player);
    if (place <= last) found.push(players.map(() => null));
    found[found.length - 1][place] = turn;
    last = place;
  }
  return found;
}

/**
 * Returns the number of the round of an action, from 1.
 *
 * @param {readonly Round[]} all
 * @param {number} moment after the action
 */
export const roundOf = (all, moment) =>
  all.findIndex((round) => round.some((turn) => turn?.actions.some((each) => each.moment === moment))) + 1;

/** The table of the rounds. It scrolls by itself and is one stop of the Tab key: arrow keys go from action to action. */
export class History {
  /**
   * @param {DrawingData} drawing
   * @param {readonly SeatData[]} seats
   * @param {(moment: number) => void} goTo
   */
  constructor(drawing, seats, goTo) {
    this.drawing = drawing;
    this.goTo = goTo;
    /** @type {string[]} who played each action */
    this.players = [];
    this.body = h("tbody", {});
    this.none = h("p", { class: "soft" }, t("history.none"));
    this.table = h(
      "table",
      { class: "turns", "aria-label": t("history.title"), keydown: (event) => this.#key(event) },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, h("span", { class: "unseen" }, t("history.number"))),
          seats.map(({ player, name }) => h("th", { scope: "col" }, smallPiece(drawing.looks[player]), " ", name)),
        ),
      ),
      this.body,
    );
    this.element = h("div", { class: "history" }, this.none, this.table);
  }

  /**
   * Draws what has been played; `moment` is the one that is shown.
   *
   * @param {readonly Round[]} all
   * @param {number} count of all actions
   * @param {number} moment
   */
  show(all, count, moment) {
    const focused = this.body.contains(document.activeElement) && document.activeElement?.getAttribute("data-moment");
    this.element.dataset.count = String(count);
    this.none.hidden = count > 0;
    this.table.hidden = !count;
    this.body.replaceChildren(...all.map((round, i) => this.#row(round, i + 1, count, moment)));
    if (focused) this.#button(Number(focused))?.focus({ preventScroll: true });
    this.#scrollTo(this.#button(moment));
  }

  /**
   * @param {Round} round
   * @param {number} number
   * @param {number} count
   * @param {number} now
   */
  #row(round, number, count, now) {
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, `${number}.`),
      round.map((turn) =>
        h(
          "td",
          { class: turn?.actions.at(-1)?.moment === count ? "last-turn" : "" },
          turn?.actions.map((each) => this.#action(each, now)),
        ),
      ),
    );
  }

  /**
   * @param {Turn["actions"][number]} each
   * @param {number} now
   */
  #action({ action, moment }, now) {
    const isNow = moment === now;
    return h(
      "button",
      {
        type: "button",
        class: "plain",
        "data-moment": moment,
        "aria-current": isNow ? "step" : null,
        tabindex: isNow || (now === 0 && moment === 1) ? "0" : "-1",
        click: () => this.goTo(moment),
      },
      shownAction(this.drawing, action, this.players[moment - 1]),
    );
  }

  /** @param {number} moment */
  #button(moment) {
    return /** @type {HTMLElement | null} */ (this.body.querySelector(`[data-moment="${moment}"]`));
  }

  /** @param {HTMLElement | null} button */
  #scrollTo(button) {
    const row = button?.closest("tr");
    if (!row) return this.element.scrollTo(0, 0);
    const head = this.table.tHead?.offsetHeight ?? 0;
    const [top, bottom] = [row.offsetTop - head, row.offsetTop + row.offsetHeight - this.element.clientHeight];
    if (this.element.scrollTop > top) this.element.scrollTop = top;
    else if (this.element.scrollTop < bottom) this.element.scrollTop = bottom;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const at = Number(document.activeElement?.getAttribute("data-moment"));
    /** @type {Record<string, number>} */
    const places = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1 };
    const next = this.#button(places[event.key] ?? 0);
    if (!at || !(event.key in places)) return;
    event.preventDefault();
    next?.focus({ preventScroll: true });
    this.#scrollTo(next);
  }
}
