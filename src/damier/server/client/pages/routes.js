/**
 * Which page an address means.
 *
 * @import { OpenPage } from "../types.d.ts"
 * @typedef {{load: () => Promise<{open: OpenPage}>, argument: string, second?: string}} Route
 */

import { needSentences } from "../net/language.js";

/**
 * Returns how to load a page together with its own part of the sentences.
 *
 * @param {string} part
 * @param {Route["load"]} load
 * @returns {Route["load"]}
 */
const saying = (part, load) => async () => (await Promise.all([load(), needSentences(part)]))[0];

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
  [/^\/account$/, () => import("./account/account.js")],
  [/^\/u\/([^/]+)$/, () => import("./account/person.js")],
  [/^\/explore\/([^/]+)$/, saying("solutions", () => import("./solutions/explore.js"))],
  [/^\/leaderboard$/, () => import("./leaderboard.js")],
  [/^\/lobby$/, () => import("./lobby/lobby.js")],
  [/^\/lobby\/([^/]+)$/, () => import("./lobby/challenge.js")],
  [/^\/moderation$/, saying("moderation", () => import("./moderation/moderation.js"))],
  [/^\/matches$/, () => import("./matches/matches.js")],
  [/^\/notices$/, saying("notices", () => import("./notices/notices.js"))],
  [/^\/privacy$/, saying("privacy", () => import("./privacy.js"))],
  [/^\/tournaments$/, () => import("./tournaments/list.js")],
  [/^\/t\/([^/]+)$/, () => import("./tournaments/tournament.js")],
  [/^\/solutions(?:\/([^/]+))?$/, saying("solutions", () => import("./solutions/solutions.js"))],
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
