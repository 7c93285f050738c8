/**
 * Tournaments in words: their kind, their clock, when they begin.
 *
 * @import { ClockTerms, GameData, TournamentSummary } from "../../net/wire.d.ts"
 */

import { language, t } from "../../net/language.js";
import { changedOptions, duration, number, optionsText } from "../../ui/format.js";

const HALF = "½";
const DAY = 24 * 3600; // seconds

/**
 * Says points as players write them: 2½.
 *
 * @param {number} value
 */
export function points(value) {
  const whole = Math.floor(value);
  const rest = value - whole;
  if (rest === 0.5) return `${whole || ""}${HALF}`;
  return number(value, 2);
}

/**
 * Says a time in the visitor's language and zone.
 *
 * @param {string} time
 */
export function when(time) {
  const moment = new Date(time);
  const isToday = moment.toDateString() === new Date().toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const how = isToday
    ? { timeStyle: "short", hourCycle: "h23" }
    : { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" };
  return new Intl.DateTimeFormat(language(), how).format(moment);
}

/**
 * Says a clock: "3+2", "5d12" with a delay, or how long for the beginning and each turn.
 *
 * @param {ClockTerms} clock
 */
export function clockWords(clock) {
  const { kind, base, increment = 0, delay = 0 } = clock;
  if (kind === "live") return `${number(base / 60, 1)}${delay ? `d${delay}` : `+${increment}`}`;
  return t("tournament.clock.days", { base: long(base), increment: long(increment) });
}

/**
 * Says a duration of days in days, another one as usual.
 *
 * @param {number} seconds
 */
const long = (seconds) =>
  seconds && seconds % DAY === 0
    ? new Intl.NumberFormat(language(), { style: "unit", unit: "day", unitDisplay: "long" }).format(seconds / DAY)
    : duration(seconds);

/**
 * Says how a tournament is played: "Swiss, 5 rounds".
 *
 * @param {TournamentSummary} tournament
 */
export function kindWords({ kind, rounds, minutes }) {
  if (kind === "arena") return t("tournament.arena.minutes", { time: duration(60 * minutes) });
  if (kind === "swiss") return t("tournament.swiss.rounds", { count: rounds });
  return t(rounds === 2 ? "tournament.round_robin.double" : "tournament.round_robin");
}

/**
 * Says what is played: game, options, clock, and whether it is rated.
 *
 * @param {TournamentSummary} tournament
 * @param {readonly GameData[]} games
 */
export function termsWords(tournament, games) {
  const game = games.find(({ name }) => name === tournament.game);
  const options = game ? optionsText(game.options, changedOptions(game.options, tournament.options)) : "";
  const rated = tournament.is_rated ? t("tournament.rated") : "";
  return [game?.title ?? tournament.game, options, clockWords(tournament.clock), kindWords(tournament), rated]
    .filter(Boolean)
    .join(" · ");
}

/**
 * Says how far a tournament is.
 *
 * @param {TournamentSummary} tournament
 */
export function statusWords({ status, starts }) {
  if (status === "waiting" && starts) return t("tournament.starts", { time: when(starts) });
  return t(`tournament.status.${status}`);
}
