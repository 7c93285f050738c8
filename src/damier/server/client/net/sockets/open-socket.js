/** Opens sockets to the server. */

import { language } from "../language.js";

/** @typedef {Pick<WebSocket, "readyState" | "send" | "close" | "onopen" | "onmessage" | "onclose">} Socket */

/** WebSocket.OPEN, for sockets of tests as well. */
export const OPEN = 1;
/** WebSocket.CONNECTING. */
export const CONNECTING = 0;

/**
 * @param {string} path under /api/
 * @returns {Socket}
 */
export function openSocket(path) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${location.host}/api/${path}?lang=${language()}`);
}
