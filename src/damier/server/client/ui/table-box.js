/** Tables of exact values: one that is missing is built by a click. */

import { post } from "../net/api.js";
import { t } from "../net/language.js";
import { button, h } from "./dom.js";

const PAUSE = 500;

/** Fills a place with what can be done about the table of a game; calls `built` when it is there. */
export async function tableBox(place, chosen, built) {
  const show = (data) => {
    if (!place.isConnected) return;
    if (data.is_built) return void built();
    if (!data.is_solvable) return void place.replaceChildren();
    place.replaceChildren(...(data.progress ? progress(data.progress) : offer(data)));
    if (data.progress) setTimeout(ask, PAUSE);
  };
  const ask = (what = "look") =>
    post(`tables/${what}`, chosen).then(show, (error) =>
      place.replaceChildren(h("p", { class: "soft" }, error.message)),
    );
  const offer = ({ minutes, error }) => [
    ...(error ? [h("p", { class: "problem" }, error)] : []),
    h(
      "p",
      { class: "soft" },
      t("table.offer", { time: minutes > 1 ? t("table.minutes", { minutes }) : t("table.minute") }),
    ),
    button(t("table.build"), () => ask("build"), { sign: "check" }),
  ];
  const progress = ({ share, seconds }) => [
    h("p", { class: "soft" }, t("table.building")),
    h("progress", { value: share, max: 1, "aria-label": t("table.building") }),
    h(
      "p",
      { class: "soft" },
      t("table.left", { percent: Math.floor(100 * share), seconds: seconds === null ? "…" : Math.ceil(seconds) }),
    ),
  ];
  await ask();
}
