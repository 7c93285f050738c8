/**
 * The page of the account: for guests to make one or sign in, for others to manage it.
 *
 * @import { OpenPage } from "../../types.d.ts"
 */

import { get } from "../../net/api.js";
import { needSentences, t } from "../../net/language.js";
import { account } from "../../net/me.js";
import { h, styles } from "../../ui/dom.js";

/**
 * Shows a guest who has muted somebody how to end that.
 *
 * @param {HTMLElement} page
 */
async function showAvoided(page) {
  const { avoidedList } = await import("../../ui/people/avoided-list.js");
  const { element, ready } = avoidedList();
  if (await ready) page.append(h("section", { class: "panel" }, h("h2", {}, t("avoided.title")), element));
}

/** @type {OpenPage} */
export async function open(page) {
  const ready = Promise.all([styles("online/account"), needSentences("correspondence")]);
  const isGuest = !account();
  document.title = `${t(isGuest ? "account.guest.title" : "account.title")} · damier`;
  const parts = isGuest
    ? await Promise.all([import("./guest.js"), ready]).then(([{ guestParts }]) => guestParts())
    : await Promise.all([import("./own.js"), get("account"), ready]).then(([{ ownParts }, mine]) => ownParts(mine));
  page.className = "account-page";
  if (isGuest) showAvoided(page);
  page.replaceChildren(
    ...parts,
    h("p", {}, [
      isGuest && [h("a", { href: "/notices", class: "quiet-link" }, t("notices.link")), " · "],
      h("a", { href: "/privacy", class: "quiet-link" }, t("privacy.link")),
    ]),
  );
}
