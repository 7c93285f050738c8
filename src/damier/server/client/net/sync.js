/**
 * Keeps settings and progress, which the pages read from this browser, with the account too.
 *
 * @import { Kept } from "./merge.js"
 */

import { get, send } from "./api.js";
import { merged } from "./merge.js";
import { renewSettings } from "./settings.js";

const PREFIX = "damier";
const PAUSE = 15_000; // milliseconds between looks at what has changed
const PATH = "account/settings";

/** What this browser keeps for us. */
export function local() {
  /** @type {Kept} */
  const found = {};
  try {
    for (const key of Object.keys(localStorage))
      if (key.split(".")[0] === PREFIX) found[key] = JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    /* the browser keeps nothing for us */
  }
  return found;
}

/** @param {Kept} kept */
function keep(kept) {
  try {
    for (const [key, value] of Object.entries(kept))
      if (key.split(".")[0] === PREFIX) localStorage.setItem(key, JSON.stringify(value));
  } catch {
    /* storage is full or forbidden: the account has it */
  }
}

/** Reads what the account has, once, and stores what changes here, every few seconds and when the page is left. */
export async function keepInSync() {
  let sent = "";
  const store = async () => {
    const mine = local();
    if (JSON.stringify(mine) === sent) return;
    const { settings: theirs } = await get(PATH);
    const all = merged(theirs, mine);
    if (JSON.stringify(all) !== JSON.stringify(theirs)) await send(PATH, { settings: all }, "PUT");
    sent = JSON.stringify(mine);
  };
  const look = () => store().catch(() => {}); // offline or signed out: it is tried again
  try {
    const { settings: theirs } = await get(PATH);
    const before = local();
    const all = merged(before, theirs);
    keep(all);
    if (JSON.stringify(before) !== JSON.stringify(local())) renewSettings();
    await store();
  } catch {
    /* offline or signed out */
  }
  setInterval(look, PAUSE);
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && look());
}
