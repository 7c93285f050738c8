/** The page without a connection: its sentences in the visitor's language, and another try as soon as there is one. */

import { language } from "./net/language.js";
import { applyLook } from "./net/settings.js";

const PAUSE = 4000; // milliseconds between two tries

applyLook();
document.documentElement.lang = language();
for (const section of document.querySelectorAll("section")) section.hidden = section.lang !== language();
for (const button of document.querySelectorAll("button")) button.addEventListener("click", () => location.reload());
addEventListener("online", tryAgain);
setInterval(tryAgain, PAUSE);

/** Loads the page that was wanted as soon as the server answers. */
async function tryAgain() {
  const answer = await fetch("/api/alive").catch(() => null);
  if (answer?.ok) location.reload();
}
