/**
 * The page of notices: what the visitor is told, in this browser and by e-mail. Links of e-mails lead here, too.
 *
 * @import { OpenPage } from "../../types.d.ts"
 * @import { KindSwitches, NoticeOptions } from "../../net/wire.d.ts"
 */

import { get, put, remove, send, sendToken } from "../../net/api.js";
import { language, t } from "../../net/language.js";
import { account } from "../../net/me.js";
import { button, h, sentenceOf, styles } from "../../ui/dom.js";
import { noteInterest } from "../../ui/notices/interest.js";
import { canPush, isForbidden, ownNumber, switchOff, switchOn } from "../../ui/notices/push.js";

/** @type {OpenPage} */
export async function open(page) {
  const [options] = await Promise.all([get("notices"), styles("online/account"), styles("online/notices")]);
  document.title = `${t("notices.title")} · damier`;
  page.className = "account-page notices-page";
  const query = new URLSearchParams(location.search);
  const draw = async (/** @type {NoticeOptions} */ now) => {
    const number = now.push_key && canPush() ? await ownNumber(now) : "";
    page.replaceChildren(
      h("header", {}, h("h1", {}, t("notices.title")), h("p", { class: "soft" }, t("notices.intro"))),
      ...linkPart(query, again),
      h(
        "div",
        { class: "account-columns" },
        panel("notices.push", pushPart(now, number, again)),
        panel("notices.email", emailPart(now)),
        panel("notices.kinds", kindsPart(now)),
      ),
      h("p", {}, h("a", { href: "/privacy", class: "quiet-link" }, t("privacy.link"))),
    );
  };
  const again = async () => draw(await get("notices"));
  await draw(options);
}

/**
 * @param {string} title
 * @param {HTMLElement} content
 */
const panel = (title, content) =>
  h("section", { class: "panel", "aria-label": t(title) }, h("h2", {}, t(title)), content);

/**
 * Makes a button with a place for what became of it.
 *
 * @param {string} text
 * @param {() => Promise<string | void>} act resolves with a sentence to show
 */
function acting(text, act, look = "") {
  const outcome = h("p", { class: "soft outcome", role: "status" });
  const problem = h("p", { class: "problem", role: "alert" });
  /** @type {HTMLButtonElement} */
  const made = button(
    text,
    async () => {
      made.disabled = true;
      problem.textContent = outcome.textContent = "";
      try {
        outcome.textContent = (await act()) ?? "";
      } catch (error) {
        problem.textContent = sentenceOf(error);
      }
      made.disabled = false;
    },
    { look },
  );
  return h("div", { class: "account-form" }, made, outcome, problem);
}

/**
 * What the link of an e-mail asks for: one click, because programs follow links, too.
 *
 * @param {URLSearchParams} query
 * @param {() => Promise<void>} again
 */
function linkPart(query, again) {
  for (const what of /** @type {const} */ (["confirm", "unsubscribe"])) {
    const token = query.get(what);
    if (!token) continue;
    const act = async () => {
      await sendToken(`notices/${what}`, token);
      history.replaceState(null, "", "/notices");
      query.delete(what);
      if (account()) await again();
      return t(`notices.${what}.done`);
    };
    return [panel(`notices.${what}`, acting(t(`notices.${what}.do`), act, "main"))];
  }
  return [];
}

/**
 * @param {NoticeOptions} options
 * @param {string} number of this browser; "" if it gets no notices
 * @param {() => Promise<void>} again
 */
function pushPart(options, number, again) {
  const others = options.browsers.filter((each) => each.number !== number);
  const key = options.push_key;
  if (!key) return h("p", { class: "soft" }, t("notices.push.none"));
  const on = async () => {
    if (!(await switchOn(key))) return t("notices.push.forbidden");
    noteInterest();
    await again();
  };
  const off = async () => {
    await switchOff(number);
    await again();
  };
  return h(
    "div",
    {},
    h("p", { class: "soft" }, t(number ? "notices.push.is_on" : "notices.push.is_off")),
    canPush()
      ? number
        ? acting(t("notices.push.off"), off)
        : acting(t("notices.push.on"), on, "main")
      : h("p", {}, t("notices.push.cannot")),
    canPush() && !number && isForbidden() && h("p", {}, t("notices.push.forbidden")),
    others.length > 0 && h("p", { class: "soft" }, t("notices.push.others")),
    others.length > 0 &&
      h(
        "ul",
        { class: "rows" },
        others.map((each) =>
          h(
            "li",
            {},
            h("span", {}, `${each.browser || t("notices.push.unknown")} · ${day(each.created)}`),
            acting(t("notices.push.remove"), async () => {
              await remove(`notices/push/${each.number}`);
              await again();
            }),
          ),
        ),
      ),
  );
}

/** @param {string} time */
const day = (time) => new Date(time).toLocaleDateString(language(), { dateStyle: "medium" });

/** @param {NoticeOptions} options */
function emailPart({ email }) {
  const place = h("a", { href: "/account" }, t("notices.email.account"));
  if (!account()) return h("p", { class: "soft" }, t("notices.email.guest"));
  if (!email) return h("p", { class: "soft" }, t("notices.email.none"));
  if (!email.address) return h("div", {}, h("p", { class: "soft" }, t("notices.email.empty")), h("p", {}, place));
  const { address } = email;
  if (email.is_confirmed) return h("div", {}, h("p", {}, t("notices.email.to", { address })), h("p", {}, place));
  const ask = async () => {
    await send("notices/confirmation");
    return t("notices.email.sent");
  };
  return h(
    "div",
    {},
    h("p", {}, t("notices.email.unconfirmed", { address })),
    acting(t("notices.email.again"), ask),
    h("p", {}, place),
  );
}

/** @param {NoticeOptions} options */
function kindsPart({ kinds, push_key: key, email }) {
  const outcome = h("p", { class: "soft outcome", role: "status" });
  const channels = /** @type {("push" | "email")[]} */ ([key && "push", email && "email"].filter(Boolean));
  const store = async (/** @type {KindSwitches} */ changed) => {
    try {
      await put("notices", { kinds: [changed] });
      outcome.textContent = t("notices.stored");
    } catch (error) {
      outcome.textContent = sentenceOf(error);
    }
  };
  if (!channels.length) return h("p", { class: "soft" }, t("notices.kinds.none"));
  const box = (/** @type {KindSwitches} */ kind, /** @type {"push" | "email"} */ channel) =>
    h("input", {
      type: "checkbox",
      checked: kind[channel],
      "aria-label": `${t(`notices.kind.${kind.kind}`)}: ${t(`notices.by.${channel}`)}`,
      change: ({ currentTarget }) => {
        kind[channel] = currentTarget.checked;
        store(kind);
      },
    });
  return h(
    "div",
    {},
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, t("notices.what")),
          channels.map((channel) => h("th", { scope: "col" }, t(`notices.by.${channel}`))),
        ),
      ),
      h(
        "tbody",
        {},
        kinds.map((kind) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, t(`notices.kind.${kind.kind}`)),
            channels.map((channel) => h("td", {}, box(kind, channel))),
          ),
        ),
      ),
    ),
    h("p", {}, h("a", { href: "/lobby" }, t("notices.wishes"))),
    outcome,
  );
}
