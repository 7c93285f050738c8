/** The text that embeds a board in another site. */

import { t } from "../net/language.js";
import { h } from "./dom.js";

/**
 * Makes a fold with the HTML of a frame to copy.
 *
 * @param {string} path
 * @param {string} title
 */
export function embedBox(path, title) {
  const source = (location.origin + path).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const box = h("textarea", {
    readonly: true,
    rows: 4,
    class: "code",
    focus: ({ currentTarget }) => currentTarget.select(),
  });
  box.value = `<iframe src="${source}" width="420" height="520" title="${title}" style="border:0"></iframe>`;
  return h(
    "details",
    { class: "fold" },
    h("summary", {}, t("embed.title")),
    h("label", { class: "field" }, h("span", {}, t("embed.how")), box),
  );
}
