/**
 * Buttons of a match: what a player can do, what is shown, and what to do when it is over.
 *
 * @import { MatchSnapshot, MatchState } from "../net/wire.d.ts"
 * @typedef {{undo: HTMLButtonElement, hint: HTMLButtonElement, offer_draw: HTMLButtonElement, resign: HTMLButtonElement}} Parts
 */

import { t } from "../net/language.js";
import { choose, setting } from "../net/settings.js";
import { button, h } from "./dom.js";
import { icon } from "./icons.js";

/**
 * Makes the bar of buttons, which a thumb reaches on a phone.
 *
 * @param {{isFlat: boolean, undo: () => void, hint: () => void, offerDraw: () => void, resign: () => void,
 *   turn: (by: number) => void}} acts `turn`: by quarter turns
 */
export function makeControls({ isFlat, undo, hint, offerDraw, resign, turn }) {
  const parts = {
    undo: button(t("do.undo"), undo, { sign: "undo" }),
    hint: button(t("do.hint"), hint, { sign: "hint" }),
    offer_draw: button(t("do.draw"), offerDraw, { sign: "draw" }),
    resign: button(t("do.resign"), () => askFirst(t("do.resign.sure"), t("do.resign"), resign), { sign: "resign" }),
  };
  const views = isFlat
    ? [button(t("do.flip"), () => turn(2), { sign: "flip" })]
    : [button(t("do.turn"), () => turn(1), { sign: "turn", title: t("do.turn.title") })];
  const element = h(
    "div",
    { class: "controls", role: "toolbar", "aria-label": t("do.label") },
    Object.values(parts),
    views,
  );
  return {
    element,
    /**
     * @param {MatchState} state
     * @param {MatchSnapshot} snapshot
     */
    update: (state, snapshot) => update(parts, state, snapshot),
  };
}

/**
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
    snapshot.seats.some((seat) => seat.kind === "computer") || snapshot.seats.every((seat) => seat.is_mine);
  parts.resign.hidden = snapshot.seats.length > 2;
  parts.undo.hidden = !isPlaying;
  parts.hint.hidden = !isPlaying || !snapshot.has_help;
  if (!isPlaying) parts.offer_draw.hidden = parts.resign.hidden = true;
}

/**
 * @param {string} question
 * @param {string} yes
 * @param {() => void} act
 */
function askFirst(question, yes, act) {
  const done = () => {
    dialog.close();
    act();
  };
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    { class: "ask", "aria-label": question, close: () => dialog.remove() },
    h("p", {}, question),
    h(
      "div",
      { class: "buttons" },
      button(yes, done, { look: "main" }),
      button(t("start.cancel"), () => dialog.close()),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/** Switches for what is shown and heard. */
export function toggles() {
  const signs = /** @type {const} */ ({ coordinates: "grid", values: "values", sounds: "sound", asks: "hint" });
  const names = /** @type {(keyof typeof signs)[]} */ (Object.keys(signs));
  return h(
    "div",
    { class: "toggles", role: "group", "aria-label": t("show.label") },
    names.map((name) => {
      const toggle = h(
        "button",
        {
          type: "button",
          role: "switch",
          "aria-checked": String(setting(name)),
          "data-setting": name,
          click: () => {
            choose(name, !setting(name));
            toggle.setAttribute("aria-checked", String(setting(name)));
          },
        },
        icon(signs[name]),
        h("span", {}, t(`show.${name}`)),
      );
      return toggle;
    }),
  );
}

/**
 * Makes the buttons under a game that is over, and the link to the game that follows.
 *
 * @param {MatchState} state
 * @param {MatchSnapshot} snapshot
 * @param {{rematch: () => void, start: () => void}} acts
 */
export function resultButtons(state, snapshot, { rematch, start }) {
  const isPlaying = snapshot.seats.some((seat) => seat.is_mine);
  const isAsked = snapshot.seats.some((seat) => seat.kind === "person" && !seat.is_mine);
  const canOffer = state.can.rematch && !state.offer;
  return h(
    "div",
    { class: "buttons" },
    state.rematch &&
      h(
        "a",
        { class: "as-button main", href: `/m/${state.rematch}` },
        t(isPlaying ? "match.next.play" : "match.next.watch"),
      ),
    canOffer && button(t(isAsked ? "match.rematch.offer" : "match.rematch"), rematch, { sign: "again", look: "main" }),
    button(t("match.new"), start, { sign: "plus" }),
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
