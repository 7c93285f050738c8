/** The dialog that lists the keys, by where they work. */

import { needSentences, t } from "../../net/language.js";
import { setting } from "../../net/settings.js";
import { button, h, styles } from "../dom.js";

/** Keys and what they do, by place; a word is the name of a key that is not one character. */
const KEYS = {
  everywhere: { "?": "help", S: "settings", M: "mute" },
  board: { "← → ↑ ↓": "arrows", "home end": "ends", "enter space": "choose", escape: "cancel" },
  match: { B: "back", N: "next", F: "flip", H: "hint", U: "undo", T: "type", Z: "zen" },
  analyse: { "← →": "steps", "home end": "firstlast", "↑ ↓": "variation" },
  list: { "← → ↑ ↓": "steps" },
};

export async function keysDialog() {
  await Promise.all([styles("settings/dialog"), needSentences("settings")]);
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    { class: "keys", "aria-labelledby": "keys-title", close: () => dialog.remove() },
    h("h2", { id: "keys-title" }, t("keys.title")),
    !setting("keys") && h("p", { class: "soft" }, t("keys.off")),
    Object.entries(KEYS).map(([place, keys]) =>
      h(
        "section",
        {},
        h("h3", {}, t(`keys.${place}`)),
        h(
          "dl",
          {},
          Object.entries(keys).map(([names, does]) => h("div", {}, keyNames(names), h("dd", {}, t(`keys.${does}`)))),
        ),
      ),
    ),
    h(
      "div",
      { class: "buttons" },
      button(t("set.close"), () => dialog.close(), { look: "main" }),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {string} names separated by spaces */
const keyNames = (names) =>
  h(
    "dt",
    {},
    names.split(" ").flatMap((name) => [h("kbd", {}, name.length > 1 ? t(`key.${name}`) : name), " "]),
  );
