/**
 * The clocks that the lobby offers, and how a clock is written.
 *
 * @import { ClockTerms, GameData } from "../../net/wire.d.ts"
 */

import { t } from "../../net/language.js";

const MINUTE = 60;
const DAY = 24 * 3600;

/** @type {ClockTerms[]} */
const INCREMENTS = [
  [3, 2],
  [5, 3],
  [10, 5],
  [15, 10],
].map(([base, increment]) => ({ kind: "live", base: base * MINUTE, increment, delay: 0, cap: null }));

/** @type {ClockTerms[]} each as fast as the one of the same place above */
const DELAYS = [
  [3, 8],
  [5, 12],
  [10, 12],
  [15, 12],
].map(([base, delay]) => ({ kind: "live", base: base * MINUTE, increment: 0, delay, cap: null }));

/**
 * Returns the live clocks for a game: with a delay if it has a die, so that rolling costs nobody time.
 *
 * @param {Pick<GameData, "has_chance">} game
 */
export const liveClocks = ({ has_chance: hasChance }) => (hasChance ? DELAYS : INCREMENTS);

/** @type {ClockTerms[]} */
export const SLOW_CLOCKS = [
  { kind: "correspondence", base: 2 * DAY, increment: DAY, delay: 0, cap: 4 * DAY },
  { kind: "correspondence", base: 5 * DAY, increment: 2 * DAY, delay: 0, cap: 10 * DAY },
];

/**
 * Writes a clock: "3+2", "5d12" with a delay, "2 days".
 *
 * @param {ClockTerms | null | undefined} clock
 */
export function clockText(clock) {
  if (!clock) return t("lobby.clock.none");
  if (clock.kind === "correspondence") return t("lobby.clock.days", { count: Math.round(clock.base / DAY) });
  const minutes = clock.base / MINUTE;
  const base = Number.isInteger(minutes) ? String(minutes) : `${clock.base}s`;
  return clock.delay ? `${base}d${clock.delay}` : `${base}+${clock.increment ?? 0}`;
}

/**
 * Writes a clock for those who do not know the short form.
 *
 * @param {ClockTerms | null | undefined} clock
 */
export function clockTitle(clock) {
  if (!clock) return t("lobby.clock.none.title");
  if (clock.kind === "correspondence")
    return t("lobby.clock.days.title", {
      days: Math.round(clock.base / DAY),
      more: Math.round((clock.increment ?? 0) / DAY),
      cap: Math.round((clock.cap ?? 0) / DAY),
    });
  if (clock.delay) return t("lobby.clock.delay.title", { minutes: clock.base / MINUTE, seconds: clock.delay });
  return t("lobby.clock.live.title", { minutes: clock.base / MINUTE, seconds: clock.increment ?? 0 });
}
