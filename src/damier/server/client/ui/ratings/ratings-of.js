/**
 * All ratings of an account, with their courses: a part of the page of a person.
 *
 * @import { GameData, PoolRating } from "../../net/wire.d.ts"
 */

import { allGames, get } from "../../net/api.js";
import { t } from "../../net/language.js";
import { h, sentenceOf, styles } from "../dom.js";
import { ratingGraph } from "./rating-graph.js";
import { ratingText } from "./ratings.js";

/**
 * Makes the element with the ratings of an account; it fills itself when they have come.
 *
 * @param {string} name
 */
export function ratingsOf(name) {
  const list = h("div", { class: "rating-cards" });
  const element = h("section", { class: "ratings-of" }, h("h2", {}, t("ratings.title")), list);
  const fill = async () => {
    try {
      const [{ pools }, all] = await Promise.all([
        get(`people/${encodeURIComponent(name)}/ratings`),
        allGames(),
        styles("online/ratings"),
      ]);
      list.replaceChildren(...(pools.length ? pools.map((pool) => card(pool, all)) : [none()]));
    } catch (error) {
      list.replaceChildren(h("p", { class: "soft" }, sentenceOf(error)));
    }
  };
  fill();
  return element;
}

const none = () => h("p", { class: "soft" }, t("ratings.none"));

/**
 * @param {PoolRating} pool
 * @param {readonly GameData[]} all
 */
function card(pool, all) {
  const title = poolTitle(pool, all);
  return h(
    "article",
    { class: "rating-card panel" },
    h("h3", {}, title),
    h(
      "p",
      {},
      h("b", {}, ratingText(pool.rating)),
      " ",
      h("span", { class: "soft" }, t("ratings.games", { count: pool.games })),
    ),
    pool.points.length > 1 && ratingGraph(pool.points, title),
  );
}

/**
 * Says what the games of a pool have in common.
 *
 * @param {Pick<PoolRating, "game" | "players" | "speed" | "has_programs">} pool
 * @param {readonly GameData[]} all
 */
export function poolTitle({ game, players, speed, has_programs: hasPrograms }, all) {
  const parts = [
    all.find(({ name }) => name === game)?.title ?? game,
    players > 2 && t("ratings.players", { count: players }),
    t(`ratings.${speed}`),
    hasPrograms && t("ratings.programs"),
  ];
  return parts.filter(Boolean).join(" · ");
}
