/**
 * The entry point: shows the header and the page that the address means.
 *
 * @import { Given, Go, OpenPage } from "./types.d.ts"
 */

import { loadSentences, setLanguage, t } from "./net/language.js";
import { account, isForgotten } from "./net/me.js";
import { wasSeeking } from "./net/seeking.js";
import { applyLook, choose, setting } from "./net/settings.js";
import { routeOf } from "./pages/routes.js";
import { button, byId, h, sentenceOf } from "./ui/dom.js";
import { drawHeader, markPlace } from "./ui/header/header.js";
import { addKeys } from "./ui/keys/keys.js";
import { isInterested } from "./ui/notices/interest.js";

let leave = () => {};
let visit = 0;
/** @type {(isHeadNew: boolean) => void} draws the bell of notices again, if there is one */
let drawBell = () => {};

/**
 * Goes to another page without loading everything again, unless the visitor is another one there.
 *
 * @type {Go}
 */
async function go(address, given) {
  if (isForgotten()) {
    location.assign(address);
    return;
  }
  if (address !== location.pathname + location.search + location.hash) history.pushState(null, "", address);
  scrollTo(0, 0);
  await show(given);
  byId("page").focus({ preventScroll: true });
}

/** @param {Given} [given] */
async function show(given) {
  const mine = ++visit;
  leave();
  leave = () => {};
  const page = renewed();
  markPlace();
  drawBell(false);
  const route = routeOf(location.pathname);
  try {
    const { open } = route ? await route.load() : { open: missing };
    if (mine !== visit) return;
    const end = await open(page, { argument: route?.argument ?? "", second: route?.second, given, go });
    if (mine === visit) leave = end ?? leave;
    else end?.();
  } catch (error) {
    if (mine === visit) failed(page, error);
  }
}

/**
 * Replaces the element of the page by another with the same contents: a page that is ready too late writes to the old one.
 *
 * @returns {HTMLElement}
 */
function renewed() {
  const old = byId("page");
  const page = /** @type {HTMLElement} */ (old.cloneNode(false));
  page.append(...old.childNodes);
  old.replaceWith(page);
  return page;
}

/** @type {OpenPage} */
async function missing(page) {
  page.replaceChildren(note(t("error.page")));
}

/**
 * @param {HTMLElement} page
 * @param {unknown} error
 */
function failed(page, error) {
  console.error(error);
  page.replaceChildren(note(sentenceOf(error)));
}

/** @param {string} text */
const note = (text) =>
  h(
    "section",
    { class: "note" },
    h("p", {}, text),
    button(t("nav.home"), () => go("/"), { look: "main" }),
  );

const head = () => drawHeader({ changeLanguage, openSettings });
const openSettings = async () => (await import("./ui/settings/settings-dialog.js")).settingsDialog({ changeLanguage });
const openKeys = async () => (await import("./ui/keys/keys-dialog.js")).keysDialog();

/** @param {string} lang */
async function changeLanguage(lang) {
  await setLanguage(lang);
  head();
  drawBell(true);
  show();
}

/**
 * Follows links of ours without loading everything again.
 *
 * @param {MouseEvent} event
 */
function follow(event) {
  const link = event.target instanceof Element ? event.target.closest("a[href^='/']") : null;
  const isSpecial = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
  if (!link || isSpecial || link.hasAttribute("target")) return;
  event.preventDefault();
  go(link.getAttribute("href") ?? "/");
}

applyLook();
addEventListener("popstate", () => (isForgotten() ? location.reload() : show()));
document.addEventListener("click", follow);
addKeys({ "?": openKeys, s: openSettings, m: () => choose("sounds", !setting("sounds")) });
await loadSentences().catch(() => {});
head();
await show();
if (account()) import("./net/sync.js").then(({ keepInSync }) => keepInSync());
navigator.serviceWorker?.register("/worker.js").catch(() => {}); // not everywhere: the pages need none
if (account() || isInterested())
  import("./ui/notices/bell.js").then(async ({ showBell, renewBell }) => {
    const renew = await showBell();
    drawBell = (isHeadNew) => (isHeadNew ? renew() : renewBell());
  });
if (wasSeeking()) import("./ui/seeking/waiting.js").then(({ showWaiting }) => showWaiting(go));
