/**
 * Stepping through a tree of variations, by buttons and by keys.
 *
 * @typedef {"first" | "back" | "on" | "last" | "up" | "down"} Going
 * @typedef {"promote" | "remove" | "restore"} Changing
 * @typedef {Record<Going | Changing, () => void>} Acts
 * @typedef {Record<Going | Changing, boolean>} Abilities
 */

import { t } from "../../net/language.js";
import { button, h } from "../../ui/dom.js";

/** @type {Record<string, Going | Changing>} */
const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "on",
  ArrowUp: "up",
  ArrowDown: "down",
  Home: "first",
  End: "last",
  Delete: "remove",
};
/** @type {Going[]} */
const GOING = ["first", "back", "on", "last", "up", "down"];
/** @type {Changing[]} */
const CHANGING = ["promote", "remove", "restore"];

/**
 * Makes two rows of buttons.
 *
 * @param {Acts} acts
 */
export function stepButtons(acts) {
  /** @type {Map<Going | Changing, HTMLButtonElement>} */
  const made = new Map();
  const make = (/** @type {Going | Changing} */ name, look = "") => {
    const one = button(t(`step.${name}`), acts[name], { sign: name, look, title: t(`step.${name}.title`) });
    made.set(name, one);
    return one;
  };
  return {
    bar: h(
      "div",
      { class: "moments steps", role: "toolbar", "aria-label": t("step.label") },
      GOING.map((name) => make(name, "step")),
    ),
    tools: h(
      "div",
      { class: "buttons step-tools" },
      CHANGING.map((name) => make(name)),
    ),
    update: (/** @type {Abilities} */ can) => {
      for (const [name, each] of made) {
        each.disabled = !can[name];
        each.hidden = name === "restore" && !can.restore;
      }
    },
  };
}

/**
 * Listens to the keys of the page; returns what ends it. After the Tab key the arrows go from cell to cell of the board,
 * after a click on it from action to action.
 *
 * @param {HTMLElement} page
 * @param {Acts} acts
 */
export function stepKeys(page, acts) {
  let isPointing = false;
  const point = () => (isPointing = true);
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Tab") isPointing = false;
    const target = event.target instanceof Element ? event.target : null;
    const act = acts[KEYS[event.key]];
    if (!act || event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (
      target?.closest("input, textarea, select, #top, [role='tablist']") ||
      (target?.closest('[role="grid"]') && !isPointing)
    )
      return;
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
