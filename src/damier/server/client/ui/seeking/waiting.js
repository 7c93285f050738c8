/**
 * The bar below every page while the visitor seeks a live game: it says so, and when somebody has come, offers to go to the
 * match. On the page of the lobby itself one goes there at once.
 *
 * @import { Go } from "../../types.d.ts"
 */

import { allGames } from "../../net/api.js";
import { t } from "../../net/language.js";
import { followLobby, liveSeek, lobbyState, onPaired, withdrawSeek } from "../../net/lobby.js";
import { clockText } from "./time-controls.js";
import { button, h, sentenceOf, styles } from "../dom.js";
import { play as sound } from "../sound.js";
import { speak } from "../speak.js";

const PATIENCE = 10_000; // milliseconds for the server to tell of the seek

/** @type {HTMLElement | undefined} */
let bar;
let stop = () => {};

/**
 * Shows the bar while there is a live seek; calling it again changes nothing.
 *
 * @param {Go} go
 */
export async function showWaiting(go) {
  if (bar) return;
  bar = h("aside", { class: "waiting-bar", "aria-label": t("lobby.waiting.label"), hidden: true });
  document.body.append(bar);
  const [games] = await Promise.all([allGames(), styles("online/lobby")]);
  const titles = Object.fromEntries(games.map(({ name, title }) => [name, title]));
  let match = "";
  let hasSought = false;
  const began = Date.now();
  const draw = () => {
    if (!bar || match) return;
    const seek = liveSeek();
    hasSought ||= Boolean(seek);
    if (!seek && (hasSought || (lobbyState() && Date.now() - began > PATIENCE))) return hide();
    if (!seek) return;
    const [terms] = seek.terms;
    const what = seek.terms.length > 1 ? t("lobby.any", { count: seek.terms.length }) : titles[terms.game];
    bar.hidden = location.pathname.startsWith("/lobby"); // which says it itself
    const problem = h("span", { class: "problem", role: "alert" });
    bar.replaceChildren(
      h("p", {}, t("lobby.waiting", { game: what, clock: seek.terms.length > 1 ? "" : clockText(terms.clock) })),
      button(t("lobby.cancel"), () =>
        withdrawSeek(seek.number).catch((error) => (problem.textContent = sentenceOf(error))),
      ),
      problem,
    );
  };
  const offer = (/** @type {string} */ number) => {
    match = number;
    if (location.pathname === "/lobby") {
      hide();
      return void go(`/m/${number}`);
    }
    sound("turn");
    speak(t("lobby.come"));
    if (!bar) return;
    bar.hidden = false;
    bar.classList.add("come");
    bar.replaceChildren(
      h("p", {}, t("lobby.come")),
      h("a", { class: "as-button main", href: `/m/${number}`, click: () => hide() }, t("lobby.go")),
      button(t("lobby.later"), () => hide()),
    );
  };
  const stops = [followLobby(draw), onPaired(offer)];
  const moved = setInterval(draw, 500); // another page is shown: the bar is not needed in the lobby
  stop = () => {
    clearInterval(moved);
    stops.forEach((each) => each());
  };
}

function hide() {
  stop();
  stop = () => {};
  bar?.remove();
  bar = undefined;
}
