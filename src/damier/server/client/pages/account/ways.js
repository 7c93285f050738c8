/**
 * What leads into an account: passkeys, recovery codes, signed-in browsers, tokens of programs.
 *
 * @import { AccountData, SessionData, TokenDraft } from "../../net/wire.d.ts"
 */

import { get, post, remove } from "../../net/api.js";
import { language, t } from "../../net/language.js";
import { makePasskey } from "../../net/passkeys.js";
import { button, h, sentenceOf } from "../../ui/dom.js";
import { link } from "../../ui/seats.js";
import { day, form } from "./form.js";

/** @type {TokenDraft["scopes"]} */
const SCOPES = ["read", "play", "challenge", "tournament"];

/**
 * Makes a list that is read from the server, and again after each change.
 *
 * @template T
 * @param {() => Promise<T[]>} read
 * @param {(each: T, change: (act: () => Promise<unknown>) => Promise<void>) => (string | HTMLElement | null)[]} row
 * @param {string} empty
 */
function liveList(read, row, empty = "") {
  const problem = h("p", { class: "problem", role: "alert" });
  const place = h("ul", { class: "account-list" });
  const change = async (/** @type {() => Promise<unknown>} */ act) => {
    problem.textContent = "";
    try {
      await act();
      await renew();
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  const renew = async () => {
    const rows = await read();
    place.replaceChildren(
      ...(rows.length || !empty ? rows.map((each) => h("li", {}, row(each, change))) : [h("li", {}, empty)]),
    );
  };
  change(async () => {});
  return { element: h("div", {}, place, problem), change };
}

/** @param {string | null} used */
const lastUsed = (used) => (used ? ` · ${t("account.session.seen", { day: day(used, language()) })}` : "");

/**
 * Makes the button that removes one of a list.
 *
 * @param {string} what
 * @param {() => unknown} act
 */
const removal = (what, act) => button(t("account.remove"), act, { "aria-label": t("account.remove.of", { what }) });

export function passkeysPart() {
  const { element, change } = liveList(
    () => get("account/passkeys"),
    ({ number, label, created, used }, changing) => {
      const name = label || t("account.passkey.unnamed");
      return [
        h("b", {}, name),
        h("span", { class: "soft" }, `${day(created, language())}${lastUsed(used)}`),
        removal(name, () => changing(() => remove(`account/passkeys/${number}`))),
      ];
    },
    t("account.passkeys.empty"),
  );
  const add = form(
    [{ name: "label", label: t("account.label"), optional: true, longest: 40 }],
    t("account.passkeys.add"),
    async ({ label }) => {
      const made = await makePasskey(await post("account/passkeys/start", {}));
      await post("account/passkeys", { ...made, label });
      await change(async () => {});
    },
    { look: "" },
  );
  return h("div", {}, element, add);
}

/** @param {AccountData} account */
export function codesPart(account) {
  const left = h("p", {}, t("account.codes.left", { count: account.recovery_codes }));
  const shown = h("div", { role: "status" });
  const make = async () => {
    try {
      const { codes } = await post("account/recovery-codes");
      left.textContent = t("account.codes.left", { count: codes.length });
      shown.replaceChildren(
        h("p", {}, t("account.codes.once")),
        h(
          "ul",
          { class: "codes" },
          codes.map((code) => h("li", {}, code)),
        ),
      );
    } catch (error) {
      shown.replaceChildren(h("p", { class: "problem" }, sentenceOf(error)));
    }
  };
  return h("div", { class: "account-form" }, left, shown, button(t("account.codes.make"), make));
}

export function sessionsPart() {
  const { element, change } = liveList(
    () => get("account/sessions"),
    (session, changing) => {
      const name = session.browser || t("account.session.unknown");
      return [
        h("b", {}, name),
        h("span", { class: "soft" }, session.is_this ? t("account.session.this") : lastUsed(session.seen).slice(3)),
        session.is_this ? null : ending(session, name, changing),
      ];
    },
  );
  const others = button(t("account.sessions.others"), () => change(() => remove("account/sessions")));
  return h("div", { class: "account-form" }, element, others);
}

/**
 * @param {SessionData} session
 * @param {string} what
 * @param {(act: () => Promise<unknown>) => Promise<void>} change
 */
const ending = ({ number }, what, change) =>
  button(t("account.sign_out"), () => change(() => remove(`account/sessions/${number}`)), {
    "aria-label": t("account.session.end", { what }),
  });

export function tokensPart() {
  const shown = h("div", { role: "status" });
  const { element, change } = liveList(
    () => get("account/tokens"),
    ({ number, label, scopes, used }, changing) => {
      const name = label || t("account.tokens");
      return [
        h("b", {}, name),
        h(
          "span",
          { class: "soft" },
          `${scopes.map((scope) => t(`account.scope.${scope}`)).join(", ")}${lastUsed(used)}`,
        ),
        removal(name, () => changing(() => remove(`account/tokens/${number}`))),
      ];
    },
  );
  const boxes = SCOPES.map((scope) => h("input", { type: "checkbox", name: scope, checked: scope === "read" }));
  const choices = h(
    "fieldset",
    {},
    h("legend", {}, t("account.scopes")),
    boxes.map((box, i) => h("label", { class: "check" }, box, t(`account.scope.${SCOPES[i]}`))),
  );
  const make = form(
    [{ name: "label", label: t("account.label"), longest: 40 }],
    t("account.tokens.make"),
    async ({ label }) => {
      const made = await post("account/tokens", { label, scopes: SCOPES.filter((_, i) => boxes[i].checked) });
      shown.replaceChildren(link(t("account.tokens.once"), made.token));
      await change(async () => {});
    },
    { look: "" },
  );
  make.prepend(choices);
  return h("div", {}, h("p", { class: "soft" }, t("account.tokens.intro")), element, shown, make);
}
