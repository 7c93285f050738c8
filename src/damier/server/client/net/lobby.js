/**
 * The lobby for all pages: one connection, which stays open while a page shows the lobby or the visitor seeks a live game,
 * so that a seek does not end when one plays against the computer meanwhile.
 *
 * @import { AcceptSeek, NewSeek, PairedMessage, SeekAnswer } from "./wire.d.ts"
 */

import { post, remove } from "./api.js";
import { LobbySocket } from "./sockets/lobby-socket.js";
import { noteSeeking } from "./seeking.js";

/** @type {LobbySocket | undefined} */
let socket;
/** @type {Set<() => void>} */
const listeners = new Set();
/** @type {((match: string) => void)[]} the one who was asked last is told */
const guides = [];
/** @type {Set<string>} matches that somebody was told of */
const told = new Set();
/** @type {Set<(name: string) => void>} */
const declined = new Set();

/** The lobby as it stands; null until it is known. */
export const lobbyState = () => socket?.state ?? null;

/** The visitor's own open seeks, and the challenges to the visitor. */
export const ownSeeks = () => socket?.mine ?? { seeks: [], challenges: [] };

/** The live seek or challenge for which the connection stays open, if any; a seek for anybody comes first. */
export function liveSeek() {
  const live = ownSeeks().seeks.filter((seek) => seek.is_live);
  return live.find((seek) => seek.kind === "open") ?? live[0];
}

/**
 * Calls `listener` when the lobby has changed, until the returned function is called.
 *
 * @param {() => void} listener
 */
export function followLobby(listener) {
  listeners.add(listener);
  socket ??= new LobbySocket({
    changed,
    paired: ({ match }) => lead(match),
    declined: ({ name }) => declined.forEach((each) => each(name)),
  });
  if (socket.state) listener();
  return () => {
    listeners.delete(listener);
    settle();
  };
}

/**
 * Calls `guide` when a match has begun, instead of those who were asked before, until the returned function is called.
 *
 * @param {(match: string) => void} guide
 */
export function onPaired(guide) {
  guides.push(guide);
  return () => void guides.splice(guides.indexOf(guide), 1);
}

/** @param {(name: string) => void} listener */
export function onDeclined(listener) {
  declined.add(listener);
  return () => void declined.delete(listener);
}

/** @param {string} match */
function lead(match) {
  if (told.has(match)) return;
  told.add(match);
  guides.at(-1)?.(match);
}

function changed() {
  for (const listener of listeners) listener();
  if (socket?.state) noteSeeking(Boolean(liveSeek()));
  settle();
}

/** Closes the connection when nobody needs it any more. */
function settle() {
  if (listeners.size || liveSeek()) return;
  socket?.close();
  socket = undefined;
}

/**
 * Opens a seek or a challenge; if a match has begun at once, leads there.
 *
 * @param {NewSeek} seek
 * @returns {Promise<SeekAnswer>}
 */
export async function makeSeek(seek) {
  const answer = await post("seeks", seek);
  if (answer.match) lead(answer.match);
  else if (answer.seek?.is_live) noteSeeking(true);
  return answer;
}

/**
 * Accepts a seek and returns the match.
 *
 * @param {string} number
 * @param {AcceptSeek} how
 */
export async function acceptSeek(number, how = {}) {
  const { match } = await post(`seeks/${encodeURIComponent(number)}/accept`, how);
  told.add(match);
  return match;
}

/** @param {string} number */
export const withdrawSeek = (number) => remove(`seeks/${encodeURIComponent(number)}`);
