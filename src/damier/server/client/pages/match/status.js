/**
 * What the card of a match says: whose turn it is and what to do, that an earlier moment is shown, or how it ended.
 *
 * @import { GameData, MatchSnapshot, MatchState } from "../../net/wire.d.ts"
 * @import { MatchSocket } from "../../net/sockets/match-socket.js"
 * @import { Go, Moment } from "../../types.d.ts"
 * @import { Round } from "./history.js"
 * @import { Said } from "./status-card.js"
 * @typedef {{snapshot: MatchSnapshot, state: MatchState, shown: Moment & Partial<MatchState>,
 *   game: GameData, go: Go, moment: number | null, thinker: string | null, delay: string | null,
 *   isConnected: boolean, closed: string, rounds: Round[],
 *   parts: {course: HTMLElement}, socket: Pick<MatchSocket, "retry">, goTo: (moment: number | null) => unknown,
 *   ask: (what: "rematch", fields: {}) => unknown}} Match
 */

import { t } from "../../net/language.js";
import { resultButtons } from "../../ui/controls.js";
import { button } from "../../ui/dom.js";
import { afterColon } from "../../ui/format.js";
import { startDialog } from "../../ui/start/start-dialog.js";
import { changeSentence } from "../../ui/ratings/ratings.js";
import { endDetails, endTitle } from "./ending.js";

/**
 * Returns what the card says now.
 *
 * @param {Match} match
 * @returns {Said}
 */
export function said(match) {
  const found = match.moment !== null ? past(match) : match.state.result ? over(match) : present(match);
  if (match.isConnected) return found;
  const retry = button(t("live.retry"), () => match.socket.retry());
  return {
    ...found,
    note: match.closed || t("live.connecting"),
    foot: [...found.foot, retry],
    key: `${found.key} offline`,
  };
}

/**
 * @param {Match} match
 * @returns {Said}
 */
function present(match) {
  const { state, snapshot, thinker, delay } = match;
  const isOnlyMine = state.is_my_turn && snapshot.seats.filter((seat) => seat.is_mine).length === 1;
  const player = state.mover_name ?? "";
  const [first, ...others] = state.captions;
  const phase = state.guide?.phase ?? others.join(" · ");
  const title = state.guide ? afterColon(state.guide.title) : "";
  return {
    ...marked(match),
    look: state.is_my_turn ? "mine" : "",
    title: title ? t(isOnlyMine ? "coach.yours" : "coach.of", { player, title }) : (first ?? ""),
    note: thinker
      ? t(delay ? `match.delayed.${delay}` : "match.thinking")
      : [phase, advice(match)].filter(Boolean).join(" · "),
    guide: state.is_my_turn ? state.guide : null,
    foot: [],
    key: "present",
  };
}

/**
 * Returns a few words about what goes on, where the state says nothing.
 *
 * @param {Match} match
 */
function advice({ snapshot: { seats }, state }) {
  if (!seats.some((seat) => seat.is_mine)) return t("match.watching");
  if (seats.some((seat) => seat.kind === "open")) return t("match.waiting_for_friend");
  return state.is_my_turn ? "" : t("coach.waits");
}

/**
 * @param {Match} match
 * @returns {Said}
 */
function past(match) {
  const { shown, state, moment } = match;
  return {
    ...marked(match),
    look: "past",
    title: t("moment.after", { count: moment ?? 0, all: state.history.length }),
    note: shown.result?.sentence ?? shown.captions[0] ?? "",
    guide: null,
    foot: [button(t("moment.now"), () => match.goTo(null), { look: "main" })],
    key: "past",
  };
}

/**
 * @param {Match} match
 * @returns {Said}
 */
function over(match) {
  const { state, snapshot, rounds, parts } = match;
  const { result } = state;
  if (!result) throw new Error("the game is not over");
  const buttons = resultButtons(state, snapshot, {
    rematch: () => match.ask("rematch", {}),
    start: () => startDialog(match.game, match.go),
  });
  return {
    ...marked(match),
    look: "over",
    title: endTitle(result, snapshot),
    note: [endDetails(result, rounds.length), changeSentence(snapshot)].filter(Boolean).join(" "),
    guide: null,
    foot: [parts.course, buttons],
    key: JSON.stringify(["over", state.rematch, state.can.rematch, state.offer !== null]),
  };
}

/**
 * Returns the names of the players whose last turns are marked.
 *
 * @param {Match} match
 */
const marked = ({ shown, snapshot: { seats } }) => ({
  turnsOf: seats
    .filter((seat) => shown.last_turns.some(({ player }) => player === seat.player))
    .map(({ name }) => name),
});
