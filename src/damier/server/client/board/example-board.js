/** A board on the first page that plays by itself while one looks at it. */

import { example } from "../net/api.js";
import { isStill } from "../net/settings.js";
import { picture } from "../ui/dom.js";
import { Board } from "./board.js";

const PAUSE = 1500;

/** Fills a place with a living board; until it is there, and where there is none, with the server's picture. */
export async function livingBoard(place, game, wait) {
  place.replaceChildren(picture(game.picture, ""));
  if (!game.has_example) return;
  const data = await example(game.name).catch(() => null);
  if (!data?.states?.length) return;
  const board = new Board(data.drawing, { coordinates: false });
  const start = Math.floor(data.states.length * 0.6);
  board.show(data.states[start]);
  place.replaceChildren(board.element);
  if (!isStill()) setTimeout(() => keepPlaying(place, board, data.states, start), wait);
}

function keepPlaying(place, board, states, start) {
  let [at, timer] = [start, 0];
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
