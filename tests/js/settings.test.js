import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import "./page.js";
import {
  allSettings,
  choose,
  onChange,
  replaceSettings,
  setting,
  SETTINGS,
} from "../../src/damier/server/client/net/settings.js";
import { motion, paced } from "../../src/damier/server/client/board/motion.js";

document.documentElement = { dataset: {} };
document.querySelector = () => ({}); // every style sheet is there
const DEFAULTS = Object.fromEntries(Object.entries(SETTINGS).map(([name, { first }]) => [name, first]));

beforeEach(() => replaceSettings({}));

test("every default is one of the choices", () => {
  for (const [name, { first, choices }] of Object.entries(SETTINGS))
    assert.ok("low" in choices ? choices.low <= first && first <= choices.high : choices.includes(first), name);
  assert.deepEqual(allSettings(), DEFAULTS);
});

test("what is missing, unknown or no choice has its default", () => {
  for (const given of [{}, { board: "glass", volume: 101, sounds: "yes", motion: null, octarine: 1 }, [], "text", null])
    for (const [name, value] of Object.entries((replaceSettings(given), allSettings())))
      assert.equal(value, DEFAULTS[name], name);
});

test("numbers are whole and in their range", () => {
  for (const [volume, kept] of [
    [0, 0],
    [100, 100],
    [-1, 100],
    [50.5, 100],
    ["50", 100],
    [NaN, 100],
  ]) {
    replaceSettings({ volume });
    assert.equal(setting("volume"), kept);
  }
});

test("settings come back as they were kept", () => {
  choose("board", "safe");
  choose("level", 5);
  const kept = JSON.parse(JSON.stringify(allSettings()));
  replaceSettings({});
  assert.equal(setting("board"), "wood");
  replaceSettings(kept);
  assert.deepEqual(allSettings(), { ...DEFAULTS, board: "safe", level: 5 });
  assert.deepEqual(JSON.parse(localStorage.getItem("damier")), allSettings());
});

test("listeners hear of what has changed and of nothing else", () => {
  const heard = [];
  const end = onChange((name) => heard.push(name));
  replaceSettings({ zen: true, board: "plain" });
  assert.deepEqual(heard.sort(), ["board", "zen"]);
  end();
  replaceSettings({});
  assert.equal(heard.length, 2);
});

test("the page has attributes for what is not as usual", () => {
  replaceSettings({ board: "contrast", motion: "fast" });
  assert.deepEqual(document.documentElement.dataset, { board: "contrast", motion: "fast" });
  choose("board", "wood");
  assert.deepEqual(document.documentElement.dataset, { motion: "fast" });
});

test("motion is as fast as chosen", () => {
  const times = ["slow", "normal", "fast", "off"].map((speed) => (choose("motion", speed), paced(100)));
  assert.deepEqual(times, [200, 100, 50, 0]);
  assert.equal(motion().duration, 0);
});
