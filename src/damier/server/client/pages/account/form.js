/**
 * Forms of the account page.
 *
 * @typedef {{name: string, label: string, type?: "text" | "password" | "email", autocomplete?: AutoFill, value?: string,
 *   optional?: boolean, longest?: number}} Field
 */

import { h, sentenceOf } from "../../ui/dom.js";

/**
 * Makes a form: its fields, a button that sends them, what else stands beside it, and a place for the answer.
 *
 * @param {Field[]} fields
 * @param {string} submit the text of the button
 * @param {(values: Record<string, string>) => Promise<string | void>} act resolves with a sentence to show
 * @param {{look?: string, more?: (HTMLElement | null)[]}} others
 */
export function form(fields, submit, act, { look = "main", more = [] } = {}) {
  const problem = h("p", { class: "problem", role: "alert" });
  const outcome = h("p", { class: "soft outcome", role: "status" });
  const button = h("button", { type: "submit", class: look }, submit);
  const inputs = fields.map((field) =>
    h("input", {
      type: field.type ?? "text",
      name: field.name,
      value: field.value ?? "",
      maxlength: field.longest ?? 200,
      required: !field.optional,
      autocomplete: field.autocomplete ?? "off",
      autocapitalize: "none",
      spellcheck: "false",
    }),
  );
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    problem.textContent = outcome.textContent = "";
    button.disabled = true;
    try {
      outcome.textContent = (await act(Object.fromEntries(inputs.map((each) => [each.name, each.value])))) ?? "";
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
    button.disabled = false;
  };
  return h(
    "form",
    { class: "account-form", submit: send },
    fields.map((field, i) => h("label", { class: "field" }, h("span", {}, field.label), inputs[i])),
    problem,
    outcome,
    h("div", { class: "buttons" }, button, more),
  );
}

/**
 * Returns a time as a day in the visitor's language.
 *
 * @param {string} time
 * @param {string} lang
 */
export const day = (time, lang) => new Date(time).toLocaleDateString(lang, { dateStyle: "medium" });
