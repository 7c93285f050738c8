/**
 * The evaluation bar beside the board: the winning chances of all players, the first at the bottom. A proved result fills
 * it; while nothing is known of a position the last chances stay, faded, so that nothing jumps.
 *
 * @import { AnalysisAnswer } from "../../net/sockets/analysis-socket.js"
 * @import { PlayerName, ReviewStart, ReviewStep } from "../../net/wire.d.ts"
 * @import { Moment } from "../../types.d.ts"
 * @typedef {{chances: number[], text: string}} Worth what a position is worth: `text` in words
 */

import { t } from "../../net/language.js";
import { h } from "../../ui/dom.js";
import { percent } from "../../ui/format.js";
import { isDecided, isProved, valueText } from "../../ui/values/values.js";

const ROOM = 0.14; // share of the bar above which there is room for a text

export class EvaluationBar {
  /** @param {readonly PlayerName[]} players */
  constructor(players) {
    this.players = players;
    this.shares = players.map((_, i) => h("div", { class: `share share-${i}` }, h("span", {})));
    this.element = h("div", { class: "evaluation", role: "img" }, this.shares);
    this.show(null);
  }

  /**
   * Shows what a position is worth; null while that is not known.
   *
   * @param {Worth | null} worth
   */
  show(worth) {
    this.element.classList.toggle("unknown", !worth);
    this.element.setAttribute("aria-label", worth ? t("bar.label", { value: worth.text }) : t("bar.unknown"));
    this.element.title = worth?.text ?? t("bar.unknown");
    if (!worth && this.element.dataset.known) return;
    if (worth) this.element.dataset.known = "yes";
    const chances = worth?.chances ?? this.players.map(() => 1 / this.players.length);
    for (const [i, share] of this.shares.entries()) {
      share.style.flexGrow = String(Math.max(chances[i], 0));
      share.children[0].textContent =
        worth && chances[i] >= ROOM ? `${this.players[i].name} ${percent(chances[i], 0)}` : "";
    }
  }

  /** @param {boolean} isTurned whether the board is seen from the other side */
  turn(isTurned) {
    this.element.classList.toggle("turned", isTurned);
  }
}

/**
 * Returns what a finished game is worth.
 *
 * @param {readonly PlayerName[]} players
 * @param {Moment} state
 * @returns {Worth | null} null while it goes on
 */
export function worthOfResult(players, { result }) {
  if (!result) return null;
  const { winner, sentence } = result;
  const chances = players.map(({ player }) => (winner ? Number(player === winner) : 1 / players.length));
  return { chances, text: sentence };
}

/**
 * Returns what an answer of the engine or of a table says of the position.
 *
 * @param {readonly PlayerName[]} players
 * @param {string} mover
 * @param {AnalysisAnswer} answer
 * @returns {Worth | null}
 */
export function worthOfAnswer(players, mover, { chances, lines }) {
  const best = lines?.[0];
  if (!chances || !best) return null;
  const player = players.find((each) => each.player === mover);
  if (!player || !isDecided(best)) return { chances, text: inWords(players, chances, player ? isProved(best) : false) };
  return { chances, text: t("bar.decided", { player: player.name, value: valueText(best) }) };
}

/**
 * Returns what a review has found of a moment.
 *
 * @param {readonly PlayerName[]} players
 * @param {ReviewStart | ReviewStep | undefined} step
 * @param {boolean} isExact
 * @returns {Worth | null}
 */
export const worthOfStep = (players, step, isExact) =>
  step ? { chances: step.chances, text: inWords(players, step.chances, isExact) } : null;

/**
 * @param {readonly PlayerName[]} players
 * @param {readonly number[]} chances
 * @param {boolean} isExact
 */
function inWords(players, chances, isExact) {
  const said = players.map(({ name }, i) => `${name} ${percent(chances[i], 0)}`).join(", ");
  return isExact ? said : t("values.about", { value: said });
}
