/**
 * The visitor's settings, kept in this browser. `SETTINGS` declares all of them: what is read from anywhere else is
 * checked against it.
 *
 * @typedef {{lang: string, theme: "auto" | "light" | "dark", board: "wood" | "plain" | "contrast" | "safe",
 *   coordinates: boolean, notation: "short" | "figurine", sounds: boolean, volume: number,
 *   motion: "normal" | "slow" | "fast" | "off", values: boolean, distance: "plies" | "moves", asks: boolean,
 *   confirm: boolean, ahead: boolean, keys: boolean, zen: boolean, level: number, coach: "auto" | "on" | "off",
 *   chat: boolean}} Settings
 * @typedef {(name: keyof Settings) => void} SettingsListener
 */

const KEY = "damier";
const FLAG = [true, false];
const range = (/** @type {number} */ low, /** @type {number} */ high) => ({ low, high });

/**
 * Every setting: its default, and its choices, a list or a range of whole numbers.
 *
 * @type {{[K in keyof Settings]: {first: Settings[K],
 *   choices: readonly (string | boolean)[] | {low: number, high: number}}}}
 */
export const SETTINGS = {
  lang: { first: "", choices: ["", "en", "fr", "de"] }, // empty: the browser's
  theme: { first: "auto", choices: ["auto", "light", "dark"] },
  board: { first: "wood", choices: ["wood", "plain", "contrast", "safe"] },
  coordinates: { first: true, choices: FLAG },
  notation: { first: "short", choices: ["short", "figurine"] },
  sounds: { first: true, choices: FLAG },
  volume: { first: 100, choices: range(0, 100) }, // percent
  motion: { first: "normal", choices: ["slow", "normal", "fast", "off"] },
  values: { first: false, choices: FLAG },
  distance: { first: "plies", choices: ["plies", "moves"] }, // how the way to the end is counted
  asks: { first: true, choices: FLAG }, // whether a board asks before what cannot be undone
  confirm: { first: false, choices: FLAG }, // whether what ends a turn is sent only after a further click
  ahead: { first: false, choices: FLAG }, // whether one may choose while another player thinks
  keys: { first: true, choices: FLAG }, // whether single letters are shortcuts
  zen: { first: false, choices: FLAG },
  level: { first: 0, choices: range(0, 99) },
  chat: { first: true, choices: FLAG }, // whether messages are shown beside matches
  coach: { first: "auto", choices: ["auto", "on", "off"] }, // auto: on until a match of the game is finished
};
const NAMES = /** @type {(keyof Settings)[]} */ (Object.keys(SETTINGS));
/** @type {Set<SettingsListener>} */
const listeners = new Set();
let current = read();

/** @returns {Settings} */
function read() {
  try {
    return valid(JSON.parse(localStorage.getItem(KEY) || "{}"));
  } catch {
    return valid({});
  }
}

/**
 * Returns settings with the default in place of everything that is missing or no choice; others are left out.
 *
 * @param {unknown} given
 */
function valid(given) {
  const from = /** @type {Record<string, unknown>} */ (given ?? {});
  const found = NAMES.map((name) => [name, isChoice(name, from[name]) ? from[name] : SETTINGS[name].first]);
  return /** @type {Settings} */ (Object.fromEntries(found));
}

/**
 * @param {keyof Settings} name
 * @param {unknown} value
 */
function isChoice(name, value) {
  const { choices } = SETTINGS[name];
  if ("low" in choices) return Number.isInteger(value) && choices.low <= Number(value) && Number(value) <= choices.high;
  return choices.some((choice) => choice === value);
}

/**
 * @template {keyof Settings} K
 * @param {K} name
 * @returns {Settings[K]}
 */
export function setting(name) {
  return current[name];
}

/** Returns all settings, to be kept elsewhere. */
export const allSettings = () => ({ ...current });

/**
 * Replaces all settings by those kept elsewhere, stores them, and notifies the listeners of what has changed. What is
 * missing or no choice has its default.
 *
 * @param {object} given
 */
export function replaceSettings(given) {
  const before = current;
  current = valid(given);
  store();
  for (const name of NAMES) if (before[name] !== current[name]) tell(name);
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
  store();
  tell(name);
}

function store() {
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    /* storage is full or forbidden: the settings last as long as the page */
  }
}

/** @param {keyof Settings} name */
function tell(name) {
  if (name in LOOKS) applyLook();
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

/** Reads the settings again, which another part of the program has stored. */
export const renewSettings = () => replaceSettings(read());

/** The settings that style sheets read as `data-` attributes of the page, with the value that needs none. */
const LOOKS = /** @type {const} */ ({ theme: "auto", board: "wood", motion: "normal" });

/** Has the page look as chosen; `early.js` does the same before the first paint. */
export function applyLook() {
  const { dataset } = document.documentElement;
  for (const [name, usual] of Object.entries(LOOKS)) {
    const value = setting(/** @type {keyof typeof LOOKS} */ (name));
    if (value === usual) delete dataset[name];
    else dataset[name] = value;
  }
  if (setting("board") !== "wood") boardStyles();
}

/** Loads the colours of the boards that are not of wood, once. */
export function boardStyles() {
  if (document.querySelector('link[href$="/boards.css"]')) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL("../styles/settings/boards.css", import.meta.url).pathname;
  document.head.append(link);
}

/** Whether nothing is to move: the visitor has switched motion off here or in the system. */
export const isStill = () => setting("motion") === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Forgets the settings and the progress in lessons and puzzles; what is shown stays until the next page. */
export function forgetSettings() {
  try {
    for (const key of Object.keys(localStorage)) if (key.split(".")[0] === KEY) localStorage.removeItem(key);
  } catch {
    // the browser keeps nothing for us
  }
}
