/**
 * Clocks in words and figures.
 *
 * @import { ClockTerms, MatchSnapshot } from "../net/wire.d.ts"
 */

import { language, t } from "../net/language.js";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

/** @type {(base: number, increment: number) => ClockTerms} */
const live = (base, increment) => ({ kind: "live", base: base * 60, increment, delay: 0, cap: null });
/** @type {(base: number, delay: number) => ClockTerms} */
const delayed = (base, delay) => ({ kind: "live", base: base * 60, increment: 0, delay, cap: null });
/** @type {(base: number, gift: number, cap: number) => ClockTerms} in hours */
const days = (base, gift, cap) => ({
  kind: "correspondence",
  base: base * 3600,
  increment: gift * 3600,
  delay: 0,
  cap: cap * 3600,
});

const LIVE = [live(3, 2), live(5, 3), live(10, 5), live(15, 10)];
const DELAYED = [delayed(3, 8), delayed(5, 12), delayed(10, 12)];
const CORRESPONDENCE = [days(48, 24, 96), days(24, 12, 48), days(120, 48, 240)];

/**
 * Returns the clocks to choose from.
 *
 * @param {boolean} hasChance whether the game has a die
 */
export const clocksFor = (hasChance) => [...(hasChance ? DELAYED : LIVE), ...CORRESPONDENCE];

/**
 * Returns a time control in a few words.
 *
 * @param {ClockTerms} terms
 */
export function clockText({ kind, base, increment = 0, delay = 0 }) {
  if (kind === "correspondence")
    return increment ? t("clock.days.gift", { base: long(base), gift: long(increment) }) : long(base);
  const start = base % 60 ? unit(base, "second", "short") : String(base / 60);
  return delay ? t("clock.delay", { base: start, count: delay }) : `${start}+${increment}`;
}

/**
 * Returns the terms of a match: its clock, and whether it is rated.
 *
 * @param {Pick<MatchSnapshot, "clock" | "is_rated">} match
 */
export const termsText = ({ clock, is_rated: isRated }) =>
  [clock ? clockText(clock) : t("clock.none"), t(isRated ? "clock.rated" : "clock.casual")].join(" · ");

/**
 * Returns what a clock shows: tenths below ten seconds, else minutes and seconds, hours, or days.
 *
 * @param {number} left in milliseconds
 */
export function timeText(left) {
  if (left < 10 * SECOND) return (Math.ceil(Math.max(0, left) / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / SECOND);
  const two = (/** @type {number} */ value) => String(Math.floor(value)).padStart(2, "0");
  if (left < HOUR) return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
  if (left < DAY) return `${Math.floor(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
  const hours = Math.floor(left / HOUR);
  return `${unit(Math.floor(hours / 24), "day", "short")} ${unit(hours % 24, "hour", "narrow")}`;
}

/**
 * Returns a time as it is spoken, such as "30 seconds".
 *
 * @param {number} left in milliseconds
 */
export const spokenTime = (left) =>
  left < 90 * SECOND
    ? unit(Math.round(left / SECOND), "second", "long")
    : unit(Math.round(left / MINUTE), "minute", "long");

/**
 * @param {number} seconds
 */
const long = (seconds) =>
  seconds % 86_400 ? unit(seconds / 3600, "hour", "long") : unit(seconds / 86_400, "day", "long");

/**
 * @param {number} value
 * @param {"day" | "hour" | "minute" | "second"} name
 * @param {"short" | "long" | "narrow"} display
 */
const unit = (value, name, display) =>
  new Intl.NumberFormat(language(), { style: "unit", unit: name, unitDisplay: display }).format(value);
