/** What a visitor has chosen, kept in this browser. */

const KEY = "damier";
const USUAL = { lang: "", theme: "auto", coordinates: true, sounds: false, values: false };
const listeners = new Set();
let chosen = read();

function read() {
  try {
    return { ...USUAL, ...JSON.parse(localStorage.getItem(KEY) || "{}") };
  } catch {
    return { ...USUAL };
  }
}

/** @param {keyof typeof USUAL} name */
export function setting(name) {
  return chosen[name];
}

/** Changes a setting, keeps it, and tells whoever listens. */
export function choose(name, value) {
  chosen = { ...chosen, [name]: value };
  try {
    localStorage.setItem(KEY, JSON.stringify(chosen));
  } catch {
    /* kept for this page only */
  }
  for (const listener of listeners) listener(name, value);
}

/** Sets something for this page only, and keeps nothing. */
export function fix(name, value) {
  chosen = { ...chosen, [name]: value };
}

/** Calls back at every change; returns what ends that. */
export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function applyTheme() {
  const theme = setting("theme");
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
