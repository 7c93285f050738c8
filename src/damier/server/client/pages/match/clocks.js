/**
 * The clocks of a match. The server says what is left with each event; in between they count down by the monotonic clock
 * of the browser. The server alone decides when a flag falls.
 *
 * @import { ClocksData, MatchSnapshot, ResultData } from "../../net/wire.d.ts"
 */

import { t } from "../../net/language.js";
import { spokenTime, timeText } from "../../ui/clock-text.js";
import { button, h } from "../../ui/dom.js";
import { play as sound } from "../../ui/sound.js";
import { speak } from "../../ui/speak.js";

const TENTHS = 10_000; // milliseconds below which tenths are shown
const SPOKEN = [60_000, 30_000, 10_000];
const [LEAST_WARNING, MOST_WARNING, WARNING_SHARE] = [5000, 30_000, 0.1];

/**
 * Returns what the clocks show some milliseconds after they were sent.
 *
 * @param {ClocksData} data
 * @param {number} elapsed
 * @returns {ClocksData}
 */
export function after(data, elapsed) {
  const { running, free, first, claim, away } = data;
  const ran = Math.max(0, elapsed - (away[running ?? ""] ?? 0)); // a vacation stops the clock
  const less = (/** @type {number | null} */ value) => (value === null ? null : Math.max(0, value - ran));
  const left = { ...data.left };
  if (running !== null && first === null) left[running] = Math.max(0, left[running] - Math.max(0, ran - free));
  const still = Object.entries(away).flatMap(([player, rest]) => (rest > elapsed ? [[player, rest - elapsed]] : []));
  const times = { free: Math.max(0, free - ran), first: less(first), claim: less(claim) };
  return { left, running, ...times, away: Object.fromEntries(still) };
}

export class ClockFaces {
  /** @type {ClocksData | null} */
  #data = null;
  #at = 0;
  /** @type {Map<string, HTMLElement>} */
  #faces = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #noteKey = "";
  /** What was left when it was spoken last, and whether the warning sounded, in this turn. */
  #spoken = Infinity;
  #hasWarned = false;

  /**
   * @param {MatchSnapshot} snapshot
   * @param {HTMLElement} place of what is said of first turns and absence
   * @param {{abort: () => void, claim: (what: "win" | "draw") => void, canAbort: () => boolean}} acts
   */
  constructor(snapshot, place, acts) {
    this.snapshot = snapshot;
    this.place = place;
    this.acts = acts;
    this.text = h("p", {});
    this.buttons = h("div", { class: "buttons" });
    this.renew(snapshot);
  }

  /** @param {MatchSnapshot} snapshot */
  renew(snapshot) {
    this.snapshot = snapshot;
    this.set(snapshot.clocks, snapshot.state.result);
  }

  /**
   * @param {ClocksData | null} data as it was sent just now
   * @param {ResultData | null} result
   */
  set(data, result) {
    if (!this.snapshot.clock) return;
    if (data?.running !== this.#data?.running) this.#spoken = Infinity;
    this.#data = data && result ? { ...data, running: null, first: null, claim: null } : data;
    this.#at = performance.now();
    this.#draw();
  }

  /** What the clocks show now; null without a clock. */
  get now() {
    return this.#data && after(this.#data, performance.now() - this.#at);
  }

  /**
   * Returns the face of a player's clock, null without a clock.
   *
   * @param {string} player
   */
  face(player) {
    if (!this.snapshot.clock) return null;
    let face = this.#faces.get(player);
    if (!face) {
      face = h("span", { class: "clock", role: "timer" });
      this.#faces.set(player, face);
      this.#draw();
    }
    return face;
  }

  close() {
    clearTimeout(this.#timer);
  }

  #draw() {
    clearTimeout(this.#timer);
    if (!this.#data) return;
    const now = after(this.#data, performance.now() - this.#at);
    for (const [player, face] of this.#faces) this.#drawFace(face, player, now);
    this.#drawNote(now);
    this.#hurry(now);
    if (now.running === null) return;
    const left = now.first ?? now.left[now.running];
    const isFast = left < TENTHS + 1000 && left > 0;
    this.#timer = setTimeout(() => this.#draw(), isFast ? 100 : 250);
  }

  /**
   * @param {HTMLElement} face
   * @param {string} player
   * @param {ClocksData} now
   */
  #drawFace(face, player, now) {
    const text = timeText(now.left[player]);
    if (face.textContent !== text) face.textContent = text;
    const isRunning = now.running === player && now.first === null && !(player in now.away);
    face.classList.toggle("runs", isRunning);
    face.classList.toggle("hurries", isRunning && now.left[player] < this.#warningAt);
    face.classList.toggle("over", now.left[player] <= 0);
    face.setAttribute("aria-label", t("clock.of", { player: this.#name(player), time: text }));
  }

  get #warningAt() {
    const base = 1000 * (this.snapshot.clock?.base ?? 0);
    return Math.min(MOST_WARNING, Math.max(LEAST_WARNING, WARNING_SHARE * base));
  }

  /**
   * Warns the player whose time is short by a sound, once a match, and says the time to screen readers.
   *
   * @param {ClocksData} now
   */
  #hurry(now) {
    const { running } = now;
    if (running === null || now.first !== null || !this.#isMine(running)) return;
    const left = now.left[running];
    if (left < this.#warningAt && left > 0 && !this.#hasWarned) {
      this.#hasWarned = true;
      sound("hurry");
    }
    const due = SPOKEN.findLast((moment) => left <= moment && moment < this.#spoken);
    if (due === undefined) return;
    if (left > 0 && left > due - 1500) speak(t("clock.left", { time: spokenTime(left) }));
    this.#spoken = due;
  }

  /**
   * Says how long a first turn may take, and when a game can be claimed.
   *
   * @param {ClocksData} now
   */
  #drawNote(now) {
    const { running, first, claim } = now;
    const player = running === null ? "" : this.#name(running);
    const isOther = running !== null && !this.#isMine(running) && this.snapshot.seats.some((seat) => seat.is_mine);
    let text = "";
    /** @type {HTMLElement[]} */
    let buttons = [];
    let key = "";
    if (running !== null && first !== null && first < 60_000) {
      const count = Math.ceil(first / 1000);
      text = this.#isMine(running) ? t("clock.first.mine", { count }) : t("clock.first", { player, count });
      key = this.acts.canAbort() ? "abort" : "first";
    } else if (isOther && claim !== null) {
      text =
        claim > 0
          ? t("clock.claim.wait", { player, count: Math.ceil(claim / 1000) })
          : t("clock.claim.now", { player });
      key = claim > 0 ? "wait" : "claim";
    }
    if (this.text.textContent !== text) this.text.textContent = text;
    if (key === this.#noteKey) return;
    this.#noteKey = key;
    if (key === "abort") buttons = [button(t("clock.abort"), () => this.acts.abort())];
    if (key === "claim") {
      speak(text);
      buttons = [button(t("clock.claim.win"), () => this.acts.claim("win"), { look: "main" })];
      if (this.snapshot.seats.length === 2) buttons.push(button(t("clock.claim.draw"), () => this.acts.claim("draw")));
    }
    this.buttons.replaceChildren(...buttons);
    this.place.replaceChildren(...(key ? [h("section", { class: "clock-note panel" }, this.text, this.buttons)] : []));
  }

  /** @param {string} player */
  #isMine(player) {
    return this.snapshot.seats.some((seat) => seat.player === player && seat.is_mine);
  }

  /** @param {string} player */
  #name(player) {
    return this.snapshot.seats.find((seat) => seat.player === player)?.name ?? "";
  }
}
