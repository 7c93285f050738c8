/** Buttons of a match: what a player may do, what is shown, and what to do when it is over. */

import { t } from "../net/language.js";
import { choose, setting } from "../net/settings.js";
import { button, h, icon } from "./dom.js";

/** The bar of buttons; under the thumb on a phone. */
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
  return { element, update: (state, snapshot) => update(parts, state, snapshot) };
}

function update(parts, state, snapshot) {
  const isPlaying = snapshot.seats.some((seat) => seat.is_mine);
  const can = state.can ?? {};
  parts.undo.disabled = !can.undo;
  parts.resign.disabled = !can.resign;
  parts.offer_draw.disabled = !can.offer_draw;
  parts.hint.disabled = !state.is_my_turn || Boolean(state.result);
  parts.offer_draw.hidden =
    snapshot.seats.some((seat) => seat.kind === "computer") || snapshot.seats.every((seat) => seat.is_mine);
  parts.resign.hidden = snapshot.seats.length > 2;
  for (const part of [parts.undo, parts.hint]) part.hidden = !isPlaying;
  if (!isPlaying) parts.offer_draw.hidden = parts.resign.hidden = true;
}

function askFirst(question, yes, act) {
  const done = () => {
    dialog.close();
    act();
  };
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
  const signs = { coordinates: "grid", values: "values", sounds: "sound" };
  return h(
    "div",
    { class: "toggles", role: "group", "aria-label": t("show.label") },
    Object.entries(signs).map(([name, sign]) => {
      const toggle = h(
        "button",
        {
          type: "button",
          role: "switch",
          "aria-checked": String(setting(name)),
          click: () => {
            choose(name, !setting(name));
            toggle.setAttribute("aria-checked", String(setting(name)));
          },
        },
        icon(sign),
        h("span", {}, t(`show.${name}`)),
      );
      return toggle;
    }),
  );
}

export function resultButtons(state, { rematch, start }) {
  return h(
    "div",
    { class: "buttons" },
    (state.can?.rematch ?? true) && button(t("match.rematch"), rematch, { sign: "again", look: "main" }),
    button(t("match.new"), start, { sign: "plus" }),
  );
}

/** An offer that waits for an answer. */
export function offerBox(state, snapshot, answer) {
  const { offer } = state;
  if (!offer) return [];
  const name = snapshot.seats.find((seat) => seat.player === offer.player)?.name ?? "";
  if (offer.is_mine) return [h("p", { class: "panel ask-box" }, t(`offer.mine.${offer.what}`))];
  return [
    h(
      "div",
      { class: "panel ask-box", role: "alert" },
      h("p", {}, t(`offer.${offer.what}`, { player: name })),
      state.can?.answer &&
        h(
          "div",
          { class: "buttons" },
          button(t("offer.yes"), () => answer(true), { look: "main" }),
          button(t("offer.no"), () => answer(false)),
        ),
    ),
  ];
}
