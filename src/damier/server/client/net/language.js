/** Every sentence of the pages, by key, in the visitor's language. */

import { choose, setting } from "./settings.js";

export const LANGUAGES = { en: "English", fr: "Français", de: "Deutsch" };
let sentences = {};

/** The language chosen, else the first of the browser's that we speak. */
export function language() {
  const wanted = [setting("lang"), ...(navigator.languages ?? []).map((tag) => tag.slice(0, 2))];
  return wanted.find((lang) => lang in LANGUAGES) ?? "en";
}

export async function loadWords() {
  const answer = await fetch(`/api/sentences?lang=${language()}`);
  sentences = answer.ok ? await answer.json() : {};
  document.documentElement.lang = language();
}

export async function setLanguage(lang) {
  choose("lang", lang);
  await loadWords();
}

/** The sentence of a key, with its {places} filled in. */
export function t(key, values = {}) {
  const text = sentences[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** The sentence of a key, or another text if there is none. */
export const tOr = (key, other) => sentences[key] ?? other;
