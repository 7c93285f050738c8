/**
 * What has been played, turn by turn.
 *
 * @import { DrawingData, HistoryEntry, MatchSnapshot, MatchState } from "../../net/wire.d.ts"
 * @typedef {{turn: number, player: string, actions: {action: string, moment: number}[]}} Turn
 * @typedef {{snapshot: MatchSnapshot, drawing: DrawingData, moment: number | null, goTo: (moment: number) => void}} About
 */

import { shownAction } from "../../board/rolls.js";
import { t } from "../../net/language.js";
import { h } from "../../ui/dom.js";

const WIDE = "(min-width: 900px)";

/**
 * Makes the list; a click on an action goes to the moment after it.
 *
 * @param {MatchState} state
 * @param {Element} place where the list stands; it stays open or folded as it was
 * @param {About} about
 */
export function historyList({ history }, place, about) {
  const before = place.querySelector("details");
  const isOpen = before ? before.open : matchMedia(WIDE).matches;
  if (!history.length) return [];
  const list = h(
    "ol",
    { class: "turns", tabindex: "0", "aria-label": t("history.title") },
    byTurn(history).map((turn) => row(turn, about)),
  );
  requestAnimationFrame(() => keepInSight(list));
  return [
    h(
      "details",
      { class: "fold", open: isOpen },
      h("summary", {}, t("history.title"), " ", h("span", { class: "soft" }, String(history.length))),
      list,
    ),
  ];
}

/**
 * Groups the actions of each turn; a roll belongs to the turn that follows it.
 *
 * @param {readonly HistoryEntry[]} history
 * @returns {Turn[]}
 */
export function byTurn(history) {
  /** @type {Turn[]} */
  const turns = [];
  for (const [i, { action, player, turn }] of history.entries()) {
    const last = turns.at(-1);
    if (last && last.turn === turn && (last.player === player || last.player === "chance")) {
      last.actions.push({ action, moment: i + 1 });
      last.player = player;
    } else turns.push({ turn, player, actions: [{ action, moment: i + 1 }] });
  }
  return turns;
}

/**
 * @param {Turn} turn
 * @param {About} about
 */
function row({ player, actions }, { snapshot, drawing, moment: now, goTo }) {
  const name = snapshot.seats.find((seat) => seat.player === player)?.name ?? "";
  return h(
    "li",
    {},
    h("span", { class: "soft" }, name),
    h(
      "span",
      { class: "said" },
      actions.map(({ action, moment }) =>
        h(
          "button",
          {
            type: "button",
            class: "plain",
            "aria-current": moment === now ? "step" : null,
            click: () => goTo(moment),
          },
          shownAction(drawing, action),
        ),
      ),
    ),
  );
}

/** @param {Element} list */
function keepInSight(list) {
  const now = list.querySelector("[aria-current]");
  if (now) now.scrollIntoView({ block: "nearest" });
  else list.scrollTop = list.scrollHeight;
}
