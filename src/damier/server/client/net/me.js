/**
 * The visitor: a nickname, and the matches that came with the page.
 *
 * @import { MatchSummary, VisitData } from "./wire.d.ts"
 */

import { forgetVisitor, get, put } from "./api.js";
import { language } from "./language.js";
import { forgetSettings } from "./settings.js";

/** @type {Set<() => void>} */
const listeners = new Set();
/** @type {VisitData | null} what the server wrote into the page */
const visit = JSON.parse(document.getElementById("visit")?.textContent || "null");
let name = visit?.nickname ?? "";
let given = isFresh() ? visit : null;
let isGone = false;

/** Whether the page comes from the server, not from the browser's history. */
function isFresh() {
  const [how] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  return how?.type !== "back_forward";
}

export const nickname = () => name;

/** The name of the account that is signed in, null for a guest. */
export const account = () => (isGone ? null : (visit?.account ?? null));

/** @param {string} wanted */
export async function rename(wanted) {
  name = (await put("me", { nickname: wanted })).nickname;
  for (const listener of listeners) listener();
}

/** Has everything forgotten that the server and this browser know of the visitor. */
export async function forgetMe() {
  await forgetVisitor();
  forgetSettings();
  name = "";
  given = null;
  isGone = true;
  for (const listener of listeners) listener();
}

/** Whether the visitor has been forgotten: the next page has to be loaded anew, for a new visitor. */
export const isForgotten = () => isGone;

/**
 * Calls `listener` when the nickname has changed, until the returned function is called.
 *
 * @param {() => void} listener
 */
export function onRename(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Returns the visitor's last matches; without a request if they came with the page, once.
 *
 * @returns {Promise<MatchSummary[]>}
 */
export async function lastMatches() {
  const known = given?.lang === language() ? given.matches : null;
  given = null;
  return known ?? get("matches");
}
