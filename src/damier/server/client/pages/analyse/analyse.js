/** The analysis board: which game, and with what it opens: a link, a match, a record, what was left off, or nothing. */

import { livingBoard } from "../../board/example-board.js";
import { allGames, drawing as drawingOf, get, match, post } from "../../net/api.js";
import { t, tOr } from "../../net/language.js";
import { h, styles } from "../../ui/dom.js";
import { Reading, unpack } from "../../ui/share.js";
import { optionFields } from "../../ui/start-dialog.js";
import { Analysis } from "./analysis.js";

const KEPT = "damier-analysis";
const ACTS = ["resignation", "agreement", "time", "limit"];

export async function open(page, { argument: name, given, go }) {
  const [games] = await Promise.all([allGames(), styles("analyse")]);
  const { record, problem } = await source(name, games, given);
  if (!record) return choosing(page, games, go, problem);
  const game = games.find((each) => each.name === record.game);
  const drawing = await drawingOf(game.name, record.options);
  const opened = (other) => go(addressOf(games, other), { record: other });
  const analysis = new Analysis(page, {
    game,
    record,
    drawing,
    opened,
    problem,
    form: (options) => optionForm(game, options, opened),
  });
  const keep = () => keepDraft(analysis.draft());
  addEventListener("pagehide", keep);
  return () => {
    removeEventListener("pagehide", keep);
    keep();
    analysis.close();
  };
}

/** The address of a board: only options that are not as usual are in it. */
function addressOf(games, { game, options }) {
  const changed = games
    .find(({ name }) => name === game)
    .options.filter(({ name, default: usual }) => name in options && options[name] !== usual);
  const query = new URLSearchParams(changed.map(({ name }) => [name, options[name]]));
  return `/analyse/${game}${query.size ? `?${query}` : ""}`;
}

// What to open -----------------------------------------------------------------------------------------------------------

/** What the address means: a record to open, or none, and what is wrong with the address. */
async function source(name, games, given) {
  if (given?.record) return { record: given.record };
  let problem = "";
  const packed = /^#r=(.*)$/.exec(location.hash)?.[1];
  if (packed) {
    try {
      const record = await post("records/read", { text: await unpack(packed) });
      history.replaceState(null, "", addressOf(games, record));
      return { record };
    } catch (error) {
      problem = error.message;
    }
  }
  const game = games.find((each) => each.name === name);
  if (name && !game) throw new Error(t("error.page"));
  if (!game) return { problem };
  const query = Object.fromEntries(new URLSearchParams(location.search));
  const { match: number, position = null, ...options } = query;
  const found = number
    ? await matchRecord(number)
    : { game: name, options: chosen(game, options), start: position, tree: [{}] };
  return { record: draftOf(found) ?? found, problem };
}

function chosen(game, query) {
  const isNumber = (name) => game.options.find((option) => option.name === name)?.type === "integer";
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, isNumber(name) && value !== "" ? Number(value) : value]),
  );
}

/** What has been played in a match. */
async function matchRecord(number) {
  const { game, options, created, state } = await match(number);
  const tree = [{}, ...state.history.map(({ action, player, turn }, i) => ({ parent: i, action, player, turn }))];
  const { result } = state;
  const act = result && ACTS.includes(result.reason) ? { result: result.winner ?? "draw", reason: result.reason } : {};
  return { game, options, start: null, tree, date: created.slice(0, 10), ...act };
}

// Drafts -----------------------------------------------------------------------------------------------------------------

/** Keeps an analysis as long as this window is open, for one who comes back. */
function keepDraft(record) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ address: addressNow(), record }));
  } catch {
    /* too large, or not allowed: then it is not kept */
  }
}

/** What was left off at this address; of a match only if nothing has been played since. */
function draftOf(found) {
  try {
    const { address, record } = JSON.parse(sessionStorage.getItem(KEPT));
    const isSame =
      address === addressNow() && found.tree.every(({ action = "" }, i) => record.tree[i]?.action === action);
    return isSame ? record : null;
  } catch {
    return null;
  }
}

const addressNow = () => location.pathname + location.search;

// Choosing a game --------------------------------------------------------------------------------------------------------

function choosing(page, games, go, problem) {
  document.title = `${t("nav.analyse")} · damier`;
  const reading = new Reading({ given: () => ({}), opened: (record) => go(addressOf(games, record), { record }) });
  reading.problem.textContent = problem;
  reading.element.open = Boolean(problem);
  page.className = "home analyse-choice";
  page.replaceChildren(
    h("h1", {}, t("nav.analyse")),
    h("p", { class: "soft" }, t("analyse.choose")),
    h("section", { class: "games" }, games.map(card)),
    reading.element,
  );
  return reading.takeFiles(page);
}

function card(game, i) {
  const place = h("div", { class: "card-board" });
  livingBoard(place, game, 300 * i);
  return h("a", { class: "card", href: `/analyse/${game.name}` }, place, h("h2", {}, game.title));
}

/** A form for other options; they begin an analysis anew. */
function optionForm(game, options, opened) {
  if (!game.options.length) return null;
  const now = {
    ...game,
    options: game.options.map((option) => ({ ...option, default: options[option.name] ?? option.default })),
  };
  const wanted = { options: {} };
  const problem = h("p", { class: "problem", role: "alert" });
  const submit = async (event) => {
    event.preventDefault();
    const record = { game: game.name, options: { ...options, ...wanted.options }, start: null, tree: [{}] };
    try {
      await get(`games/${game.name}/drawing`, record.options);
      opened(record);
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const fields = optionFields(now, wanted, () => {});
  fields.open = false;
  fields.querySelector("summary").append(" ", h("span", { class: "soft" }, optionsText(game, options)));
  fields.append(problem, h("div", { class: "buttons" }, h("button", { type: "submit" }, t("analyse.options.use"))));
  return h("form", { class: "option-form", submit }, fields);
}

const optionsText = (game, options) =>
  game.options
    .filter(({ name }) => name in options)
    .map(({ name }) => `${tOr(`option.${name}`, name)} ${options[name]}`)
    .join(" · ");
