/**
 * What one can do about another person: hide their messages, block them, report them.
 *
 * @import { AvoidedPlayer, PersonTarget } from "../../net/wire.d.ts"
 * @typedef {{name: string, account: string | null, who: PersonTarget, avoided?: AvoidedPlayer,
 *   changed?: () => void}} Person `who`: how the server is told whom it is about; `avoided`: the entry in the visitor's
 *   list, if there is one
 */

import { post, remove } from "../../net/api.js";
import { t } from "../../net/language.js";
import { account } from "../../net/me.js";
import { button, h, sentenceOf, styles } from "../dom.js";
import { icon } from "../icons.js";
import { speak } from "../speak.js";
import { reportForm } from "./report-form.js";

/** @param {Person} person */
export async function personDialog(person) {
  await styles("online/people");
  const problem = h("p", { class: "problem", role: "alert" });
  const act = async (/** @type {() => Promise<unknown>} */ work, /** @type {string} */ told) => {
    try {
      await work();
      speak(t(told, { name: person.name }));
      dialog.close();
      person.changed?.();
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  const avoid = (/** @type {"mute" | "block"} */ kind) => () =>
    act(() => post("avoided", { who: person.who, kind }), `person.${kind}.done`);
  const end = (/** @type {AvoidedPlayer} */ { number }) => act(() => remove(`avoided/${number}`), "person.end.done");
  const report = () => {
    content.replaceChildren(
      title(person.name),
      reportForm(person, () => dialog.close()),
    );
    content.querySelector("select")?.focus();
  };
  const { avoided } = person;
  const isBlocked = avoided?.kind === "block";
  const content = h(
    "div",
    { class: "person-acts" },
    title(person.name),
    person.account && h("a", { href: `/u/${encodeURIComponent(person.account)}` }, t("person.page")),
    avoided && button(t(isBlocked ? "person.unblock" : "person.unmute"), () => end(avoided)),
    !avoided && button(t("person.mute"), avoid("mute")),
    !avoided && h("p", { class: "soft" }, t("person.mute.help")),
    !isBlocked && account() && button(t("person.block"), avoid("block")),
    !isBlocked && account() && h("p", { class: "soft" }, t("person.block.help")),
    button(t("person.report"), report),
    problem,
    button(t("start.cancel"), () => dialog.close()),
  );
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    { class: "person", "aria-labelledby": "person-title", close: () => dialog.remove() },
    content,
  );
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {string} name */
const title = (name) => h("h2", { id: "person-title" }, name);

/**
 * Makes the small button at a name.
 *
 * @param {Person} person
 */
export function personButton(person) {
  const label = t("person.more", { name: person.name });
  return h(
    "button",
    {
      type: "button",
      class: "plain person-more",
      "aria-haspopup": "dialog",
      "aria-label": label,
      title: label,
      click: () => personDialog(person),
    },
    icon("more"),
  );
}
