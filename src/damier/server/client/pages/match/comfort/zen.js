/** Zen mode: only the board, the players with their clocks, and whose turn it is. */

import { t } from "../../../net/language.js";
import { choose, onChange, setting } from "../../../net/settings.js";
import { button, h } from "../../../ui/dom.js";

/**
 * Shows a page in zen mode as long as the visitor has chosen it; returns what ends that.
 *
 * @param {HTMLElement} page
 */
export function zenMode(page) {
  const leave = h(
    "div",
    { class: "leave-zen" },
    button(t("zen.off"), () => choose("zen", false), { sign: "close" }),
  );
  const draw = () => {
    document.body.classList.toggle("zen", setting("zen"));
    if (setting("zen")) page.append(leave);
    else leave.remove();
  };
  draw();
  const end = onChange((name) => name === "zen" && draw());
  return () => {
    end();
    document.body.classList.remove("zen");
  };
}
