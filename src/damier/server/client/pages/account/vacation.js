/**
 * The vacation days of an account: how many are left, and how a vacation begins and ends.
 *
 * @import { VacationData } from "../../net/wire.d.ts"
 */

import { get, post, remove } from "../../net/api.js";
import { t } from "../../net/language.js";
import { button, h, sentenceOf } from "../../ui/dom.js";
import { endDay } from "../match/slow/end-day.js";

const USUAL = 7; // days

export function vacationPart() {
  const said = h("p", { role: "status" });
  const acts = h("div", { class: "account-form" });
  const problem = h("p", { class: "problem", role: "alert" });
  const act = async (/** @type {() => Promise<VacationData>} */ change) => {
    problem.textContent = "";
    try {
      draw(await change());
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  const draw = (/** @type {VacationData} */ data) => {
    const { allowance, period, left: count } = data;
    said.textContent =
      data.ends_in === null
        ? t("vacation.left", { count, allowance, period })
        : `${t("vacation.until", { day: endDay(data.ends_in) })} ${t("vacation.left", { count, allowance, period })}`;
    if (data.ends_in !== null)
      acts.replaceChildren(button(t("vacation.end"), () => act(() => remove("account/vacation"))));
    else if (count) acts.replaceChildren(...beginParts(count, act));
    else acts.replaceChildren();
  };
  act(() => get("account/vacation"));
  return h("div", {}, h("p", { class: "soft" }, t("vacation.intro")), said, acts, problem);
}

/**
 * @param {number} left
 * @param {(change: () => Promise<VacationData>) => void} act
 */
function beginParts(left, act) {
  const days = h(
    "select",
    { name: "days" },
    Array.from({ length: left }, (_, i) =>
      h("option", { value: i + 1, selected: i + 1 === Math.min(USUAL, left) }, t("vacation.days", { count: i + 1 })),
    ),
  );
  return [
    h("label", { class: "field" }, h("span", {}, t("vacation.length")), days),
    button(t("vacation.begin"), () => act(() => post("account/vacation", { days: Number(days.value) }))),
  ];
}
