/**
 * The visitor's settings, kept in this browser.
 *
 * @typedef {{lang: string, theme: "auto" | "light" | "dark", coordinates: boolean, sounds: boolean, values: boolean,
 *   distance: "plies" | "moves", asks: boolean, level: number, coach: "auto" | "on" | "off"}} Settings
 *   `distance`: how the way to the end is counted; `asks`: whether a board asks before what cannot be undone;
 *   `coach` "auto": on until a match of the game is finished
 * @typedef {(name: keyof Settings) => void} SettingsListener
 */

const KEY = "damier";
/** @type {Settings} */
const DEFAULTS = {
  lang: "",
  theme: "auto",
  coordinates: true,
  sounds: true,
  values: false,
  distance: "plies",
  asks: true,
  level: 0,
  coach: "auto",
};
/** @type {Set<SettingsListener>} */
const listeners = new Set();
let current = read();

/** @returns {Settings} */
function read() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) || "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

/**
 * @template {keyof Settings} K
 * @param {K} name
 * @returns {Settings[K]}
 */
export function setting(name) {
  return current[name];
}

/**
 * Changes a setting, stores it, and notifies all listeners.
 *
 * @template {keyof Settings} K
 * @param {K} name
 * @param {Settings[K]} value
 */
export function choose(name, value) {
  current = { ...current, [name]: value };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    /* storage is full or forbidden: the setting lasts as long as the page */
  }
  for (const listener of listeners) listener(name);
}

/**
 * Changes a setting for this page only; nothing is stored.
 *
 * @template {keyof Settings} K
 * @param {K} name
 * @param {Settings[K]} value
 */
export function override(name, value) {
  current = { ...current, [name]: value };
}

/**
 * Calls `listener` at every change, until the returned function is called.
 *
 * @param {SettingsListener} listener
 */
export function onChange(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function applyTheme() {
  const theme = setting("theme");
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Whether the visitor prefers reduced motion. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Forgets the settings and the progress in lessons and puzzles; what is shown stays until the next page. */
export function forgetSettings() {
  try {
    for (const key of Object.keys(localStorage)) if (key.split(".")[0] === KEY) localStorage.removeItem(key);
  } catch {
    // the browser keeps nothing for us
  }
}
