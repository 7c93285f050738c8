/**
 * The privacy page: what is stored, for how long, and how to delete it.
 *
 * @import { OpenPage } from "../types.d.ts"
 * @import { PrivacyData } from "../net/wire.d.ts"
 */

import { get } from "../net/api.js";
import { t } from "../net/language.js";
import { account, forgetMe } from "../net/me.js";
import { askFirst } from "../ui/ask-first.js";
import { button, h, sentenceOf, styles } from "../ui/dom.js";

/** @type {OpenPage} */
export async function open(page) {
  const [settings] = await Promise.all([get("privacy"), styles("privacy")]);
  document.title = `${t("privacy.title")} · damier`;
  page.className = "privacy-page";
  page.replaceChildren(
    h(
      "article",
      { class: "panel privacy" },
      h("h1", {}, t("privacy.title")),
      h("p", { class: "soft" }, t("privacy.intro")),
      part("cookie"),
      part("account"),
      part("matches", kept(settings)),
      part("chat"),
      part("notices"),
      part("browser"),
      part("log", t(settings.is_logging ? "privacy.log.requests" : "privacy.log.none")),
      part("others"),
      h("h2", {}, t("privacy.delete.title")),
      h("p", {}, t("privacy.delete.text")),
      settings.contact ? h("p", {}, t("privacy.contact", { contact: settings.contact })) : null,
      account() ? h("p", {}, h("a", { href: "/account" }, t("account.delete"))) : deletion(),
    ),
  );
}

/** @param {PrivacyData} settings */
const kept = ({ keep_days: count }) => (count ? t("privacy.matches.days", { count }) : t("privacy.matches.kept"));

/**
 * @param {"cookie" | "account" | "matches" | "chat" | "notices" | "browser" | "log" | "others"} name
 * @param {string} [more]
 */
const part = (name, more) => [
  h("h2", {}, t(`privacy.${name}.title`)),
  h("p", {}, t(`privacy.${name}.text`), more ? ` ${more}` : ""),
];

/** The button that deletes what the server and this browser know of the visitor, after a question. */
function deletion() {
  const outcome = h("p", { class: "outcome", role: "status" });
  const act = async () => {
    made.disabled = true;
    try {
      await forgetMe();
      outcome.textContent = t("privacy.delete.done");
    } catch (error) {
      outcome.textContent = sentenceOf(error);
      made.disabled = false;
    }
  };
  const made = button(t("privacy.delete"), () => askFirst(t("privacy.delete.ask"), t("privacy.delete"), act));
  return h("div", { class: "deletion" }, made, outcome);
}
