/**
 * What only correspondence matches have on their page: who is on vacation, and the player's own conditional turns.
 *
 * @import { ClocksData, ConditionalData, DrawingData, GameData, MatchSnapshot, MatchState } from "../../../net/wire.d.ts"
 * @typedef {{snapshot: MatchSnapshot, state: MatchState, drawing: DrawingData, game: GameData}} Match
 */

import { get, put } from "../../../net/api.js";
import { t } from "../../../net/language.js";
import { button, h, sentenceOf } from "../../../ui/dom.js";
import { speak } from "../../../ui/speak.js";
import { endDay } from "./end-day.js";
import { lineText } from "./plan.js";
import { planDialog } from "./plan-dialog.js";

export class SlowPart {
  /** @type {ConditionalData | null} */
  #kept = null;
  /** The state for which the conditional turns were asked for last. */
  #asked = "";

  /** @param {Match} match as it is at any time */
  constructor(match) {
    this.match = match;
    this.away = h("div", { class: "away" });
    this.plans = h("div", { class: "plans" });
    this.problem = h("p", { class: "problem", role: "alert" });
    this.element = h("section", { class: "slow panel", "aria-label": t("slow.label"), hidden: true }, [
      this.away,
      this.plans,
      this.problem,
    ]);
  }

  get #mine() {
    return this.match.snapshot.seats.filter((seat) => seat.is_mine);
  }

  /** Whether the visitor could have conditional turns in this match. */
  get #plans() {
    const { snapshot, state, game } = this.match;
    const isFull = snapshot.seats.every((seat) => seat.kind !== "open");
    return (
      !game.has_chance &&
      snapshot.seats.length === 2 &&
      this.#mine.length === 1 &&
      isFull &&
      !state.result &&
      !state.older
    );
  }

  /**
   * Draws what is known, and asks for the conditional turns if the match has gone on.
   *
   * @param {ClocksData | null} clocks as they are now
   */
  update(clocks) {
    this.#drawAway(clocks);
    const { seq } = this.match.snapshot;
    if (!this.#plans) this.#kept = null;
    else if (this.#asked !== `${seq}`) {
      this.#asked = `${seq}`;
      this.#load();
    }
    this.#draw();
  }

  async #load() {
    const asked = this.#asked;
    const found = await get(`matches/${encodeURIComponent(this.match.snapshot.number)}/conditional`).catch(() => null);
    if (asked !== this.#asked) return;
    if (!found) this.#asked = ""; // again with the next event
    this.#kept = found;
    this.#draw();
  }

  /** @param {ClocksData | null} clocks */
  #drawAway(clocks) {
    const { seats, state } = this.match.snapshot;
    const away = this.match.state.result || state.result ? {} : (clocks?.away ?? {});
    const texts = seats
      .filter(({ player }) => player in away)
      .map((seat) =>
        seat.is_mine
          ? t("slow.away.mine", { day: endDay(away[seat.player]) })
          : t("slow.away", { player: seat.nickname ?? seat.name, day: endDay(away[seat.player]) }),
      );
    this.away.replaceChildren(...texts.map((text) => h("p", {}, text)));
  }

  #draw() {
    const kept = this.#kept;
    const parts = [];
    if (kept && (kept.can_enter || kept.lines.length)) {
      parts.push(h("h2", {}, t("plan.title")), h("p", { class: "soft" }, t("plan.intro")));
      if (kept.lines.length) parts.push(this.#list(kept));
      const isFull = kept.lines.length >= kept.most_lines;
      if (kept.can_enter && !isFull) parts.push(button(t("plan.add"), () => this.#plan(kept), { look: "main" }));
    }
    this.plans.replaceChildren(...parts);
    this.element.hidden = !parts.length && !this.away.childElementCount;
  }

  /** @param {ConditionalData} kept */
  #list(kept) {
    return h(
      "ul",
      { "aria-label": t("plan.list") },
      kept.lines.map((line) => {
        const text = lineText(line);
        const others = kept.lines.filter((each) => each !== line);
        const remove = button(t("plan.remove"), () => this.#keep(kept, others), { sign: "close", look: "quiet" });
        remove.setAttribute("aria-label", t("plan.remove.of", { line: text }));
        return h("li", {}, h("span", {}, text), kept.can_enter && remove);
      }),
    );
  }

  /**
   * Stores lines, instead of those before; throws a sentence if they are refused.
   *
   * @param {ConditionalData} kept
   * @param {string[][][]} lines
   */
  async #store(kept, lines) {
    const path = /** @type {const} */ (`matches/${encodeURIComponent(this.match.snapshot.number)}/conditional`);
    this.#kept = await put(path, { turn: kept.turn, lines });
    this.problem.textContent = "";
    this.#draw();
  }

  /**
   * @param {ConditionalData} kept
   * @param {string[][][]} lines
   */
  async #keep(kept, lines) {
    try {
      await this.#store(kept, lines);
      speak(t("plan.removed"));
    } catch (error) {
      this.problem.textContent = sentenceOf(error);
    }
  }

  /** @param {ConditionalData} kept */
  #plan(kept) {
    planDialog(this.match, kept, async (line) => {
      await this.#store(kept, [...kept.lines, line]);
      speak(t("plan.kept"));
    });
  }
}
