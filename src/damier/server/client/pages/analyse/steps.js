/** Going about in a tree of variations: by buttons and by keys, all with the same names. */

import { t } from "../../net/language.js";
import { button, h } from "../../ui/dom.js";

const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "on",
  ArrowUp: "up",
  ArrowDown: "down",
  Home: "first",
  End: "last",
  Delete: "remove",
};
const GOING = ["first", "back", "on", "last", "up", "down"];
const CHANGING = ["promote", "remove", "restore"];

/**
 * @param {Record<string, () => void>} acts what each name does
 * @returns {{bar: Element, tools: Element, update: (can: Record<string, boolean>) => void}} two rows of buttons
 */
export function stepButtons(acts) {
  const make = (name, look) =>
    button(t(`step.${name}`), acts[name], { sign: name, look, title: t(`step.${name}.title`) });
  const made = Object.fromEntries([
    ...GOING.map((name) => [name, make(name, "step")]),
    ...CHANGING.map((name) => [name, make(name, "")]),
  ]);
  return {
    bar: h(
      "div",
      { class: "moments steps", role: "toolbar", "aria-label": t("step.label") },
      GOING.map((name) => made[name]),
    ),
    tools: h(
      "div",
      { class: "buttons step-tools" },
      CHANGING.map((name) => made[name]),
    ),
    update: (can) => {
      for (const [name, each] of Object.entries(made)) each.disabled = !can[name];
      made.restore.hidden = !can.restore;
    },
  };
}

/**
 * Listens to the keys of the page; returns what ends it. The arrows go from cell to cell for one who came to the board
 * by keys, and from action to action for one who clicked there.
 */
export function stepKeys(page, acts) {
  let isPointing = false;
  const point = () => (isPointing = true);
  const key = (event) => {
    if (event.key === "Tab") isPointing = false;
    const { target } = event;
    const act = acts[KEYS[event.key]];
    if (!act || event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (target.closest?.("input, textarea, select, #top") || (target.closest?.('[role="grid"]') && !isPointing)) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  page.addEventListener("pointerdown", point, true);
  document.addEventListener("keydown", key, true);
  return () => {
    page.removeEventListener("pointerdown", point, true);
    document.removeEventListener("keydown", key, true);
  };
}
