/**
 * Requests to the server; see docs/server.md.
 *
 * @import { OptionValues } from "../types.d.ts"
 * @import { GameData, GameLine, Attempt, NewMatch, ReviewLine, Get, Post, Put } from "./wire.d.ts"
 */

import { language, t } from "./language.js";
import { KEPT } from "./version.js";

/** A request that the server refused or did not answer; the message is a sentence for people. */
export class RequestRefused extends Error {
  /**
   * @param {string} sentence
   * @param {number} status the HTTP status, 0 without an answer
   */
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

/**
 * Returns the JSON of the answer, of whatever type; `get` and `post` declare it for each path.
 *
 * @param {string} path
 * @param {Record<string, string | number>} query
 * @param {RequestInit} [init]
 */
async function request(path, query, init) {
  const parameters = new URLSearchParams({ ...texts(query), lang: language() });
  let answer;
  try {
    answer = await fetch(`/api/${path}?${parameters}`, init);
  } catch {
    throw new RequestRefused(t("error.offline"), 0);
  }
  const data = await answer.json().catch(() => null);
  if (!answer.ok) throw refused(answer, data);
  return data;
}

/**
 * @param {Response} answer
 * @param {{error?: string} | null} data
 */
const refused = (answer, data) =>
  new RequestRefused(data?.error ?? t("error.server", { status: answer.status }), answer.status);

/** @param {Record<string, string | number>} query */
const texts = (query) => Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));

/** @param {object} body */
const posted = (body, method = "POST") => ({
  method,
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

/** @type {Get} */
export const get = (/** @type {string} */ path, /** @type {Record<string, string | number>} */ query = {}) =>
  request(path, query);

/** @type {Post} */
export const post = (/** @type {string} */ path, /** @type {object} */ body = {}) => request(path, {}, posted(body));

/** @type {Put} */
export const put = (/** @type {string} */ path, /** @type {object} */ body) => request(path, {}, posted(body, "PUT"));

/**
 * Deletes what a path names.
 *
 * @param {string} path
 */
export const remove = (path) => request(path, {}, { method: "DELETE" });

/**
 * Declines a challenge.
 *
 * @param {string} number
 */
export const declineSeek = (number) => request(`seeks/${encodeURIComponent(number)}/decline`, {}, { method: "POST" });

/**
 * Sends the token of a link in an e-mail.
 *
 * @param {string} path
 * @param {string} token
 */
export const sendToken = (path, token) => request(path, { token }, { method: "POST" });

/** Has the server forget the visitor. */
export const forgetVisitor = () => remove("me");

/**
 * Sends what is answered without data.
 *
 * @param {string} path
 * @param {object} body
 * @param {"POST" | "PUT"} method
 */
export const send = (path, body = {}, method = "POST") => request(path, {}, posted(body, method));

/**
 * Yields the lines of a review as they come.
 *
 * @param {GameLine} line
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<ReviewLine>}
 */
export async function* review(line, signal) {
  const answer = await fetch(`/api/lines/review?lang=${language()}`, { ...posted(line), signal });
  if (!answer.ok || !answer.body) throw refused(answer, await answer.json().catch(() => null));
  let rest = "";
  for await (const part of chunks(answer.body.pipeThrough(new TextDecoderStream()))) {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    for (const each of lines) yield JSON.parse(each);
  }
}

/**
 * Yields the chunks of a stream; not every browser can iterate over one.
 *
 * @param {ReadableStream<string>} readable
 */
async function* chunks(readable) {
  const reader = readable.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** @type {Promise<GameData[]> | undefined} */
let games;
/** @type {string | undefined} */
let gamesLanguage;

/** All games; requested once in each language. */
export function allGames() {
  if (!games || gamesLanguage !== language()) {
    gamesLanguage = language();
    games = get("games", KEPT).catch((error) => {
      gamesLanguage = undefined;
      throw error;
    });
  }
  return games;
}

/**
 * Returns a game; throws a sentence if there is none of that name.
 *
 * @param {string} name
 */
export async function gameNamed(name) {
  const game = (await allGames()).find((each) => each.name === name);
  if (!game) throw new Error(t("error.page"));
  return game;
}

/** @param {string} number */
const matchPath = (number) => /** @type {const} */ (`matches/${encodeURIComponent(number)}`);

/** @param {string} number */
export const match = (number) => get(matchPath(number));
/**
 * @param {string} game
 * @param {OptionValues} [options]
 */
export const drawing = (game, options) => get(`games/${encodeURIComponent(game)}/drawing`, { ...options, ...KEPT });
/**
 * What each legal action of a position does.
 *
 * @param {string} game
 * @param {OptionValues} options
 * @param {string} position
 */
export const previews = (game, options, position) => post("previews", { game, options, position });
/** @param {string} game */
export const example = (game) => get(`games/${encodeURIComponent(game)}/example`, KEPT);
/**
 * @param {string} number
 * @param {Attempt} attempt
 */
export const why = (number, attempt) => post(`${matchPath(number)}/why`, attempt);
/** @param {string} number */
export const values = (number) => get(`${matchPath(number)}/values`);
/** @param {string} number */
export const hint = (number) => get(`${matchPath(number)}/hint`);
/**
 * @param {string} number
 * @param {string} invitation
 */
export const takeSeat = (number, invitation) => post(`${matchPath(number)}/seats`, { invitation });
/**
 * @param {string} game
 * @param {OptionValues} options
 * @param {NewMatch["seats"]} seats
 * @param {NewMatch["clock"]} clock
 */
export const newMatch = (game, options, seats, allowsHelp = false, clock = null) =>
  post("matches", { game, options, seats, allows_help: allowsHelp, clock });
