/**
 * The live connection of the lobby. It reconnects by itself and keeps the lobby as it stands: the whole state comes first,
 * then changes, whose versions have no gap; after a gap it connects again.
 *
 * @import { DeclinedMessage, LobbyMessage, LobbyState, MineMessage, PairedMessage } from "../wire.d.ts"
 * @import { Socket } from "./open-socket.js"
 * @typedef {{changed: () => void, paired: (message: PairedMessage) => void,
 *   declined: (message: DeclinedMessage) => void}} LobbyHandlers
 */

import { LiveSocket } from "./live-socket.js";

export class LobbySocket {
  /** @type {LiveSocket<LobbyMessage>} */
  #live;
  /** @type {LobbyState | null} */
  state = null;
  /** @type {Pick<MineMessage, "seeks" | "challenges">} */
  mine = { seeks: [], challenges: [] };

  /**
   * @param {LobbyHandlers} handlers
   * @param {(path: string) => Socket} [open]
   * @param {() => Promise<boolean>} [answers] tells whether the server answers
   */
  constructor(handlers, open, answers) {
    this.handlers = handlers;
    this.#live = new LiveSocket("lobby/live", (message) => this.#receive(message), open, answers);
    this.#live.connect();
  }

  close() {
    this.#live.close();
  }

  /** @param {LobbyMessage} message */
  #receive(message) {
    if (message.type === "state") {
      this.#live.works();
      this.state = message;
    } else if (message.type === "mine") {
      this.mine = message;
    } else if (message.type === "change") {
      const next = this.state && changed(this.state, message);
      if (!next) return this.#live.reconnect();
      this.state = next;
    } else if (message.type === "paired") {
      return this.handlers.paired(message);
    } else if (message.type === "declined") {
      return this.handlers.declined(message);
    } else return;
    this.handlers.changed();
  }
}

/**
 * Returns the lobby after a change; null if one before it is missing.
 *
 * @param {LobbyState} state
 * @param {Extract<LobbyMessage, {type: "change"}>} change
 * @returns {LobbyState | null}
 */
export function changed(state, change) {
  if (change.version !== state.version + 1) return null;
  const gone = new Set([...change.removed, ...change.added.map(({ number }) => number)]);
  const playing = { ...state.playing };
  for (const [game, match] of Object.entries(change.playing)) {
    if (match) playing[game] = match;
    else delete playing[game];
  }
  return {
    ...state,
    version: change.version,
    counts: change.counts ?? state.counts,
    seeks: [...state.seeks.filter(({ number }) => !gone.has(number)), ...change.added],
    playing,
  };
}
