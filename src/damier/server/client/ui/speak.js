/** Announcements for screen readers. */

import { byId } from "./dom.js";

const MOST_LINES = 4;

/** @param {string} text */
export function speak(text) {
  const region = byId("spoken");
  if (!text) return;
  const line = document.createElement("p");
  line.textContent = text;
  region.append(line);
  while (region.children.length > MOST_LINES) region.firstElementChild?.remove();
}
