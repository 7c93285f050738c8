/**
 * Building the table of exact values of a game.
 *
 * @import { BuildProgress, GameChoice, TableStatus } from "../net/wire.d.ts"
 */

import { post } from "../net/api.js";
import { t } from "../net/language.js";
import { button, h } from "./dom.js";
import { duration, percent } from "./format.js";

const PAUSE = 500; // milliseconds between two looks at a build

/**
 * Offers to build a table that is missing and shows how far the build is; calls `built` when the table is there.
 *
 * @param {HTMLElement} place
 * @param {GameChoice} chosen
 * @param {() => void} built
 */
export async function tableBox(place, chosen, built) {
  const show = (/** @type {TableStatus} */ status) => {
    if (!place.isConnected) return;
    if (status.is_built) built();
    else if (!status.is_solvable) place.replaceChildren();
    else if (status.progress) {
      place.replaceChildren(...progress(status.progress));
      setTimeout(look, PAUSE);
    } else place.replaceChildren(...offer(status, build));
  };
  const fail = (/** @type {Error} */ error) => place.replaceChildren(h("p", { class: "soft" }, error.message));
  const look = () => post("tables/look", chosen).then(show, fail);
  const build = () => post("tables/build", chosen).then(show, fail);
  await look();
}

/**
 * @param {TableStatus} status
 * @param {() => void} build
 */
function offer({ minutes, error }, build) {
  const time = duration(60 * Math.max(1, minutes ?? 1));
  return [
    ...(error ? [h("p", { class: "problem" }, error)] : []),
    h("p", { class: "soft" }, t("table.offer", { time })),
    button(t("table.build"), build, { sign: "check" }),
  ];
}

/** @param {BuildProgress} progress */
function progress({ share, seconds }) {
  const done = percent(Math.floor(100 * share) / 100, 0);
  return [
    h("p", { class: "soft" }, t("table.building")),
    h("progress", { value: share, max: 1, "aria-label": t("table.building") }),
    h("p", { class: "soft" }, seconds === null ? done : t("table.left", { done, time: duration(Math.ceil(seconds)) })),
  ];
}
