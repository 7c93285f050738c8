/** What has been played, turn by turn. */

import { h } from "./dom.js";
import { die } from "./pieces.js";
import { t } from "./words.js";

const WIDE = "(min-width: 900px)";

/** Returns the list; it stays open or folded as it was. */
export function historyList(state, snapshot, place) {
  const before = place.querySelector("details");
  const isOpen = before ? before.open : matchMedia(WIDE).matches;
  if (!state.history.length) return [];
  const list = h("ol", { class: "turns", tabindex: "0", "aria-label": t("history.title") }, byTurn(state.history).map((entry) => line(entry, snapshot)));
  requestAnimationFrame(() => (list.scrollTop = list.scrollHeight));
  return [h("details", { class: "fold", open: isOpen }, h("summary", {}, t("history.title"), " ", h("span", { class: "soft" }, String(state.history.length))), list)];
}

/** The actions of one turn stand together; a roll belongs to the turn that follows it. */
function byTurn(history) {
  const turns = [];
  for (const { action, player, turn } of history) {
    const last = turns.at(-1);
    const goesOn = last && last.turn === turn && (last.player === player || last.player === "chance");
    if (goesOn) {
      last.actions.push(action);
      last.player = player;
    } else turns.push({ turn, player, actions: [action] });
  }
  return turns;
}

function line({ player, actions }, snapshot) {
  const name = snapshot.seats.find((seat) => seat.player === player)?.name ?? "";
  return h("li", {}, h("span", { class: "soft" }, name), h("span", { class: "said" }, actions.flatMap((action) => [readable(action), " "])));
}

/** A roll is shown as a die. */
function readable(action) {
  const points = /^roll:(\d)$/.exec(action)?.[1];
  return points ? die(Number(points), t("dice.shows", { points })) : action;
}
