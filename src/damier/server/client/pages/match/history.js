/** What has been played, turn by turn. */

import { die } from "../../board/pieces.js";
import { t } from "../../net/language.js";
import { h } from "../../ui/dom.js";

const WIDE = "(min-width: 900px)";

/** Returns the list; it stays open or folded as it was. A click on an action goes to the moment after it. */
export function historyList(state, snapshot, place, moment, goTo) {
  const before = place.querySelector("details");
  const isOpen = before ? before.open : matchMedia(WIDE).matches;
  if (!state.history.length) return [];
  const list = h(
    "ol",
    { class: "turns", tabindex: "0", "aria-label": t("history.title") },
    byTurn(state.history).map((entry) => line(entry, snapshot, moment, goTo)),
  );
  requestAnimationFrame(() => keepInSight(list));
  return [
    h(
      "details",
      { class: "fold", open: isOpen },
      h("summary", {}, t("history.title"), " ", h("span", { class: "soft" }, String(state.history.length))),
      list,
    ),
  ];
}

/** The actions of one turn stand together; a roll belongs to the turn that follows it. */
function byTurn(history) {
  const turns = [];
  for (const [i, { action, player, turn }] of history.entries()) {
    const last = turns.at(-1);
    const goesOn = last && last.turn === turn && (last.player === player || last.player === "chance");
    if (goesOn) {
      last.actions.push({ action, moment: i + 1 });
      last.player = player;
    } else turns.push({ turn, player, actions: [{ action, moment: i + 1 }] });
  }
  return turns;
}

function line({ player, actions }, snapshot, now, goTo) {
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
          { type: "button", class: "plain", "aria-current": moment === now ? "step" : null, click: () => goTo(moment) },
          readable(action),
        ),
      ),
    ),
  );
}

function keepInSight(list) {
  const now = list.querySelector("[aria-current]");
  if (now) now.scrollIntoView({ block: "nearest" });
  else list.scrollTop = list.scrollHeight;
}

/** A roll is shown as a die. */
function readable(action) {
  const points = /^roll:(\d)$/.exec(action)?.[1];
  return points ? die(Number(points), t("dice.shows", { points })) : action;
}
