/**
 * The clocks that the lobby offers, and how a clock is written.
 *
 * @import { ClockTerms } from "../../net/wire.d.ts"
 */

import { t } from "../../net/language.js";

const MINUTE = 60;
const DAY = 24 * 3600;

/** @type {ClockTerms[]} */
export const LIVE_CLOCKS = [
  [3, 2],
  [5, 3],
  [10, 5],
  [15, 10],
].map(([base, increment]) => ({ kind: "live", base: base * MINUTE, increment, delay: 0, cap: null }));

/** @type {ClockTerms[]} */
export const SLOW_CLOCKS = [
  { kind: "correspondence", base: 2 * DAY, increment: DAY, delay: 0, cap: 4 * DAY },
  { kind: "correspondence", base: 5 * DAY, increment: 2 * DAY, delay: 0, cap: 10 * DAY },
];

/**
 * Writes a clock: "3+2", "2 days".
 *
 * @param {ClockTerms | null | undefined} clock
 */
export function clockText(clock) {
  if (!clock) return t("lobby.clock.none");
  if (clock.kind === "correspondence") return t("lobby.clock.days", { count: Math.round(clock.base / DAY) });
  const minutes = clock.base / MINUTE;
  const base = Number.isInteger(minutes) ? String(minutes) : `${clock.base}s`;
  return `${base}+${clock.increment || clock.delay || 0}`;
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
  return t("lobby.clock.live.title", { minutes: clock.base / MINUTE, seconds: clock.increment ?? 0 });
}
