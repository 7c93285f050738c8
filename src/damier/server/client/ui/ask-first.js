/** The question before something that cannot be undone. */

import { t } from "../net/language.js";
import { button, h } from "./dom.js";

/**
 * Asks before something that cannot be undone.
 *
 * @param {string} question
 * @param {string} yes
 * @param {() => void} act
 */
export function askFirst(question, yes, act) {
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
