/** The people whom the visitor has muted or blocked, with a button that ends it. */

import { get, remove } from "../../net/api.js";
import { t } from "../../net/language.js";
import { button, h, sentenceOf } from "../dom.js";

export function avoidedList() {
  const list = h("ul", { class: "account-list" });
  const empty = h("p", { class: "soft" }, t("avoided.none"));
  const problem = h("p", { class: "problem", role: "alert" });
  const draw = async () => {
    try {
      const found = await get("avoided");
      empty.hidden = found.length > 0;
      list.replaceChildren(
        ...found.map(({ number, name, account, kind }) =>
          h(
            "li",
            {},
            account ? h("a", { href: `/u/${encodeURIComponent(account)}` }, h("b", {}, name)) : h("b", {}, name),
            h("span", { class: "soft" }, t(`avoided.${kind}`)),
            button(t(kind === "block" ? "person.unblock" : "person.unmute"), () => end(number), {
              "aria-label": `${t(kind === "block" ? "person.unblock" : "person.unmute")}: ${name}`,
            }),
          ),
        ),
      );
      return found.length;
    } catch (error) {
      problem.textContent = sentenceOf(error);
      return 0;
    }
  };
  const end = async (/** @type {string} */ number) => {
    problem.textContent = "";
    try {
      await remove(`avoided/${number}`);
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
    await draw();
  };
  return { element: h("div", { class: "avoided" }, empty, list, problem), ready: draw() };
}
