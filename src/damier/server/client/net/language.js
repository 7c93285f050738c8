/** The sentences of the pages, by key, in the visitor's language. */

import { choose, setting } from "./settings.js";
import { KEPT } from "./version.js";

/** @type {Record<string, string>} */
export const LANGUAGES = { en: "English", fr: "Français", de: "Deutsch" };
/** @type {Record<string, string>} */
let sentences = {};
/** @type {Set<string>} the parts that are loaded besides those of every page */
const parts = new Set();

/** The chosen language, else the first of the browser's languages that is available. */
export function language() {
  const wanted = [setting("lang"), ...(navigator.languages ?? []).map((tag) => tag.slice(0, 2))];
  return wanted.find((lang) => lang in LANGUAGES) ?? "en";
}

/** Loads the sentences of every page, and those of the parts that pages have needed so far. */
export async function loadSentences() {
  const loaded = await Promise.all(["", ...parts].map(fetchPart));
  useSentences(Object.assign({}, ...loaded));
  document.documentElement.lang = language();
}

/**
 * Loads a part of the sentences that only some pages need, once.
 *
 * @param {string} part
 */
export async function needSentences(part) {
  if (parts.has(part)) return;
  parts.add(part);
  useSentences({ ...sentences, ...(await fetchPart(part)) });
}

/**
 * @param {string} part empty for the sentences of every page
 * @returns {Promise<Record<string, string>>}
 */
async function fetchPart(part) {
  const query = new URLSearchParams({ ...KEPT, lang: language(), ...(part && { part }) });
  const answer = await fetch(`/api/sentences?${query}`);
  return answer.ok ? answer.json() : {};
}

/** @param {Record<string, string>} loaded by key */
export function useSentences(loaded) {
  sentences = loaded;
}

/** @param {string} lang */
export async function setLanguage(lang) {
  choose("lang", lang);
  await loadSentences();
}

/**
 * Returns the sentence of a key, with its {places} filled in; the key itself if there is none. Numbers are written as
 * the language does. Where the number `count` takes the singular, `key.one` comes first.
 *
 * @param {string} key
 * @param {Record<string, string | number>} values
 */
export function t(key, values = {}) {
  const text = (isOne(values.count) ? sentences[`${key}.one`] : undefined) ?? sentences[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => written(values[name] ?? whole));
}

/** @param {string | number | undefined} count */
const isOne = (count) => typeof count === "number" && new Intl.PluralRules(language()).select(count) === "one";

/** @param {string | number} value */
const written = (value) => (typeof value === "number" ? new Intl.NumberFormat(language()).format(value) : value);

/**
 * Returns the sentence of a key, or `other` if there is none.
 *
 * @param {string} key
 * @param {string} other
 */
export const tOr = (key, other) => sentences[key] ?? other;
