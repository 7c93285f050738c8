/** What a guest sees on the page of the account: making one, signing in, recovering one. */

import { post } from "../../net/api.js";
import { t } from "../../net/language.js";
import { makePasskey, usePasskey } from "../../net/passkeys.js";
import { local } from "../../net/sync.js";
import { button, h, sentenceOf } from "../../ui/dom.js";
import { form } from "./form.js";

/** Loads everything again, as another person. */
const arrive = () => location.assign("/account");

export const guestParts = () => [
  h(
    "header",
    {},
    h("h1", {}, t("account.guest.title")),
    h("p", { class: "soft" }, t("account.guest.intro")),
    h("p", { class: "soft" }, t("vacation.guest")),
  ),
  h("div", { class: "account-columns" }, signInPanel(), makePanel()),
];

function signInPanel() {
  const problem = h("p", { class: "problem", role: "alert" });
  const withPasskey = async () => {
    problem.textContent = "";
    try {
      await post("account/passkeys/sign-in", await usePasskey(await post("account/passkeys/challenge")));
      arrive();
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  return h(
    "section",
    { class: "panel", "aria-labelledby": "sign-in-title" },
    h("h2", { id: "sign-in-title" }, t("account.sign_in")),
    form(
      [
        { name: "name", label: t("account.name"), autocomplete: "username", longest: 40 },
        { name: "password", label: t("account.password"), type: "password", autocomplete: "current-password" },
      ],
      t("account.sign_in"),
      async ({ name, password }) => {
        await post("account/sign-in", { name, password });
        arrive();
      },
      { more: [button(t("account.sign_in.passkey"), withPasskey)] },
    ),
    problem,
    h(
      "details",
      { class: "fold" },
      h("summary", {}, t("account.recover")),
      form(
        [
          { name: "name", label: t("account.name"), autocomplete: "username", longest: 40 },
          { name: "code", label: t("account.recover.code") },
          { name: "password", label: t("account.password.new"), type: "password", autocomplete: "new-password" },
        ],
        t("account.recover.do"),
        async ({ name, code, password }) => {
          await post("account/recover", { name, code, password });
          arrive();
        },
      ),
    ),
  );
}

function makePanel() {
  const problem = h("p", { class: "problem", role: "alert" });
  const withPasskey = async () => {
    problem.textContent = "";
    const input = section.querySelector("input");
    try {
      const begun = await post("account/passkeys/start", { name: input?.value ?? "" });
      await post("account/passkeys/account", { ...(await makePasskey(begun)), settings: local() });
      arrive();
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  /** @type {HTMLElement} */
  const section = h(
    "section",
    { class: "panel", "aria-labelledby": "make-title" },
    h("h2", { id: "make-title" }, t("account.make")),
    h("p", { class: "soft" }, t("account.make.intro")),
    form(
      [
        {
          name: "name",
          label: `${t("account.name")}: ${t("account.name.help")}`,
          autocomplete: "username",
          longest: 20,
        },
        { name: "password", label: t("account.password.new"), type: "password", autocomplete: "new-password" },
      ],
      t("account.make"),
      async ({ name, password }) => {
        await post("account", { name, password, settings: local() });
        arrive();
      },
      { more: [button(t("account.make.passkey"), withPasskey)] },
    ),
    problem,
  );
  return section;
}
