/**
 * A position, a game or a puzzle embedded in another site: a small page without cookies and settings.
 *
 * @import { ActionData, MatchState, PlayState } from "../net/wire.d.ts"
 * @import { Child } from "../ui/dom-types.d.ts"
 */

import { LinePlayer } from "../board/line-player.js";
import { smallPiece } from "../board/pieces.js";
import { PlayBoard } from "../board/play-board.js";
import { drawing, gameNamed, get, match, post } from "../net/api.js";
import { LANGUAGES, loadSentences, t } from "../net/language.js";
import { MatchSocket } from "../net/sockets/match-socket.js";
import { override } from "../net/settings.js";
import { button, byId, h, sentenceOf } from "../ui/dom.js";
import { speak } from "../ui/speak.js";

const OURS = ["lang", "theme", "position", "actions"];
const given = new URLSearchParams(location.search);

/** @param {HTMLElement} page */
async function show(page) {
  const [first, ...rest] = location.pathname.split("/").slice(2).map(decodeURIComponent);
  if (first === "match") return showMatch(page, rest[0]);
  if (first === "puzzle") return showPuzzle(page, rest[0], rest[1]);
  return showBoard(page, first);
}

/**
 * @param {HTMLElement} page
 * @param {string} title
 * @param {string} path of the whole page
 * @param {...Child} content
 */
function frame(page, title, path, ...content) {
  document.title = `${title} · damier`;
  page.className = "embed";
  page.replaceChildren(
    h("header", {}, h("h1", {}, title)),
    h("div", {}, content),
    h(
      "footer",
      {},
      h("span", {}, "damier"),
      h("a", { href: path, target: "_blank", rel: "noopener" }, t("embed.open")),
    ),
  );
}

// Boards --------------------------------------------------------------------------------------------------------------

/**
 * @param {HTMLElement} page
 * @param {string} name
 */
async function showBoard(page, name) {
  const { title } = await gameNamed(name);
  const options = Object.fromEntries([...given].filter(([key]) => !OURS.includes(key)));
  const line = {
    start: given.get("position") || null,
    actions: (given.get("actions") ?? "").split(",").filter(Boolean),
  };
  const player = new LinePlayer(await drawing(name, options), { game: name, options, title });
  const query = new URLSearchParams([...given].filter(([key]) => key !== "theme" && key !== "lang"));
  frame(page, title, `/explore/${name}${query.size ? `?${query}` : ""}`, player.element);
  player.bar.hidden = !line.actions.length;
  await player.show(line, line.actions.length);
}

/**
 * @param {HTMLElement} page
 * @param {string} number
 */
async function showMatch(page, number) {
  const snapshot = await match(number);
  const { title } = await gameNamed(snapshot.game);
  const player = new LinePlayer(await drawing(snapshot.game, snapshot.options), {
    game: snapshot.game,
    options: snapshot.options,
    title,
  });
  frame(page, title, `/m/${number}`, player.element);
  const draw = (/** @type {MatchState} */ state) => {
    const { older, position, history } = state;
    const actions = older ? [] : history.map(({ action }) => action); // a longer game cannot be asked about
    player.bar.hidden = !actions.length;
    return player.show({ start: older ? position : null, actions, result: state.result }, actions.length);
  };
  await draw(snapshot.state);
  new MatchSocket(number, {
    snapshot: ({ state }) => void (state.history.length !== player.line.actions.length && draw(state)),
    event: ({ event, state }) => ["play", "roll", "undo", "resign", "draw"].includes(event.kind) && draw(state),
    notice: () => {},
    status: () => {},
  });
}

// Puzzles -------------------------------------------------------------------------------------------------------------

/**
 * @param {HTMLElement} page
 * @param {string} name
 * @param {string} id
 */
async function showPuzzle(page, name, id) {
  const puzzle = await get(`puzzles/${encodeURIComponent(name)}/${encodeURIComponent(id)}`);
  const { title } = await gameNamed(name);
  const drawn = await drawing(name, puzzle.options);
  const said = h("p", { class: "said-here" });
  const status = h("p", { class: "line-status" });
  const stacks = h("div", { class: "stacks" });
  /** @type {string[]} */
  let actions = [];
  const line = () => ({ game: name, options: puzzle.options, start: puzzle.start, actions });
  const draw = async (isOver = false) => {
    const state = await post("lines/state", line());
    board.show(state, { canAct: !isOver && !state.result && !puzzle.choices.length });
    tell(state);
    board.listStacks(stacks, state);
  };
  const tell = (/** @type {PlayState} */ { result, mover, captions }) => {
    const look = drawn.looks[(result ? result.winner : mover) ?? ""] ?? drawn.looks[puzzle.player];
    status.replaceChildren(...(look ? [smallPiece(look)] : []), h("span", {}, captions.join(" · ")));
  };
  const say = (/** @type {string} */ text) => {
    said.textContent = text;
    speak(text);
  };
  const play = async (/** @type {ActionData} */ { action }) => {
    const { kind, reply, sentence } = await post(
      `puzzles/${encodeURIComponent(name)}/${encodeURIComponent(id)}/judge`,
      { actions: [...actions, action] },
    );
    say(sentence);
    if (kind === "wrong" || puzzle.choices.length) return draw();
    actions = [...actions, action, ...reply];
    return draw(kind === "solved");
  };
  const board = new PlayBoard(drawn, {
    title,
    of: { game: name, options: puzzle.options },
    why: (what) => post("lines/why", { ...line(), ...what }),
    play: (action) => play(action).catch((error) => say(error.message)),
  });
  const numbers = h(
    "p",
    { class: "numbers" },
    puzzle.choices.map((number) =>
      button(number, () => play({ action: number, cells: [] }).catch((error) => say(error.message))),
    ),
  );
  const again = button(
    t("embed.again"),
    () => {
      actions = [];
      say("");
      return draw();
    },
    { look: "quiet", sign: "again" },
  );
  frame(
    page,
    title,
    `/puzzles/${name}/${id}`,
    h("p", { class: "task" }, puzzle.task),
    status,
    board.place,
    board.under,
    ...(puzzle.choices.length ? [numbers] : []),
    said,
    again,
    stacks,
  );
  await draw();
}

// The way in ----------------------------------------------------------------------------------------------------------

const lang = given.get("lang");
if (lang && lang in LANGUAGES) override("lang", lang);
override("sounds", false); // pages of others stay silent
await loadSentences().catch(() => {});
const page = byId("page");
show(page).catch((error) => {
  page.className = "embed";
  page.replaceChildren(h("p", { role: "alert" }, sentenceOf(error)));
});
