/** What puts something of ours on another page. */

import { t } from "../net/language.js";
import { h } from "./dom.js";

/** A fold with the text to copy: a frame that shows what stands at a path. */
export function embedBox(path, title) {
  const source = (location.origin + path).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const box = h("textarea", { readonly: true, rows: 4, class: "code", focus: ({ target }) => target.select() });
  box.value = `<iframe src="${source}" width="420" height="520" title="${title}" style="border:0"></iframe>`;
  return h(
    "details",
    { class: "fold" },
    h("summary", {}, t("embed.title")),
    h("label", { class: "field" }, h("span", {}, t("embed.how")), box),
  );
}
