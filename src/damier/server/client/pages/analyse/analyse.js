/**
 * The analysis board: which game, and with what it opens: a link, a match, a record, an earlier draft, or nothing.
 *
 * @import { GameData } from "../../net/wire.d.ts"
 * @import { AnalysisRecord, Branch, Given, Go, OpenPage, OptionValues } from "../../types.d.ts"
 */

import { showExample } from "../../board/example-board.js";
import { allGames, drawing as drawingOf, gameNamed, match, post } from "../../net/api.js";
import { t } from "../../net/language.js";
import { h, sentenceOf, styles } from "../../ui/dom.js";
import { address, changedOptions, optionsText, parseOptions } from "../../ui/format.js";
import { RecordReader, unpack } from "../../ui/share.js";
import { optionFields } from "../../ui/start/start-dialog.js";
import { Analysis } from "./analysis.js";

const KEPT = "damier-analysis";
const ACTS = ["resignation", "agreement", "time", "limit"]; // reasons that no rule of the game gives

/** @type {OpenPage} */
export async function open(page, { argument: name, given, go }) {
  const [games] = await Promise.all([allGames(), styles("analyse")]);
  const { record, problem = "" } = await source(name, games, given);
  if (!record) return chooseGame(page, games, go, problem);
  const game = await gameNamed(record.game);
  const drawing = await drawingOf(game.name, record.options);
  const opened = (/** @type {AnalysisRecord} */ other) => void go(addressOf(games, other), { record: other });
  const form = optionForm(game, record.options, opened);
  const analysis = new Analysis(page, { game, record, drawing, opened, problem, form });
  if (new URLSearchParams(location.search).has("review")) analysis.parts.graph.element.open = true; // which starts it
  const keep = () => keepDraft(analysis.draft());
  addEventListener("pagehide", keep);
  return () => {
    removeEventListener("pagehide", keep);
    keep();
    analysis.close();
  };
}

/**
 * Returns the address of a board; default options are left out.
 *
 * @param {GameData[]} games
 * @param {{game: string, options: OptionValues}} record
 */
function addressOf(games, { game, options }) {
  const declared = games.find(({ name }) => name === game)?.options ?? [];
  return address(`/analyse/${game}`, changedOptions(declared, options));
}

// What to open -----------------------------------------------------------------------------------------------------------

/**
 * Returns the record that the address means.
 *
 * @param {string} name
 * @param {GameData[]} games
 * @param {Given} [given]
 * @returns {Promise<{record?: AnalysisRecord, problem?: string}>} `problem`: what is wrong with the address
 */
async function source(name, games, given) {
  if (given && "record" in given) return { record: given.record };
  let problem = "";
  const packed = /^#r=(.*)$/.exec(location.hash)?.[1];
  if (packed) {
    try {
      const record = await post("records/read", { text: await unpack(packed) });
      history.replaceState(null, "", addressOf(games, record));
      return { record };
    } catch (error) {
      problem = sentenceOf(error);
    }
  }
  const game = games.find((each) => each.name === name);
  if (name && !game) throw new Error(t("error.page"));
  if (!game) return { problem };
  const query = Object.fromEntries(new URLSearchParams(location.search));
  const { match: number, position = null, ...options } = query;
  const found = number
    ? await matchRecord(number)
    : { game: name, options: parseOptions(game.options, options), start: position, tree: [{}] };
  return { record: draftOf(found) ?? found, problem };
}

/**
 * Returns what has been played in a match, or only its position if that is more than can be asked about.
 *
 * @param {string} number
 * @returns {Promise<AnalysisRecord>}
 */
async function matchRecord(number) {
  const { game, options, created, state } = await match(number);
  if (state.older) return { game, options, start: state.position, tree: [{}], date: created.slice(0, 10) };
  /** @type {Branch[]} */
  const tree = [{}, ...state.history.map(({ action, player, turn }, i) => ({ parent: i, action, player, turn }))];
  const { result } = state;
  const act = result && ACTS.includes(result.reason) ? { result: result.winner ?? "draw", reason: result.reason } : {};
  return { game, options, start: null, tree, date: created.slice(0, 10), ...act };
}

// Drafts -----------------------------------------------------------------------------------------------------------------

/**
 * Keeps an analysis until the window is closed.
 *
 * @param {AnalysisRecord} record
 */
function keepDraft(record) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ address: addressNow(), record }));
  } catch {
    /* too large, or not allowed: then it is not kept */
  }
}

/**
 * Returns the draft of this address; of a match only if nothing has been played since.
 *
 * @param {AnalysisRecord} found
 * @returns {AnalysisRecord | null}
 */
function draftOf(found) {
  try {
    const { address, record } = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    const isSame =
      address === addressNow() && found.tree.every(({ action = "" }, i) => record.tree[i]?.action === action);
    return isSame ? record : null;
  } catch {
    return null;
  }
}

const addressNow = () => location.pathname + location.search;

// Choosing a game --------------------------------------------------------------------------------------------------------

/**
 * @param {HTMLElement} page
 * @param {GameData[]} games
 * @param {Go} go
 * @param {string} problem
 */
function chooseGame(page, games, go, problem) {
  document.title = `${t("nav.analyse")} · damier`;
  const reader = new RecordReader({
    games,
    context: () => ({}),
    opened: (record) => void go(addressOf(games, record), { record }),
  });
  reader.problem.textContent = problem;
  reader.element.open = Boolean(problem);
  page.className = "home analyse-choice";
  page.replaceChildren(
    h("h1", {}, t("nav.analyse")),
    h("p", { class: "soft" }, t("analyse.choose")),
    h("section", { class: "games" }, games.map(card)),
    reader.element,
  );
  return reader.takeFiles(page);
}

/**
 * @param {GameData} game
 * @param {number} i
 */
function card(game, i) {
  const place = h("div", { class: "card-board" });
  showExample(place, game, 300 * i);
  return h("a", { class: "card", href: `/analyse/${game.name}` }, place, h("h2", {}, game.title));
}

/**
 * Makes a form for other options; they begin a new analysis.
 *
 * @param {GameData} game
 * @param {OptionValues} options
 * @param {(record: AnalysisRecord) => void} opened
 */
function optionForm(game, options, opened) {
  /** @type {{options: OptionValues}} */
  const wanted = { options: {} };
  const fields = optionFields(withDefaults(game, options), wanted, () => {});
  if (!fields) return null;
  const problem = h("p", { class: "problem", role: "alert" });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const record = { game: game.name, options: { ...options, ...wanted.options }, start: null, tree: [{}] };
    try {
      await drawingOf(game.name, record.options);
      opened(record);
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  fields.open = false;
  fields.querySelector("summary")?.append(" ", h("span", { class: "soft" }, optionsText(game.options, options)));
  fields.append(problem, h("div", { class: "buttons" }, h("button", { type: "submit" }, t("analyse.options.use"))));
  return h("form", { class: "option-form", submit }, fields);
}

/**
 * Returns the game with some options as its defaults.
 *
 * @param {GameData} game
 * @param {OptionValues} options
 * @returns {GameData}
 */
function withDefaults(game, options) {
  const declared = game.options.map((option) => {
    const value = options[option.name] ?? option.default;
    return option.type === "integer" ? { ...option, default: Number(value) } : { ...option, default: String(value) };
  });
  return { ...game, options: declared };
}
