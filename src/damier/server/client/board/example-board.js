/**
 * A board that plays by itself while it is on the screen.
 *
 * @import { ExampleState, GameData } from "../net/wire.d.ts"
 */

import { example } from "../net/api.js";
import { isStill } from "../net/settings.js";
import { picture } from "../ui/dom.js";
import { Board } from "./board.js";

const PAUSE = 1500;

/**
 * Fills a place with a board that plays; until it is loaded, with the server's picture.
 *
 * @param {HTMLElement} place
 * @param {GameData} game
 * @param {number} wait milliseconds before the first action
 */
export async function showExample(place, game, wait) {
  place.replaceChildren(picture(game.picture, ""));
  if (!game.has_example) return;
  const data = await example(game.name).catch(() => null);
  if (!data?.states.length) return;
  const board = new Board(data.drawing, { coordinates: false });
  const start = Math.floor(data.states.length * 0.6);
  board.show(data.states[start]);
  place.replaceChildren(board.element);
  if (!isStill()) setTimeout(() => keepPlaying(place, board, data.states, start), wait);
}

/**
 * @param {HTMLElement} place
 * @param {Board} board
 * @param {ExampleState[]} states
 * @param {number} start
 */
function keepPlaying(place, board, states, start) {
  let at = start;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  const step = () => {
    if (!place.isConnected) return stop();
    if (document.visibilityState !== "visible") return;
    at = (at + 1) % states.length;
    board.show(states[at], { isBack: at === 0 });
  };
  const stop = () => {
    clearInterval(timer);
    watcher.disconnect();
  };
  const watcher = new IntersectionObserver(([seen]) => {
    clearInterval(timer);
    if (seen.isIntersecting) timer = setInterval(step, PAUSE);
  });
  watcher.observe(place);
}
