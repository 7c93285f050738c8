/**
 * Buttons of a match: what a player can do, what is shown, and what to do when it is over.
 *
 * @import { MatchSnapshot, MatchState } from "../net/wire.d.ts"
 * @import { Icon } from "./icons.js"
 * @typedef {{undo: HTMLButtonElement, hint: HTMLButtonElement, offer_draw: HTMLButtonElement, resign: HTMLButtonElement}} Parts
 */

import { t } from "../net/language.js";
import { choose, setting } from "../net/settings.js";
import { askFirst } from "./ask-first.js";
import { button, h } from "./dom.js";
import { icon } from "./icons.js";

/**
 * Makes the row of buttons: what a player does most often, and a menu with the rest.
 *
 * @param {{undo: () => void, hint: () => void, offerDraw: () => void, resign: () => void, menu: HTMLElement}} acts
 */
export function makeControls({ undo, hint, offerDraw, resign, menu }) {
  const parts = {
    undo: button(t("do.undo"), undo, { sign: "undo" }),
    hint: button(t("do.hint"), hint, { sign: "hint" }),
    offer_draw: button(t("do.draw.short"), offerDraw, { sign: "draw", "aria-label": t("do.draw") }),
    resign: button(t("do.resign"), () => askFirst(t("do.resign.sure"), t("do.resign"), resign), { sign: "resign" }),
  };
  const element = h(
    "div",
    { class: "controls", role: "toolbar", "aria-label": t("do.label") },
    Object.values(parts),
    menu,
  );
  return {
    element,
    parts,
    /**
     * @param {MatchState} state
     * @param {MatchSnapshot} snapshot
     */
    update: (state, snapshot) => update(parts, state, snapshot),
  };
}

/**
 * Switches buttons on and off; those are hidden that are of no use in the whole match, so that none comes or goes.
 *
 * @param {Parts} parts
 * @param {MatchState} state
 * @param {MatchSnapshot} snapshot
 */
function update(parts, state, snapshot) {
  const isPlaying = snapshot.seats.some((seat) => seat.is_mine);
  const { can } = state;
  parts.undo.disabled = !can.undo;
  parts.resign.disabled = !can.resign;
  parts.offer_draw.disabled = !can.offer_draw;
  parts.hint.disabled = !state.is_my_turn || Boolean(state.result);
  parts.offer_draw.hidden =
    !isPlaying ||
    snapshot.seats.some((seat) => seat.kind === "computer") ||
    snapshot.seats.every((seat) => seat.is_mine);
  parts.resign.hidden = !isPlaying;
  parts.undo.hidden = !isPlaying;
  parts.hint.hidden = !isPlaying || !snapshot.has_help;
}

/** Switches for what is shown and heard. */
export function toggles() {
  return h(
    "div",
    { class: "toggles", role: "group", "aria-label": t("show.label") },
    toggle("coordinates", "grid", t("show.coordinates")),
    toggle("values", "values", t("show.values")),
    toggle("sounds", "sound", t("show.sounds")),
    toggle("asks", "hint", t("show.asks")),
  );
}

/**
 * Makes the switch of a setting.
 *
 * @param {"coordinates" | "values" | "sounds" | "asks"} name
 * @param {Icon} sign
 * @param {string} text
 */
export const toggle = (name, sign, text) =>
  h(
    "button",
    {
      type: "button",
      role: "switch",
      "aria-checked": String(setting(name)),
      "data-setting": name,
      click: ({ currentTarget }) => {
        choose(name, !setting(name));
        currentTarget.setAttribute("aria-checked", String(setting(name)));
      },
    },
    icon(sign),
    h("span", {}, text),
  );

/**
 * Makes what can be done once a game is over, the most useful first, and the link to the game that follows.
 *
 * @param {MatchState} state
 * @param {MatchSnapshot} snapshot
 * @param {{rematch: () => void, start: () => void}} acts
 */
export function resultButtons(state, snapshot, { rematch, start }) {
  const isPlaying = snapshot.seats.some((seat) => seat.is_mine);
  const isAsked = snapshot.seats.some((seat) => seat.kind === "person" && !seat.is_mine);
  const next = t(isPlaying ? "match.next.play" : "match.next.watch");
  const review = `/analyse/${snapshot.game}?match=${snapshot.number}&review=1`;
  return h(
    "div",
    { class: "buttons" },
    state.rematch && h("a", { class: "as-button main", href: `/m/${state.rematch}` }, next),
    h("a", { class: `as-button${state.rematch ? "" : " main"}`, href: review }, t("end.review")),
    state.can.rematch && !state.offer && button(t(isAsked ? "match.rematch.offer" : "match.rematch"), rematch),
    button(t("match.new"), start),
  );
}

/**
 * Makes the box of an offer that waits for answers.
 *
 * @param {MatchState} state
 * @param {MatchSnapshot} snapshot
 * @param {{answer: (yes: boolean) => void, withdraw: () => void}} acts
 */
export function offerBox(state, snapshot, { answer, withdraw }) {
  const { offer, can } = state;
  if (!offer) return [];
  const name = (/** @type {string} */ player) => snapshot.seats.find((seat) => seat.player === player)?.name ?? "";
  const said = offer.is_mine ? t(`offer.mine.${offer.what}`) : t(`offer.${offer.what}`, { player: name(offer.player) });
  return [
    h(
      "div",
      { class: "panel ask-box", role: can.answer ? "alert" : null },
      h("p", {}, said),
      !can.answer &&
        offer.asked.length > 0 &&
        h("p", { class: "soft" }, t("offer.waiting", { players: offer.asked.map(name).join(", ") })),
      can.withdraw && h("div", { class: "buttons" }, button(t("offer.withdraw"), withdraw)),
      can.answer &&
        h(
          "div",
          { class: "buttons" },
          button(t("offer.yes"), () => answer(true), { look: "main" }),
          button(t("offer.no"), () => answer(false)),
        ),
    ),
  ];
}
