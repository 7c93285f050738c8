/**
 * Who plays: seats, hands, presence, and links for open seats.
 *
 * @import { BoardState, DrawingData, GameData, MatchSnapshot, MatchState, SeatData } from "../net/wire.d.ts"
 */

import { smallPiece } from "../board/pieces.js";
import { t } from "../net/language.js";
import { button, h } from "./dom.js";
import { seatRating } from "./ratings/ratings.js";

const MOST_DRAWN = 7; // pieces in a hand

/**
 * Makes the cards of some players, in a row.
 *
 * @param {readonly SeatData[]} seats
 * @param {MatchState} state
 * @param {DrawingData} drawing
 * @param {GameData} game
 * @param {string | null} thinking the player for whom the computer is choosing
 * @param {Pick<MatchSnapshot, "ratings">} snapshot
 * @param {(player: string) => Element | null} clock the face of a player's clock
 * @param {(seat: SeatData) => Element | null} more what stands behind the name of another person
 */
export const playerCards = (seats, state, drawing, game, thinking, snapshot, clock = () => null, more = () => null) =>
  seats.map((seat) => {
    const isMover = seat.player === state.mover && !state.result;
    const isWinner = state.result?.winner === seat.player;
    const name = personName(seat);
    const program = seat.is_program ? t("seat.program") : "";
    const about = [program, name === seat.name ? "" : seat.name, who(seat, game)].filter(Boolean).join(" · ");
    const shown = seat.account ? h("a", { href: `/u/${encodeURIComponent(seat.account)}` }, name) : name;
    return h(
      "li",
      { class: `${isMover ? "on-move" : ""}${isWinner ? " winner" : ""}`, "aria-current": isMover ? "true" : null },
      smallPiece(drawing.looks[seat.player]),
      h("p", {}, h("b", {}, shown), " ", seatRating(seat, snapshot), " ", h("span", { class: "soft" }, about)),
      seat.kind === "person" && !seat.is_mine && more(seat),
      hand(state, drawing, seat),
      h(
        "span",
        { class: "seat-state" },
        thinking === seat.player ? dots() : isWinner ? t("seat.won") : isMover ? t("seat.on_move") : "",
      ),
      clock(seat.player),
    );
  });

/**
 * Returns who sits above and who below the board. Two players sit where their sides of the board are; with more, the
 * visitor (or the first player) sits below on the left, and the others follow clockwise.
 *
 * @param {readonly SeatData[]} seats
 * @param {boolean} isTurned whether the board is turned by a half
 * @returns {{above: SeatData[], below: SeatData[]}}
 */
export function seating(seats, isTurned) {
  if (seats.length === 2) {
    const [first, second] = seats;
    return isTurned ? { above: [first], below: [second] } : { above: [second], below: [first] };
  }
  const mine = Math.max(
    0,
    seats.findIndex((seat) => seat.is_mine),
  );
  const [me, left, right, ...last] = [...seats.slice(mine), ...seats.slice(0, mine)];
  return { above: [left, right], below: [me, ...last] };
}

/**
 * Returns what the person or program at a seat is called.
 *
 * @param {SeatData} seat
 */
function personName(seat) {
  if (seat.kind === "computer") return t("seat.computer");
  return seat.nickname ?? (seat.is_mine ? t("seat.me.name") : seat.name);
}

/**
 * @param {SeatData} seat
 * @param {GameData} game
 */
function who(seat, game) {
  if (seat.kind === "computer") {
    const level = game.levels.find(({ level: each }) => each === seat.level);
    return level ? t("seat.level", { level: level.level, name: level.name }) : "";
  }
  if (seat.kind === "open") return t("seat.open");
  if (seat.is_mine) return seat.nickname ? t("seat.me") : "";
  return t(seat.is_here ? "seat.here" : "seat.away");
}

const dots = () =>
  h("span", { class: "dots" }, h("span", { class: "unseen" }, t("seat.thinking")), h("i", {}), h("i", {}), h("i", {}));

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
    Array.from({ length: Math.min(count, MOST_DRAWN) }, () => smallPiece(drawing.looks[seat.player])),
    count > MOST_DRAWN && h("span", { class: "soft" }, String(count)),
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
