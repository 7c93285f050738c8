/**
 * Who plays: seats, hands, presence, and links for open seats.
 *
 * @import { BoardState, DrawingData, GameData, MatchSnapshot, MatchState, SeatData } from "../net/wire.d.ts"
 */

import { smallPiece } from "../board/pieces.js";
import { t } from "../net/language.js";
import { button, h } from "./dom.js";

/**
 * Makes the list of the players.
 *
 * @param {MatchSnapshot} snapshot
 * @param {MatchState} state
 * @param {DrawingData} drawing
 * @param {GameData} game
 * @param {string | null} thinking the player for whom the computer is choosing
 */
export function playerList(snapshot, state, drawing, game, thinking) {
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

/**
 * @param {SeatData} seat
 * @param {GameData} game
 */
function who(seat, game) {
  if (seat.kind === "computer") {
    const level = game.levels.find(({ level: each }) => each === seat.level);
    return t("seat.computer", { level: level?.name ?? seat.level ?? "" });
  }
  if (seat.kind === "open") return t("seat.open");
  return t(seat.is_mine ? "seat.me" : "seat.other");
}

/**
 * @param {SeatData} seat
 * @param {{isMover: boolean, isWinner: boolean, isThinking: boolean}} how
 */
function condition(seat, { isMover, isWinner, isThinking }) {
  if (isWinner) return t("seat.won");
  if (isThinking) return t("seat.thinking");
  if (isMover) return t("seat.on_move");
  if (seat.kind === "person" && !seat.is_mine) return t(seat.is_here ? "seat.here" : "seat.away");
  return "";
}

/**
 * @param {BoardState} state
 * @param {DrawingData} drawing
 * @param {SeatData} seat
 */
function hand(state, drawing, seat) {
  const text = state.hands[seat.player];
  if (!text) return null;
  const count = state.hand_counts[seat.player] ?? 0;
  return h(
    "p",
    { class: "hand", role: "img", "aria-label": text, title: text },
    Array.from({ length: Math.min(count, 12) }, () => smallPiece(drawing.looks[seat.player])),
    h("span", { class: "soft" }, String(count)),
  );
}

/**
 * Makes the links for open seats; only the visitor who began the match knows them.
 *
 * @param {MatchSnapshot} snapshot
 */
export function invitations(snapshot) {
  if (!Object.keys(snapshot.invitations).length) return [];
  const address = `${location.origin}/m/${snapshot.number}`;
  const links = Object.entries(snapshot.invitations).map(([player, invitation]) => {
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
    ),
  ];
}

/**
 * Says whether hints, values and take-backs are allowed, where persons play against each other.
 *
 * @param {Pick<MatchSnapshot, "seats" | "has_help">} snapshot
 */
export function helpNote({ seats, has_help: hasHelp }) {
  const isShared = seats.some((seat) => seat.kind === "open" || (seat.kind === "person" && !seat.is_mine));
  return isShared ? [h("p", { class: "soft" }, t(hasHelp ? "help.on" : "help.off"))] : [];
}

/**
 * Makes the fold with the link for spectators.
 *
 * @param {string} number
 */
export function watchFold(number) {
  return h(
    "details",
    { class: "fold" },
    h("summary", {}, t("invite.watch.title")),
    h("p", { class: "soft" }, t("invite.watch.help")),
    link(t("invite.watch"), `${location.origin}/m/${number}`),
  );
}

/**
 * Makes a text to copy, with its button.
 *
 * @param {string} label
 * @param {string} address
 */
export function link(label, address) {
  const input = h("input", {
    type: "text",
    readonly: true,
    value: address,
    "aria-label": label,
    focus: ({ currentTarget }) => currentTarget.select(),
  });
  const copy = button(t("invite.copy"), () => copied(), { sign: "copy" });
  const copied = async () => {
    const text = copy.lastElementChild ?? copy;
    try {
      await navigator.clipboard.writeText(address);
    } catch {
      input.select();
      document.execCommand("copy");
    }
    text.textContent = t("invite.copied");
    setTimeout(() => (text.textContent = t("invite.copy")), 2000);
  };
  return h("div", { class: "field link" }, h("span", {}, label), h("div", {}, input, copy));
}
