/**
 * The bell in the header: how many things wait for the visitor elsewhere, and the list of them. What happens while a page
 * is open is also said in a box that goes away by itself.
 *
 * @import { NoticeData } from "../../net/wire.d.ts"
 */

import { needSentences, t } from "../../net/language.js";
import { button, h, styles } from "../dom.js";
import { icon } from "../icons.js";
import { play as sound } from "../sound.js";
import { speak } from "../speak.js";
import { NoticeSocket } from "./notice-socket.js";

const SHOWN = 12_000; // milliseconds for which a box is shown

/** @type {NoticeSocket | undefined} */
let socket;
/** @type {Set<string>} tags that the visitor has removed from the list */
const removed = new Set();

/** Opens the connection and draws the bell; returns what draws it again, in another header or language. */
export async function showBell() {
  await Promise.all([styles("online/notices"), needSentences("notices")]);
  socket = new NoticeSocket({ changed: draw, told });
  return () => {
    socket?.renew();
    draw();
  };
}

/** What is not about the page that is shown, the newest first. */
const waiting = () =>
  [...(socket?.list.values() ?? [])]
    .filter(({ tag, path }) => !removed.has(tag) && path !== location.pathname)
    .reverse();

function draw() {
  const place = document.querySelector("#top .settings");
  const count = waiting().length;
  let bell = document.querySelector("#top .bell");
  if (!place || (!count && !bell)) return;
  if (!bell) {
    bell = h("button", { type: "button", class: "quiet bell", click: openList });
    place.prepend(bell);
  }
  const label = t("notices.waiting", { count });
  bell.setAttribute("aria-label", label);
  bell.setAttribute("title", label);
  bell.toggleAttribute("hidden", !count);
  bell.replaceChildren(icon("bell"), h("b", { "aria-hidden": "true" }, String(count)));
}

/** @param {NoticeData} notice */
function told(notice) {
  removed.delete(notice.tag);
  if (notice.path === location.pathname) return;
  sound("turn");
  speak(`${notice.title}: ${notice.text}`);
  document.querySelector(".notice-box")?.remove();
  /** @type {HTMLElement} */
  const box = h(
    "aside",
    { class: "notice-box", "aria-label": t("notices.title") },
    link(notice, () => box.remove()),
    h(
      "button",
      { type: "button", class: "quiet", "aria-label": t("notices.close"), click: () => box.remove() },
      icon("close"),
    ),
  );
  document.body.append(box);
  setTimeout(() => box.remove(), SHOWN);
}

/**
 * @param {NoticeData} notice
 * @param {() => void} followed
 */
const link = ({ title, text, path }, followed) =>
  h("a", { href: path, click: followed }, h("b", {}, title), h("span", {}, text));

function openList() {
  const close = () => dialog.close();
  const clear = () => {
    for (const { tag } of waiting()) removed.add(tag);
    draw();
    close();
  };
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    { class: "notice-list", "aria-labelledby": "notices-title", close: () => dialog.remove() },
    h("h2", { id: "notices-title" }, t("notices.title")),
    h(
      "ul",
      {},
      waiting().map((notice) => h("li", {}, link(notice, close))),
    ),
    h(
      "div",
      { class: "buttons" },
      button(t("notices.close"), close, { look: "main" }),
      button(t("notices.clear"), clear),
      h("a", { class: "quiet-link", href: "/notices", click: close }, t("notices.options")),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/** Draws the bell again, for the page that is shown now. */
export const renewBell = draw;
