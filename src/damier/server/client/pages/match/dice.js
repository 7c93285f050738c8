/**
 * Checks the dice of a match in the browser: see "Dice" in docs/server.md.
 *
 * @import { OpenPage } from "../../types.d.ts"
 */

import { rolledPoints } from "../../board/rolls.js";
import { die } from "../../board/pieces.js";
import { drawing, match } from "../../net/api.js";
import { t } from "../../net/language.js";
import { h } from "../../ui/dom.js";

const SIDES = 6;
const FAIR = 252; // the largest multiple of SIDES in a byte: larger bytes are skipped

/** @param {ArrayBuffer} bytes */
const toHex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} text */
export const fromHex = (text) =>
  /^([0-9a-f]{2})+$/i.test(text) ? Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16)) : null;

/** @param {Uint8Array<ArrayBuffer>} seed */
export const hashOf = async (seed) => toHex(await crypto.subtle.digest("SHA-256", seed));

/**
 * Computes the rolls of a match from its seed.
 *
 * @param {Uint8Array<ArrayBuffer>} seed
 * @param {string} number of the match
 * @param {number} count
 */
export async function rollsOf(seed, number, count) {
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const rolls = [];
  for (let k = 0; k < count; k++) rolls.push(await oneRoll(key, `${number}:${k}`));
  return rolls;
}

/**
 * @param {CryptoKey} key
 * @param {string} text
 */
async function oneRoll(key, text) {
  for (let again = 0; ; again++) {
    const digest = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(again ? `${text}:${again}` : text));
    const byte = new Uint8Array(digest).find((each) => each < FAIR);
    if (byte !== undefined) return (byte % SIDES) + 1;
  }
}

/** @type {OpenPage} */
export async function open(page, { argument: number }) {
  const snapshot = await match(number);
  document.title = `${t("dice.title")} · damier`;
  page.className = "dice-page";
  if (!snapshot.dice) {
    page.replaceChildren(h("section", { class: "note" }, h("p", {}, t("dice.none"))));
    return;
  }
  const { hash, seed } = snapshot.dice;
  const shown = rolledPoints(await drawing(snapshot.game, snapshot.options), snapshot.dice.rolls);
  const input = h("input", {
    type: "text",
    value: seed ?? "",
    spellcheck: "false",
    autocomplete: "off",
    placeholder: seed ? "" : t("dice.seed.later"),
  });
  const outcome = h("div", { class: "outcome", "aria-live": "polite" });
  const check = async (/** @type {Event | undefined} */ event = undefined) => {
    event?.preventDefault();
    outcome.replaceChildren(...(await report(input.value.trim(), hash, number, shown)));
  };
  page.replaceChildren(
    h(
      "section",
      { class: "panel dice-check" },
      h("h1", {}, t("dice.title")),
      h("p", { class: "soft" }, t("dice.intro")),
      h(
        "dl",
        {},
        h("dt", {}, t("dice.match")),
        h("dd", {}, h("a", { href: `/m/${number}` }, number)),
        h("dt", {}, t("dice.hash")),
        h("dd", { class: "code" }, hash),
      ),
      h(
        "form",
        { submit: check },
        h("label", { class: "field" }, h("span", {}, t("dice.seed")), input),
        h("button", { type: "submit", class: "main" }, t("dice.check")),
      ),
      outcome,
      h("h2", {}, t("dice.rolls")),
      h(
        "div",
        { class: "rolls" },
        shown.map((points) => die(points, String(points))),
      ),
    ),
  );
  if (seed) check();
}

/**
 * @param {string} text the seed
 * @param {string} hash
 * @param {string} number of the match
 * @param {number[]} shown
 */
async function report(text, hash, number, shown) {
  const seed = fromHex(text);
  if (!seed) return [line(t("dice.seed.bad"), false)];
  if (!crypto.subtle) return [line(t("dice.insecure"), false)];
  const isHash = (await hashOf(seed)) === hash.toLowerCase();
  const made = await rollsOf(seed, number, shown.length);
  const wrong = made.findIndex((points, i) => points !== shown[i]);
  const rolls =
    wrong < 0
      ? t("dice.rolls.right", { count: shown.length })
      : t("dice.rolls.wrong", { roll: wrong + 1, points: made[wrong] });
  return [line(t(isHash ? "dice.hash.right" : "dice.hash.wrong"), isHash), line(rolls, wrong < 0)];
}

/**
 * @param {string} text
 * @param {boolean} isRight
 */
const line = (text, isRight) => h("p", { class: isRight ? "right" : "wrong" }, text);
