/** The shortcuts of a match. */

import { choose, setting } from "../../../net/settings.js";
import { addKeys } from "../../../ui/keys/keys.js";

/**
 * Adds the shortcuts; returns what removes them.
 *
 * @param {{controls: {parts: Record<"undo" | "hint", HTMLButtonElement>},
 *   momentBar: Record<"back" | "on", HTMLButtonElement>, flip: () => void, type: () => void}} match
 */
export function matchKeys({ controls, momentBar, flip, type }) {
  const press = (/** @type {HTMLButtonElement} */ button) => () => void (button.hidden || button.click());
  return addKeys({
    b: press(momentBar.back),
    n: press(momentBar.on),
    f: flip,
    h: press(controls.parts.hint),
    u: press(controls.parts.undo),
    t: type,
    z: () => choose("zen", !setting("zen")),
  });
}
