/** Requests to the server; see docs/server.md. */

import { language, t } from "./language.js";

/** A request that the server refused or never answered; the message is a sentence for people. */
export class Refused extends Error {
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

async function ask(path, query, init) {
  const parameters = new URLSearchParams({ ...query, lang: language() });
  let answer;
  try {
    answer = await fetch(`/api/${path}?${parameters}`, init);
  } catch {
    throw new Refused(t("error.offline"), 0);
  }
  const data = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refused(data?.error ?? t("error.server", { status: answer.status }), answer.status);
  return data;
}

export const get = (path, query = {}) => ask(path, query);

export const post = (path, body) =>
  ask(path, {}, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/** Lines of JSON as they come. */
export async function* stream(path, body, signal) {
  const answer = await fetch(`/api/${path}?lang=${language()}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  if (!answer.ok)
    throw new Refused(
      (await answer.json().catch(() => null))?.error ?? t("error.server", { status: answer.status }),
      answer.status,
    );
  let rest = "";
  for await (const part of parts(answer.body.pipeThrough(new TextDecoderStream()))) {
    const lines = (rest + part).split("\n");
    rest = lines.pop();
    for (const line of lines) yield JSON.parse(line);
  }
}

/** What a stream brings; not every browser can go through one by itself. */
async function* parts(readable) {
  const reader = readable.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    reader.cancel().catch(() => {});
  }
}

let games;
let gamesLang;

/** All games; asked for once in each language. */
export function allGames() {
  if (gamesLang !== language()) {
    gamesLang = language();
    games = get("games").catch((error) => {
      gamesLang = undefined;
      throw error;
    });
  }
  return games;
}

export const match = (number) => get(`matches/${encodeURIComponent(number)}`);
export const drawing = (game, options) => get(`games/${game}/drawing`, options);
export const example = (game) => get(`games/${game}/example`);
export const why = (number, what) => post(`matches/${encodeURIComponent(number)}/why`, what);
export const values = (number) => get(`matches/${encodeURIComponent(number)}/values`);
export const hint = (number) => get(`matches/${encodeURIComponent(number)}/hint`);
export const takeSeat = (number, invitation) => post(`matches/${encodeURIComponent(number)}/seats`, { invitation });
export const newMatch = (game, options, seats) => post("matches", { game, options, seats });
