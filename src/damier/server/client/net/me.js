/**
 * The visitor: a nickname, and the matches that came with the page.
 *
 * @import { MatchSummary, VisitData } from "./wire.d.ts"
 */

import { get, put } from "./api.js";
import { language } from "./language.js";

/** @type {Set<() => void>} */
const listeners = new Set();
/** @type {VisitData | null} what the server wrote into the page */
const visit = JSON.parse(document.getElementById("visit")?.textContent || "null");
let name = visit?.nickname ?? "";
let given = isFresh() ? visit : null;

/** Whether the page comes from the server, not from the browser's history. */
function isFresh() {
  const [how] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  return how?.type !== "back_forward";
}

export const nickname = () => name;

/** @param {string} wanted */
export async function rename(wanted) {
  name = (await put("me", { nickname: wanted })).nickname;
  for (const listener of listeners) listener();
}

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
