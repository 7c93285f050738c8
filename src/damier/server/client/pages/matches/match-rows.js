/**
 * Matches as rows of a list.
 *
 * @import { GameData, ListedMatch } from "../../net/wire.d.ts"
 */

import { language, t } from "../../net/language.js";
import { h } from "../../ui/dom.js";
import { changedOptions, optionsText } from "../../ui/format.js";
import { clockText } from "../../ui/seeking/time-controls.js";

/**
 * Returns who holds a seat.
 *
 * @param {ListedMatch["seats"][number]} seat
 */
export function seatName(seat) {
  if (seat.kind === "computer") return t("matches.computer", { level: seat.level ?? 0 });
  return seat.person?.name ?? t("matches.open");
}

/**
 * Says how a match stands for the visitor.
 *
 * @param {ListedMatch} match
 */
export function standing(match) {
  if (match.outcome) return t(`matches.outcome.${match.outcome}`);
  if (match.is_my_turn) return t("match.your_turn");
  const mover = match.seats.find(({ player }) => player === match.mover);
  return mover ? t("match.turn_of", { player: mover.name }) : t("matches.running");
}

/**
 * @param {ListedMatch} match
 * @param {GameData[]} games
 */
export function matchRow(match, games) {
  const game = games.find(({ name }) => name === match.game);
  const others = match.seats.filter(({ is_mine: isMine }) => !isMine);
  const isWatched = others.length === match.seats.length;
  const names = (others.length ? others : match.seats).map(seatName);
  const who = isWatched ? names.join(" – ") : t("matches.against", { names: names.join(", ") });
  const options = game ? optionsText(game.options, changedOptions(game.options, match.options)) : "";
  const day = new Date(match.updated).toLocaleDateString(language(), { dateStyle: "medium" });
  return h(
    "li",
    { class: `${match.is_my_turn ? "mine" : ""} ${match.outcome ?? ""}` },
    h(
      "a",
      { href: `/m/${match.number}` },
      h("b", {}, game?.title ?? match.game),
      h("span", {}, who),
      h(
        "span",
        { class: "soft" },
        [options, match.clock ? clockText(match.clock) : "", match.is_rated ? t("lobby.rated") : ""]
          .filter(Boolean)
          .join(" · "),
      ),
      h("span", { class: "standing" }, standing(match)),
      h("time", { class: "soft", datetime: match.updated }, day),
    ),
  );
}
