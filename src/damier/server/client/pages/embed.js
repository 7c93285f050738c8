/** A position, a game or a puzzle on somebody else's page: its own small page, without cookies and settings. */

import { LinePlayer } from "../board/line-player.js";
import { PlayBoard } from "../board/play-board.js";
import { allGames, drawing, get, match, post } from "../net/api.js";
import { loadWords, t } from "../net/language.js";
import { Live } from "../net/match-socket.js";
import { fix } from "../net/settings.js";
import { button, h } from "../ui/dom.js";
import { speak } from "../ui/speak.js";

const OURS = ["lang", "theme", "position", "actions"];
const given = new URLSearchParams(location.search);

async function show(page) {
  const [first, ...rest] = location.pathname.split("/").slice(2).map(decodeURIComponent);
  if (first === "match") return showMatch(page, rest[0]);
  if (first === "puzzle") return showPuzzle(page, ...rest);
  return showBoard(page, first);
}

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

async function titleOf(name) {
  const game = (await allGames()).find((each) => each.name === name);
  if (!game) throw new Error(t("error.page"));
  return game.title;
}

// Boards --------------------------------------------------------------------------------------------------------------

async function showBoard(page, name) {
  const title = await titleOf(name);
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

async function showMatch(page, number) {
  const snapshot = await match(number);
  const title = await titleOf(snapshot.game);
  const player = new LinePlayer(await drawing(snapshot.game, snapshot.options), {
    game: snapshot.game,
    options: snapshot.options,
    title,
  });
  frame(page, title, `/m/${number}`, player.element);
  const draw = (state) => {
    const actions = state.history.map(({ action }) => action);
    player.bar.hidden = !actions.length;
    return player.show({ start: null, actions, result: state.result }, actions.length);
  };
  await draw(snapshot.state);
  new Live(number, {
    snapshot: ({ state }) => state.history.length !== player.line.actions.length && draw(state),
    event: ({ event, state }) => ["play", "roll", "undo", "resign", "draw"].includes(event.kind) && draw(state),
    other: () => {},
    status: () => {},
  });
}

// Puzzles -------------------------------------------------------------------------------------------------------------

async function showPuzzle(page, name, id) {
  const puzzle = await get(`puzzles/${encodeURIComponent(name)}/${encodeURIComponent(id)}`);
  const title = await titleOf(name);
  const said = h("p", { class: "said-here" });
  let actions = [];
  const line = () => ({ game: name, options: puzzle.options, start: puzzle.start, actions });
  const draw = async (isOver = false) => board.show(await post("lines/state", line()), { canAct: !isOver });
  const say = (text) => {
    said.textContent = text;
    speak(text);
  };
  const play = async ({ action }) => {
    const { kind, reply, sentence } = await post(
      `puzzles/${encodeURIComponent(name)}/${encodeURIComponent(id)}/judge`,
      { actions: [...actions, action] },
    );
    say(sentence);
    if (kind === "wrong") return draw();
    actions = [...actions, action, ...reply];
    return draw(kind === "solved");
  };
  const board = new PlayBoard(await drawing(name, puzzle.options), {
    title,
    why: (what) => post("lines/why", { ...line(), ...what }),
    play: (action) => play(action).catch((error) => say(error.message)),
  });
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
    board.place,
    board.under,
    said,
    again,
  );
  await draw();
}

// The way in ----------------------------------------------------------------------------------------------------------

if (["en", "fr", "de"].includes(given.get("lang"))) fix("lang", given.get("lang"));
await loadWords().catch(() => {});
const page = document.getElementById("page");
show(page).catch((error) => {
  page.className = "embed";
  page.replaceChildren(h("p", { role: "alert" }, error.message));
});
