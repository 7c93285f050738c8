/**
 * Events of a match: those that come at once are drawn one after the other, and told by sound and to screen readers.
 *
 * @import { DrawingData, MatchSnapshot, MatchState } from "../../net/wire.d.ts"
 * @import { Happened } from "../../net/sockets/match-socket.js"
 */

import { paced } from "../../board/motion.js";
import { rolledPoints } from "../../board/rolls.js";
import { t } from "../../net/language.js";
import { isStill } from "../../net/settings.js";
import { play as sound } from "../../ui/sound.js";
import { speak } from "../../ui/speak.js";
import { endTitle } from "./ending.js";

/** @type {Record<string, number>} milliseconds before the next event, by kind */
const PAUSES = { roll: 320, play: 320 };

/** Hands events on, one after the other. */
export class EventQueue {
  /** @type {Happened[]} */
  #waiting = [];
  #isBusy = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {(message: Happened) => void} draw */
  constructor(draw) {
    this.draw = draw;
  }

  /** The number of the last event that waits, if any does. */
  get last() {
    return this.#waiting.at(-1)?.seq;
  }

  /** @param {Happened} message */
  add(message) {
    this.#waiting.push(message);
    if (!this.#isBusy) this.#next();
  }

  clear() {
    this.#waiting = [];
  }

  close() {
    clearTimeout(this.#timer);
  }

  #next() {
    const message = this.#waiting.shift();
    this.#isBusy = Boolean(message);
    if (!message) return;
    this.draw(message);
    const pause = PAUSES[message.event.kind] ?? 0;
    this.#timer = setTimeout(() => this.#next(), isStill() ? pause / 3 : paced(pause));
  }
}

/**
 * Tells of an event by sound and to screen readers; `say` also shows a sentence.
 *
 * @param {Happened} message
 * @param {MatchState} before
 * @param {{snapshot: MatchSnapshot, drawing: DrawingData, say: (text: string) => void, title: string}} about `title`:
 *   what the page says now
 */
export function tell({ event, state }, before, { snapshot, drawing, say, title }) {
  const name = (/** @type {string} */ player) => snapshot.seats.find((seat) => seat.player === player)?.name ?? "";
  if (event.kind === "play") {
    sound(state.pieces.length < before.pieces.length ? "burst" : "set");
    speak(t("said.play", { player: name(event.player), action: event.action }));
  } else if (event.kind === "roll") {
    sound("roll");
    speak(t("dice.shows", { points: rolledPoints(drawing, [event.action])[0] ?? "" }));
  } else if (event.kind === "undo") speak(t("said.undo"));
  else if (event.kind === "offer" && !state.can.answer)
    speak(
      state.offer?.is_mine ? t(`offer.mine.${event.what}`) : t(`offer.${event.what}`, { player: name(event.player) }),
    );
  else if (event.kind === "flag" && !state.result) say(t("clock.flag.out", { player: name(event.player) }));
  else if (event.kind === "claim" && !state.result) say(t("clock.claim.out", { player: name(event.absent) }));
  else if (event.kind === "resign" && !state.result) say(t("clock.resign.out", { player: name(event.player) }));
  else if (event.kind === "accept") speak(t("offer.accepted", { player: name(event.player) }));
  else if (event.kind === "decline") say(t("offer.declined"));
  else if (event.kind === "withdraw") say(t("offer.withdrawn"));
  else if (event.kind === "rematch") say(t("match.next.begun"));
  else if (event.kind === "vacation") say(t("slow.away.said", { player: name(event.player) }));
  else if (event.kind === "return") say(t("slow.back.said", { player: name(event.player) }));
  if (state.result && !before.result) {
    sound("end");
    speak(endTitle(state.result, snapshot));
  } else if (state.is_my_turn && !before.is_my_turn) speak(title);
}
