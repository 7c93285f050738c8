/**
 * Which page an address means.
 *
 * @import { OpenPage } from "../types.d.ts"
 * @typedef {{load: () => Promise<{open: OpenPage}>, argument: string, second?: string}} Route
 */

/** @type {[RegExp, Route["load"]][]} */
const ROUTES = [
  [/^\/$/, () => import("./home.js")],
  [/^\/m\/([^/]+)$/, () => import("./match/match.js")],
  [/^\/dice\/([^/]+)$/, () => import("./match/dice.js")],
  [/^\/learn$/, () => import("./learn/learn.js")],
  [/^\/learn\/([^/]+)$/, () => import("./learn/lesson.js")],
  [/^\/rules\/([^/]+)$/, () => import("./learn/rules.js")],
  [/^\/puzzles\/([^/]+)(?:\/([^/]+))?$/, () => import("./learn/puzzle.js")],
  [/^\/analyse(?:\/([^/]+))?$/, () => import("./analyse/analyse.js")],
  [/^\/explore\/([^/]+)$/, () => import("./solutions/explore.js")],
  [/^\/privacy$/, () => import("./privacy.js")],
  [/^\/solutions(?:\/([^/]+))?$/, () => import("./solutions/solutions.js")],
];

/**
 * Returns how to load the page of a path, and the parts of the path that it needs; null if there is no such page.
 *
 * @param {string} path
 * @returns {Route | null}
 */
export function routeOf(path) {
  for (const [pattern, load] of ROUTES) {
    const found = pattern.exec(path);
    if (!found) continue;
    const [argument, second] = found.slice(1).map((part) => (part === undefined ? part : decodeURIComponent(part)));
    return { load, argument: argument ?? "", second };
  }
  return null;
}
