/**
 * "Tell me when somebody seeks": the games of which the visitor wants to be told.
 *
 * @import { GameData } from "../../net/wire.d.ts"
 */

import { get, put } from "../../net/api.js";
import { t } from "../../net/language.js";
import { h, sentenceOf } from "../../ui/dom.js";
import { noteInterest } from "../../ui/notices/interest.js";

/** @param {GameData[]} games */
export function wishFold(games) {
  const outcome = h("p", { class: "soft", role: "status" });
  const boxes = games.map(({ name }) => h("input", { type: "checkbox", value: name, change: () => store() }));
  const store = async () => {
    try {
      await put("lobby/wishes", { games: boxes.filter(({ checked }) => checked).map(({ value }) => value) });
      outcome.textContent = t("lobby.wishes.stored");
      noteInterest();
    } catch (error) {
      outcome.textContent = sentenceOf(error);
    }
  };
  const load = async (/** @type {{currentTarget: HTMLDetailsElement}} */ { currentTarget }) => {
    if (!currentTarget.open) return;
    const wishes = await get("lobby/wishes").catch(() => null);
    for (const box of boxes) box.checked = wishes?.games.includes(box.value) ?? false;
  };
  return h(
    "details",
    { class: "panel wishes", toggle: load },
    h("summary", {}, t("lobby.wishes")),
    h("p", { class: "soft" }, t("lobby.wishes.intro")),
    h(
      "div",
      { class: "checks" },
      games.map(({ title }, i) => h("label", { class: "check" }, boxes[i], h("span", {}, title))),
    ),
    outcome,
    h("p", {}, h("a", { href: "/notices" }, t("notices.link"))),
  );
}
