/** Numbers, sizes and values in the visitor's language. */

import { language, t, tOr } from "../net/language.js";

/** A whole number with its groups, or another with at most so many digits after the point. */
export const number = (value, digits = 0) =>
  new Intl.NumberFormat(language(), { maximumFractionDigits: digits }).format(value);

/** A share of one in percent. */
export const percent = (share, digits = 1) =>
  new Intl.NumberFormat(language(), {
    style: "percent",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(share);

/** A large number as people write it: 2.3 × 10¹⁷. */
export function powerOfTen(value) {
  const power = Math.floor(Math.log10(value));
  const raised = [...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
  return `${number(value / 10 ** power, 1)} × 10${raised}`;
}

/** A very small number without an exponent. */
export const tiny = (value) => new Intl.NumberFormat(language(), { maximumSignificantDigits: 2 }).format(value);

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte", "petabyte"];

/** A number of bytes, rounded. */
export function size(bytes) {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(language(), {
    style: "unit",
    unit: UNITS[step],
    maximumFractionDigits: bytes < 1000 ? 0 : 1,
  }).format(bytes / 1000 ** step);
}

export const plies = (count) => (count === 1 ? t("facts.ply") : t("facts.plies", { count: number(count) }));

/** What a value of a table says. */
export function valueWords({ outcome, plies: distance, chance }) {
  if (outcome === "chance") return percent(chance, 2);
  if (outcome === "draw") return t("facts.draw");
  return t(`facts.${outcome}`, { plies: plies(distance) });
}

/** Options that are not as usual, in words. */
export const optionsText = (options, usual = {}) =>
  Object.entries(options ?? {})
    .filter(([name, value]) => usual[name] !== value)
    .map(([name, value]) =>
      tOr(`option.${name}.is`, `${tOr(`option.${name}`, name)} {value}`).replaceAll("{value}", value),
    )
    .join(", ");

/** The address of a page with options and more in its query. */
export function address(path, options = {}, more = {}) {
  const given = Object.entries({ ...options, ...more }).filter(
    ([, value]) => value !== undefined && value !== null && value !== "",
  );
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
}
