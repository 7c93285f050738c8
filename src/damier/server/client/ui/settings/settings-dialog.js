/**
 * The dialog of all settings. Each applies at once.
 *
 * @import { Settings } from "../../net/settings.js"
 * @typedef {"coordinates" | "sounds" | "asks" | "confirm" | "ahead" | "zen" | "keys" | "chat"} Flag
 * @typedef {"theme" | "notation" | "motion" | "coach" | "distance"} Listed
 */

import { LANGUAGES, needSentences, t } from "../../net/language.js";
import { account } from "../../net/me.js";
import { boardStyles, choose, replaceSettings, setting, SETTINGS } from "../../net/settings.js";
import { button, h, s, styles } from "../dom.js";
import { play as sound } from "../sound.js";
import { speak } from "../speak.js";

const SAMPLE = /** @type {const} */ (["noir", "blanc", "green", "red"]); // pieces in the picture of a board

/** @param {{changeLanguage: (lang: string) => Promise<void>}} does */
export async function settingsDialog({ changeLanguage }) {
  boardStyles();
  await Promise.all([styles("settings/dialog"), needSentences("settings")]);
  const again = async (/** @type {string} */ focus) => {
    dialog.close();
    await settingsDialog({ changeLanguage });
    /** @type {HTMLElement | null} */ (document.querySelector(`dialog.all-settings [name="${focus}"]`))?.focus();
  };
  const language = async (/** @type {string} */ lang) => {
    await changeLanguage(lang);
    await again("lang");
  };
  const reset = async () => {
    replaceSettings({});
    await changeLanguage("");
    await again("reset");
    speak(t("set.reset.done"));
  };
  const keys = async () => {
    dialog.close();
    (await import("../keys/keys-dialog.js")).keysDialog();
  };
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    { class: "all-settings", "aria-labelledby": "settings-title", close: () => dialog.remove() },
    h("h2", { id: "settings-title" }, t("set.title")),
    h("p", { class: "soft" }, t(account() ? "set.note.account" : "set.note")),
    part(
      "look",
      list("lang", t("lang.label"), { "": t("set.lang.auto"), ...LANGUAGES }, setting("lang"), language),
      listed("theme", t("theme.label"), "theme"),
      boards(),
      flag("coordinates", t("show.coordinates")),
      listed("notation", t("set.notation")),
      listed("motion", t("set.motion")),
    ),
    part(
      "playing",
      flag("asks", t("show.asks")),
      flag("confirm", t("set.confirm"), t("set.confirm.help")),
      flag("ahead", t("set.ahead"), t("set.ahead.help")),
      listed("coach", t("set.coach")),
      listed("distance", t("set.distance")),
      flag("chat", t("set.chat"), t("set.chat.help")),
      flag("zen", t("set.zen")),
      flag("keys", t("set.keys")),
    ),
    part("sound", flag("sounds", t("show.sounds")), volume()),
    h(
      "div",
      { class: "buttons" },
      button(t("set.close"), () => dialog.close(), { look: "main" }),
      button(t("nav.keys"), keys),
      h("button", { type: "button", name: "reset", click: reset }, t("set.reset")),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * @param {"look" | "playing" | "sound"} name
 * @param {...HTMLElement} fields
 */
const part = (name, ...fields) => h("section", {}, h("h3", {}, t(`set.${name}`)), fields);

/**
 * Makes a list to choose from.
 *
 * @param {string} name
 * @param {string} label
 * @param {Record<string, string>} choices texts by value
 * @param {string} value
 * @param {(value: string) => void} change
 */
function list(name, label, choices, value, change) {
  const values = Object.keys(choices);
  return h(
    "label",
    { class: "field" },
    h("span", {}, label),
    h(
      "select",
      { name, autocomplete: "off", change: ({ currentTarget }) => change(values[currentTarget.selectedIndex]) },
      values.map((each) => h("option", { value: each, selected: each === value }, choices[each])),
    ),
  );
}

/**
 * Makes the list of a setting's choices.
 *
 * @param {Listed} name
 * @param {string} label
 * @param {string} keys the beginning of the keys of its texts
 */
function listed(name, label, keys = `set.${name}`) {
  const choices = /** @type {string[]} */ (SETTINGS[name].choices);
  const texts = Object.fromEntries(choices.map((each) => [each, t(`${keys}.${each}`)]));
  return list(name, label, texts, setting(name), (value) => choose(name, /** @type {Settings[Listed]} */ (value)));
}

/**
 * Makes the box of a setting that is on or off.
 *
 * @param {Flag} name
 * @param {string} label
 */
function flag(name, label, help = "") {
  const described = help ? `help-${name}` : null;
  return h(
    "div",
    {},
    h(
      "label",
      { class: "check" },
      h("input", {
        type: "checkbox",
        name,
        checked: setting(name),
        "aria-describedby": described,
        change: ({ currentTarget }) => choose(name, currentTarget.checked),
      }),
      h("span", {}, label),
    ),
    help && h("p", { class: "soft help", id: described }, help),
  );
}

function volume() {
  return h(
    "label",
    { class: "field" },
    h("span", {}, t("set.volume")),
    h("input", {
      type: "range",
      name: "volume",
      min: 0,
      max: 100,
      step: 5,
      value: setting("volume"),
      change: ({ currentTarget }) => {
        choose("volume", Number(currentTarget.value));
        sound("turn");
      },
    }),
  );
}

/** Makes pictures of the boards to choose from. */
function boards() {
  const choices = /** @type {Settings["board"][]} */ (SETTINGS.board.choices);
  return h(
    "fieldset",
    { class: "boards" },
    h("legend", {}, t("set.board")),
    choices.map((board) =>
      h(
        "label",
        { "data-board": board },
        h("input", {
          type: "radio",
          name: "board",
          value: board,
          checked: board === setting("board"),
          change: () => choose("board", board),
        }),
        boardSample(),
        h("span", {}, t(`set.board.${board}`)),
      ),
    ),
  );
}

/** Makes four cells with pieces in the colours around them. */
const boardSample = () =>
  s(
    "svg",
    { viewBox: "-.15 -.15 4.3 1.3", "aria-hidden": "true" },
    s("rect", { x: -0.15, y: -0.15, width: 4.3, height: 1.3, rx: 0.12, fill: "var(--frame)" }),
    SAMPLE.map((piece, i) =>
      s(
        "g",
        { class: piece, transform: `translate(${i + 0.5} .5)` },
        s("rect", { x: -0.5, y: -0.5, width: 1, height: 1, fill: `var(--${i % 2 ? "dark" : "light"})` }),
        s("circle", { r: 0.32, fill: "var(--face)", stroke: "var(--edge)", "stroke-width": 0.05 }),
      ),
    ),
  );
