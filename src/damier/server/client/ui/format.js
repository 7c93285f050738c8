/**
 * Numbers, sizes and values in the visitor's language.
 *
 * @import { ChanceFact, OutcomeFact } from "../net/wire.d.ts"
 * @import { OptionData, OptionValues } from "../types.d.ts"
 */

import { language, t } from "../net/language.js";

/**
 * Formats a number.
 *
 * @param {number} value
 * @param {number} digits after the point, at most
 */
export const number = (value, digits = 0) =>
  new Intl.NumberFormat(language(), { maximumFractionDigits: digits }).format(value);

/**
 * Formats a share as a percentage, with a no-break space before the sign.
 *
 * @param {number} share of 1
 * @param {number} digits after the point
 */
export const percent = (share, digits = 1) =>
  `${new Intl.NumberFormat(language(), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(100 * share)}\u00a0%`;

/**
 * Formats a duration in words, rounded: seconds, minutes, or hours and minutes.
 *
 * @param {number} seconds
 */
export function duration(seconds) {
  const unit = (/** @type {number} */ value, /** @type {string} */ name) =>
    new Intl.NumberFormat(language(), { style: "unit", unit: name, unitDisplay: "long" }).format(value);
  if (seconds < 59.5) return unit(Math.round(seconds), "second");
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return unit(minutes, "minute");
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest ? `${unit(hours, "hour")} ${unit(rest, "minute")}` : unit(hours, "hour");
}

/**
 * Formats a large number: 2.3 × 10¹⁷.
 *
 * @param {number} value
 */
export function powerOfTen(value) {
  const power = Math.floor(Math.log10(value));
  const raised = [...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
  return `${number(value / 10 ** power, 1)} × 10${raised}`;
}

/**
 * Formats a very small number without an exponent.
 *
 * @param {number} value
 */
export const tiny = (value) => new Intl.NumberFormat(language(), { maximumSignificantDigits: 2 }).format(value);

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte", "petabyte"];

/**
 * Formats a number of bytes, rounded.
 *
 * @param {number} bytes
 */
export function size(bytes) {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(language(), {
    style: "unit",
    unit: UNITS[step],
    unitDisplay: step ? "short" : "long",
    maximumFractionDigits: step ? 1 : 0,
  }).format(bytes / 1000 ** step);
}

/** @param {number} count */
export const plies = (count) => t("facts.plies", { count });

/**
 * Says a value of a table in words.
 *
 * @param {OutcomeFact | ChanceFact} value
 */
export function valueWords(value) {
  if (value.outcome === "chance") return percent(value.chance, 2);
  if (value.outcome === "draw") return t("facts.draw");
  return t(`facts.${value.outcome}`, { plies: plies(value.plies ?? 0) });
}

/**
 * Returns the options that differ from `usual`, by default from their defaults.
 *
 * @param {readonly OptionData[]} declared
 * @param {OptionValues} values
 * @param {OptionValues} usual
 * @returns {OptionValues}
 */
export const changedOptions = (declared, values, usual = defaultOptions(declared)) =>
  Object.fromEntries(
    declared.flatMap(({ name }) => (name in values && values[name] !== usual[name] ? [[name, values[name]]] : [])),
  );

/** @param {readonly OptionData[]} declared */
export const defaultOptions = (declared) => Object.fromEntries(declared.map((option) => [option.name, option.default]));

/**
 * Returns the options in a query; whole numbers as such.
 *
 * @param {readonly OptionData[]} declared
 * @param {Record<string, string>} query
 * @returns {OptionValues}
 */
export function parseOptions(declared, query) {
  const isNumber = (/** @type {string} */ name) =>
    declared.some((option) => option.name === name && option.type === "integer");
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, isNumber(name) && value !== "" ? Number(value) : value]),
  );
}

/**
 * Says options in words: "5 bombs, size 6".
 *
 * @param {readonly OptionData[]} declared
 * @param {OptionValues} values
 */
export const optionsText = (declared, values) =>
  declared
    .filter(({ name }) => name in values)
    .map(({ name, phrase }) => phrase.replaceAll("{value}", String(values[name])))
    .join(", ");

/**
 * Returns the address of a page with a query; what is empty is left out.
 *
 * @param {string} path
 * @param {OptionValues} options
 * @param {Record<string, string | number | null | undefined>} more
 */
export function address(path, options = {}, more = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...options, ...more }))
    if (value !== undefined && value !== null && value !== "") query.set(name, String(value));
  return query.size ? `${path}?${query}` : path;
}

/**
 * Returns a sentence as it stands after a colon: English and French go on in lower case, German begins anew.
 *
 * @param {string} text
 */
export const afterColon = (text) => (language() === "de" ? text : text.charAt(0).toLowerCase() + text.slice(1));
