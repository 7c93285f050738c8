/**
 * What the owner of an account sees on its page.
 *
 * @import { AccountData } from "../../net/wire.d.ts"
 */

import { post, put, send } from "../../net/api.js";
import { language, t } from "../../net/language.js";
import { forgetSettings } from "../../net/settings.js";
import { askFirst } from "../../ui/ask-first.js";
import { button, h, sentenceOf } from "../../ui/dom.js";
import { avoidedList } from "../../ui/people/avoided-list.js";
import { day, form } from "./form.js";
import { vacationPart } from "./vacation.js";
import { codesPart, passkeysPart, sessionsPart, tokensPart } from "./ways.js";

/** @param {AccountData} account */
export const ownParts = (account) => [
  headPart(account),
  h(
    "div",
    { class: "account-columns" },
    panel("account.rename", namePart(account)),
    panel(account.has_password ? "account.password.change" : "account.password.set", passwordPart(account)),
    panel("account.passkeys", passkeysPart()),
    panel("account.codes", codesPart(account)),
    panel("account.sessions", sessionsPart()),
    panel("account.tokens", tokensPart()),
    panel("vacation.title", vacationPart()),
    panel("avoided.title", avoidedList().element),
    panel("account.data", dataPart(account)),
  ),
];

/**
 * @param {string} title
 * @param {HTMLElement} content
 */
const panel = (title, content) =>
  h("section", { class: "panel", "aria-label": t(title) }, h("h2", {}, t(title)), content);

/** @param {AccountData} account */
function headPart(account) {
  const problem = h("p", { class: "problem", role: "alert" });
  const leave = async () => {
    try {
      await send("account/sign-out");
      forgetSettings();
      location.assign("/account");
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  const until = account.banned_until;
  return h(
    "header",
    {},
    h("h1", {}, account.name),
    h(
      "p",
      { class: "soft" },
      [account.is_program ? t("account.program") : "", t("account.since", { day: day(account.created, language()) })]
        .filter(Boolean)
        .join(" · "),
      " · ",
      h("a", { href: `/u/${encodeURIComponent(account.name)}` }, t("account.page")),
      " · ",
      h("a", { href: "/notices" }, t("notices.link")),
      account.is_moderator && [" · ", h("a", { href: "/moderation" }, t("moderation.link"))],
    ),
    until && new Date(until) > new Date() && h("p", {}, t("account.banned", { day: day(until, language()) })),
    h("div", { class: "buttons" }, button(t("account.sign_out"), leave)),
    h("p", { class: "soft" }, t("account.sign_out.note")),
    problem,
  );
}

/** @param {AccountData} account */
function namePart(account) {
  return h(
    "div",
    {},
    form(
      [{ name: "name", label: t("account.name.help"), value: account.name, longest: 20, autocomplete: "username" }],
      t("account.rename"),
      async ({ name }) => {
        await put("account/name", { name });
        location.assign("/account");
      },
      { look: "" },
    ),
    form(
      [
        {
          name: "email",
          label: t("account.email"),
          type: "email",
          value: account.email,
          optional: true,
          autocomplete: "email",
        },
      ],
      t("account.save"),
      async ({ email }) => {
        await put("account/email", { email });
        return t("account.saved");
      },
      { look: "" },
    ),
    account.is_program ? null : programPart(),
  );
}

function programPart() {
  const problem = h("p", { class: "problem", role: "alert" });
  const become = async () => {
    try {
      await post("account/program");
      location.assign("/account");
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  const ask = () => askFirst(t("account.program.ask"), t("account.program.become"), become);
  return h("div", { class: "account-form" }, button(t("account.program.become"), ask), problem);
}

/** @param {AccountData} account */
function passwordPart(account) {
  /** @type {import("./form.js").Field[]} */
  const old = account.has_password
    ? [{ name: "old", label: t("account.password.old"), type: "password", autocomplete: "current-password" }]
    : [];
  return form(
    [...old, { name: "password", label: t("account.password.new"), type: "password", autocomplete: "new-password" }],
    t(account.has_password ? "account.password.change" : "account.password.set"),
    async ({ old: given, password }) => {
      await send("account/password", { old: given ?? null, password });
      return t("account.password.done");
    },
    { look: "" },
  );
}

/** @param {AccountData} account */
function dataPart(account) {
  /** @type {import("./form.js").Field[]} */
  const password = account.has_password
    ? [{ name: "password", label: t("account.password"), type: "password", autocomplete: "current-password" }]
    : [];
  return h(
    "div",
    {},
    h("a", { class: "as-button", href: "/api/account/export", download: "", target: "_self" }, t("account.export")),
    h(
      "details",
      { class: "fold" },
      h("summary", {}, t("account.delete")),
      h("p", { class: "soft" }, t("account.delete.intro")),
      form(
        [{ name: "name", label: t("account.name"), longest: 20 }, ...password],
        t("account.delete"),
        async ({ name, password: given }) => {
          await send("account/deletion", { name, password: given ?? null });
          forgetSettings();
          location.assign("/");
        },
        { look: "" },
      ),
    ),
  );
}
