/**
 * The form that reports a person to the moderators.
 *
 * @import { NewReport } from "../../net/wire.d.ts"
 * @import { Person } from "./person-dialog.js"
 */

import { send } from "../../net/api.js";
import { t } from "../../net/language.js";
import { button, h, sentenceOf } from "../dom.js";

const REASONS = /** @type {const} */ (["abuse", "cheating", "name", "spam", "stalling", "other"]);
const LONGEST = 500; // characters

/**
 * @param {Person} person
 * @param {() => void} close
 */
export function reportForm(person, close) {
  const problem = h("p", { class: "problem", role: "alert" });
  const outcome = h("p", { role: "status" });
  const reason = h(
    "select",
    { name: "reason", autocomplete: "off" },
    REASONS.map((each) => h("option", { value: each }, t(`report.${each}`))),
  );
  const words = h("textarea", { name: "words", maxlength: LONGEST, rows: 3 });
  const submit = h("button", { type: "submit", class: "main" }, t("report.send"));
  const cancel = button(t("start.cancel"), close);
  const act = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    problem.textContent = "";
    submit.disabled = true;
    /** @type {NewReport} */
    const report = { who: person.who, reason: REASONS[reason.selectedIndex], words: words.value };
    try {
      await send("reports", report);
      outcome.textContent = t("report.done");
      fields.hidden = submit.hidden = true;
      cancel.replaceChildren(t("report.close"));
      cancel.focus();
    } catch (error) {
      problem.textContent = sentenceOf(error);
      submit.disabled = false;
    }
  };
  const fields = h(
    "div",
    { class: "report-fields" },
    h("p", { class: "soft" }, t("report.intro")),
    h("label", { class: "field" }, h("span", {}, t("report.reason")), reason),
    h("label", { class: "field" }, h("span", {}, t("report.words")), words),
  );
  return h("form", { submit: act }, fields, problem, outcome, h("div", { class: "buttons" }, submit, cancel));
}
