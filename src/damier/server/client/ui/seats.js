/** Who plays: seats, hands, presence, and links for those who are still to come. */

import { smallPiece } from "../board/pieces.js";
import { t } from "../net/language.js";
import { button, h } from "./dom.js";

/** How many pieces a player holds; the sentence about them ends with the number where it is not given. */
export function handCount(state, player) {
  return state.hand_counts?.[player] ?? Number((state.hands?.[player] ?? "").match(/\d+/g)?.at(-1) ?? 0);
}

export function players(snapshot, state, drawing, game, thinking) {
  return h(
    "ul",
    { class: "players" },
    snapshot.seats.map((seat) => {
      const isMover = seat.player === state.mover && !state.result;
      const isWinner = state.result?.winner === seat.player;
      return h(
        "li",
        { class: `${isMover ? "on-move" : ""}${isWinner ? " winner" : ""}`, "aria-current": isMover ? "true" : null },
        smallPiece(drawing.looks[seat.player]),
        h(
          "div",
          {},
          h("p", {}, h("b", {}, seat.name), " ", h("span", { class: "soft" }, who(seat, game))),
          hand(state, drawing, seat),
        ),
        h(
          "span",
          { class: "seat-state" },
          condition(seat, { isMover, isWinner, isThinking: thinking === seat.player }),
        ),
      );
    }),
  );
}

function who(seat, game) {
  if (seat.kind === "computer") {
    const level = game.levels.find(({ level: each }) => each === seat.level);
    return t("seat.computer", { level: level ? level.name : seat.level });
  }
  if (seat.kind === "open") return t("seat.open");
  return t(seat.is_mine ? "seat.me" : "seat.other");
}

function condition(seat, { isMover, isWinner, isThinking }) {
  if (isWinner) return t("seat.won");
  if (isThinking) return t("seat.thinking");
  if (isMover) return t("seat.on_move");
  if (seat.kind === "person" && !seat.is_mine) return t(seat.is_here ? "seat.here" : "seat.away");
  return "";
}

function hand(state, drawing, seat) {
  const text = state.hands?.[seat.player];
  if (!text) return null;
  const count = handCount(state, seat.player);
  return h(
    "p",
    { class: "hand", role: "img", "aria-label": text, title: text },
    Array.from({ length: Math.min(count, 12) }, () => smallPiece(drawing.looks[seat.player])),
    h("span", { class: "soft" }, String(count)),
  );
}

/** Links for open seats and for those who only watch, while a seat is open. */
export function invitations(snapshot) {
  if (!snapshot.seats.some((seat) => seat.kind === "open")) return [];
  const address = `${location.origin}/m/${snapshot.number}`;
  const links = Object.entries(snapshot.invitations ?? {}).map(([player, invitation]) => {
    const seat = snapshot.seats.find((each) => each.player === player);
    return link(t("invite.play", { player: seat?.name ?? player }), `${address}#${invitation}`);
  });
  return [
    h(
      "section",
      { class: "invite panel" },
      h("h2", {}, t("invite.title")),
      h("p", { class: "soft" }, t("invite.intro")),
      links,
      link(t("invite.watch"), address),
    ),
  ];
}

/** A text to copy, with its button. */
export function link(label, address) {
  const input = h("input", {
    type: "text",
    readonly: true,
    value: address,
    "aria-label": label,
    focus: ({ target }) => target.select(),
  });
  const copied = async ({ currentTarget }) => {
    const text = currentTarget.querySelector("span");
    try {
      await navigator.clipboard.writeText(address);
    } catch {
      input.select();
      document.execCommand("copy");
    }
    text.textContent = t("invite.copied");
    setTimeout(() => (text.textContent = t("invite.copy")), 2000);
  };
  return h(
    "div",
    { class: "field link" },
    h("span", {}, label),
    h("div", {}, input, button(t("invite.copy"), copied, { sign: "copy" })),
  );
}
