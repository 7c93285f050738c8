/**
 * The header of every page, in one row: the places, sound, theme, language, settings, and the visitor's nickname.
 *
 * @import { Icon } from "../icons.js"
 */

import { LANGUAGES, language, t } from "../../net/language.js";
import { account, nickname, onRename } from "../../net/me.js";
import { choose, onChange, setting } from "../../net/settings.js";
import { button, byId, h } from "../dom.js";
import { icon } from "../icons.js";

/** The places, and the paths that belong to each. */
const PLACES = {
  play: /^\/(m|dice)\/|^\/$/,
  lobby: /^\/(lobby|matches|tournaments|t)\b/,
  learn: /^\/(learn|rules|puzzles)\b/,
  analyse: /^\/analyse\b/,
  solutions: /^\/(solutions|explore)\b/,
};
/** @type {Record<string, Icon>} */
const THEMES = { auto: "theme", light: "sun", dark: "moon" };
let forget = () => {};

/** @param {{changeLanguage: (lang: string) => Promise<void>, openSettings: () => void}} does */
export function drawHeader({ changeLanguage, openSettings }) {
  forget();
  const [sound, renewSound] = soundButton();
  const [theme, renewTheme] = themePicker();
  const [name, renewName] = nameChip();
  const stops = [onChange(renewSound), onChange(renewTheme), onRename(renewName)];
  forget = () => stops.forEach((stop) => stop());
  const places = h(
    "nav",
    { class: "places", id: "places", "aria-label": t("nav.places") },
    Object.keys(PLACES).map((place) =>
      h("a", { href: place === "play" ? "/" : `/${place}`, "data-place": place }, t(`nav.${place}`)),
    ),
  );
  byId("top").replaceChildren(
    button(t("nav.skip"), () => byId("page").focus(), { look: "skip" }),
    h("a", { class: "brand", href: "/" }, "damier"),
    placesButton(places),
    places,
    h(
      "nav",
      { class: "settings", "aria-label": t("nav.settings") },
      sound,
      theme,
      picker(
        "lang",
        t("lang.label"),
        LANGUAGES,
        language(),
        h("b", { class: "lang" }, language().toUpperCase()),
        changeLanguage,
      ),
      h(
        "button",
        { type: "button", class: "quiet", "aria-label": t("set.open"), title: t("set.open"), click: openSettings },
        icon("settings"),
      ),
      name,
    ),
  );
  markPlace();
}

/** Marks the place of the page that is shown, and closes the list of places. */
export function markPlace() {
  const here = Object.entries(PLACES).find(([, paths]) => paths.test(location.pathname))?.[0];
  for (const link of document.querySelectorAll(".places a")) {
    if (link.getAttribute("data-place") === here) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  const title = document.querySelector(".places-button span");
  if (title) title.textContent = t(`nav.${here ?? "places"}`);
  document.querySelector(".places-button")?.setAttribute("aria-expanded", "false");
}

/**
 * Makes the button that shows the places where there is no room for all of them.
 *
 * @param {HTMLElement} places
 */
function placesButton(places) {
  const show = (/** @type {boolean} */ isOpen) => opener.setAttribute("aria-expanded", String(isOpen));
  /** @type {HTMLButtonElement} */
  const opener = h(
    "button",
    {
      type: "button",
      class: "places-button quiet",
      "aria-label": t("nav.places"),
      "aria-controls": "places",
      "aria-expanded": "false",
      click: () => show(opener.getAttribute("aria-expanded") !== "true"),
    },
    icon("menu"),
    h("span", {}),
    icon("down"),
  );
  const close = (/** @type {KeyboardEvent} */ { key }) => {
    if (key !== "Escape" || opener.getAttribute("aria-expanded") !== "true") return;
    show(false);
    opener.focus();
  };
  const leave = (/** @type {FocusEvent} */ { relatedTarget }) => {
    const isInside = relatedTarget === opener || (relatedTarget instanceof Node && places.contains(relatedTarget));
    if (!isInside) show(false);
  };
  for (const part of [opener, places]) {
    part.addEventListener("keydown", close);
    part.addEventListener("focusout", leave);
  }
  return opener;
}

/** @returns {[HTMLButtonElement, () => void]} the button, and what draws it again */
function soundButton() {
  const made = h("button", {
    type: "button",
    class: "quiet sound",
    role: "switch",
    "aria-label": t("show.sounds"),
    click: () => choose("sounds", !setting("sounds")),
  });
  const renew = () => {
    made.setAttribute("aria-checked", String(setting("sounds")));
    made.title = t(setting("sounds") ? "sound.mute" : "sound.unmute");
    made.replaceChildren(icon(setting("sounds") ? "sound" : "mute"));
  };
  renew();
  return [made, renew];
}

/** @returns {[HTMLElement, () => void]} the button, for an account a link to its page, and what draws it again */
function nameChip() {
  const open = async () => (await import("./nickname.js")).nicknameDialog();
  const made = account()
    ? h("a", { href: "/account", class: "me as-button" })
    : h("button", { type: "button", class: "me", click: open });
  const renew = () => {
    const name = nickname();
    const label = account() ? `${name}: ${t("account.title")}` : t("me.change", { name });
    made.hidden = !name;
    made.setAttribute("aria-label", label);
    made.title = label;
    made.replaceChildren(h("i", { "aria-hidden": "true" }, [...name][0] ?? ""), h("span", {}, name));
  };
  renew();
  return [made, renew];
}

/** @returns {[HTMLElement, () => void]} the list, and what draws it again */
function themePicker() {
  const sign = h("span", {});
  const texts = { auto: t("theme.auto"), light: t("theme.light"), dark: t("theme.dark") };
  const made = picker("theme", t("theme.label"), texts, setting("theme"), sign, (theme) => choose("theme", theme));
  const renew = () => {
    sign.replaceChildren(icon(THEMES[setting("theme")]));
    const select = made.querySelector("select");
    if (select) select.value = setting("theme");
  };
  renew();
  return [made, renew];
}

/**
 * Makes a list to choose from that is shown as a sign.
 *
 * @template {string} V
 * @param {string} name
 * @param {string} label
 * @param {Record<V, string>} choices texts by value
 * @param {V} value
 * @param {HTMLElement} sign
 * @param {(value: V) => void} change
 */
function picker(name, label, choices, value, sign, change) {
  const values = /** @type {V[]} */ (Object.keys(choices));
  return h(
    "label",
    { class: "pick", title: label },
    sign,
    h("span", { class: "unseen" }, label),
    h(
      "select",
      { change: ({ currentTarget }) => change(values[currentTarget.selectedIndex]), name, autocomplete: "off" },
      values.map((each) => h("option", { value: each, selected: each === value }, choices[each])),
    ),
  );
}
