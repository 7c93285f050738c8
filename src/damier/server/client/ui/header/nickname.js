/** The dialog in which a visitor changes the nickname. */

import { t } from "../../net/language.js";
import { nickname, rename } from "../../net/me.js";
import { button, h, sentenceOf } from "../dom.js";

export function nicknameDialog() {
  const problem = h("p", { class: "problem", role: "alert" });
  const input = h("input", {
    type: "text",
    name: "nickname",
    value: nickname(),
    maxlength: 20,
    required: true,
    autocomplete: "nickname",
    spellcheck: "false",
  });
  const save = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      await rename(input.value);
      dialog.close();
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    { class: "small", "aria-labelledby": "me-title", close: () => dialog.remove() },
    h(
      "form",
      { submit: save },
      h("h2", { id: "me-title" }, t("me.title")),
      h("label", { class: "field" }, h("span", {}, t("me.help")), input),
      problem,
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "submit", class: "main" }, t("me.save")),
        button(t("start.cancel"), () => dialog.close()),
      ),
      h("a", { href: "/account", class: "quiet-link", click: () => dialog.close() }, t("account.link")),
      h("a", { href: "/privacy", class: "quiet-link", click: () => dialog.close() }, t("privacy.link")),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  input.select();
}
