/**
 * Shortcuts: single keys that work wherever nothing is typed and no dialog or menu is open. A page adds its own while it
 * is shown; the visitor can switch all of them off.
 *
 * @typedef {Record<string, () => void>} Keys what each key does
 */

import { setting } from "../../net/settings.js";

/** @type {Keys[]} the latest first */
let added = [];

/**
 * Adds shortcuts until the returned function is called; those of a page come before those of every page.
 *
 * @param {Keys} keys
 */
export function addKeys(keys) {
  if (!added.length) document.addEventListener("keydown", press);
  added = [keys, ...added];
  return () => {
    added = added.filter((each) => each !== keys);
  };
}

/** @param {KeyboardEvent} event */
function press(event) {
  if (!setting("keys") || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest("input, textarea, select, [role='menu']") || document.querySelector("dialog[open]")) return;
  const key = event.key.toLowerCase();
  const keys = added.find((each) => key in each);
  if (!keys) return;
  event.preventDefault();
  keys[key]();
}
