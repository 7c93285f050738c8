import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { t, tOr, useSentences } from "../../src/damier/server/client/net/language.js";
import { choose } from "../../src/damier/server/client/net/settings.js";
import * as format from "../../src/damier/server/client/ui/format.js";

const DECLARED = [
  { name: "size", type: "integer", default: 5, names: {}, phrase: "board of {value} × {value}" },
  { name: "variant", type: "choice", default: "plain", names: { other: "the other one" }, phrase: "{value}" },
];

useSentences({
  greeting: "Hello {name}, {unknown}",
  "facts.plies": "{count} plies",
  "facts.plies.one": "{count} ply",
  "facts.win": "win in {plies}",
  "facts.draw": "draw",
});

test("a sentence has its places filled, an unknown key is shown as it is", () => {
  assert.equal(t("greeting", { name: "Ann" }), "Hello Ann, {unknown}");
  assert.equal(t("missing.key"), "missing.key");
  assert.equal(tOr("missing.key", "other"), "other");
});

test("numbers are written in the visitor's language", () => {
  assert.equal(format.number(1234567), "1,234,567");
  assert.equal(format.number(1.26, 1), "1.3");
  assert.equal(format.percent(0.12345, 2), "12.35\u00a0%");
  assert.equal(format.powerOfTen(2.31e17), "2.3 × 10¹⁷");
  assert.equal(format.tiny(0.00000081), "0.00000081");
  assert.equal(format.size(12), "12 bytes");
  assert.equal(format.size(1), "1 byte");
  assert.equal(format.size(3_400_000), "3.4 MB");
});

/** Calls `check` with the language set to `lang`. */
function inLanguage(lang, check) {
  choose("lang", lang);
  try {
    check();
  } finally {
    choose("lang", "en");
  }
}

test("French and German have a decimal comma, their own separators and a no-break space before the sign", () => {
  inLanguage("fr", () => {
    assert.equal(format.percent(0.4884, 2), "48,84\u00a0%");
    assert.equal(format.number(1234567), "1\u202f234\u202f567");
  });
  inLanguage("de", () => {
    assert.equal(format.percent(0.4884, 2), "48,84\u00a0%");
    assert.equal(format.number(1234567), "1.234.567");
  });
});

test("durations are rounded and said in every language", () => {
  assert.equal(format.duration(1), "1 second");
  assert.equal(format.duration(44.6), "45 seconds");
  assert.equal(format.duration(60), "1 minute");
  assert.equal(format.duration(121), "2 minutes");
  assert.equal(format.duration(3 * 3600), "3 hours");
  assert.equal(format.duration(100 * 60), "1 hour 40 minutes");
  inLanguage("fr", () => assert.equal(format.duration(120).replace(/\s/, " "), "2 minutes"));
  inLanguage("de", () => assert.equal(format.duration(120), "2 Minuten"));
});

test("a sentence with a count has a singular, which French uses for none too", () => {
  assert.equal(t("facts.plies", { count: 1 }), "1 ply");
  assert.equal(t("facts.plies", { count: 0 }), "0 plies");
  assert.equal(t("facts.plies", { count: 1234 }), "1,234 plies");
  inLanguage("fr", () => assert.equal(t("facts.plies", { count: 0 }), "0 ply"));
  inLanguage("de", () => assert.equal(t("facts.plies", { count: 0 }), "0 plies"));
  assert.equal(t("greeting", { name: "Ann", count: 1 }), "Hello Ann, {unknown}");
});

test("values are said in words", () => {
  assert.equal(format.valueWords({ outcome: "win", plies: 1 }), "win in 1 ply");
  assert.equal(format.valueWords({ outcome: "win", plies: 12 }), "win in 12 plies");
  assert.equal(format.valueWords({ outcome: "draw", plies: null }), "draw");
  assert.equal(format.valueWords({ outcome: "chance", chance: 0.5 }), "50.00\u00a0%");
});

test("only options that differ are in addresses and titles, in the order of the game", () => {
  const changed = format.changedOptions(DECLARED, { variant: "other", size: 6 });
  assert.deepEqual(Object.keys(changed), ["size", "variant"]);
  assert.deepEqual(format.changedOptions(DECLARED, { size: 5, variant: "plain" }), {});
  assert.deepEqual(format.changedOptions(DECLARED, { size: 5 }, { size: 7 }), { size: 5 });
  assert.equal(format.optionsText(DECLARED, changed), "board of 6 × 6, the other one");
});

test("options in a query are read as declared", () => {
  assert.deepEqual(format.parseOptions(DECLARED, { size: "6", variant: "7", more: "8" }), {
    size: 6,
    variant: "7",
    more: "8",
  });
  assert.deepEqual(format.parseOptions(DECLARED, { size: "" }), { size: "" });
});

test("an address leaves out what is empty", () => {
  assert.equal(format.address("/explore/x"), "/explore/x");
  assert.equal(format.address("/explore/x", {}, { position: null, actions: "" }), "/explore/x");
  assert.equal(format.address("/explore/x", { size: 6 }, { actions: "a1,b2" }), "/explore/x?size=6&actions=a1%2Cb2");
});
