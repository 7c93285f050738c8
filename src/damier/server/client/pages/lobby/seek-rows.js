/**
 * Seeks and challenges as rows of a list, and the card of the seek that waits.
 *
 * @import { GameData, SeekData } from "../../net/wire.d.ts"
 * @import { Go } from "../../types.d.ts"
 * @typedef {(work: () => Promise<unknown>) => Promise<void>} Act
 */

import { declineSeek } from "../../net/api.js";
import { t } from "../../net/language.js";
import { acceptSeek, withdrawSeek } from "../../net/lobby.js";
import { button, h } from "../../ui/dom.js";
import { optionsText } from "../../ui/format.js";
import { clockText, clockTitle } from "../../ui/seeking/time-controls.js";

/**
 * Says on which terms a seek is: the game with its options, the clock, rated or not.
 *
 * @param {SeekData["terms"][number]} terms
 * @param {GameData[]} games
 */
export function termsText(terms, games) {
  const game = games.find(({ name }) => name === terms.game);
  const options = game ? optionsText(game.options, terms.options ?? {}) : "";
  return [
    [game?.title ?? terms.game, options && `(${options})`].filter(Boolean).join(" "),
    clockText(terms.clock),
    t(terms.is_rated ? "lobby.rated" : "lobby.casual"),
  ].join(" · ");
}

/**
 * Says who seeks: the name, and the rating if there is one.
 *
 * @param {Pick<SeekData, "owner" | "rating">} seek
 */
export function ownerText({ owner, rating }) {
  const program = owner.is_program ? ` ${t("lobby.program")}` : "";
  const value = rating ? ` (${rating.value}${rating.is_provisional ? "?" : ""})` : "";
  return `${owner.name}${program}${value}`;
}

/**
 * @param {SeekData} seek
 * @param {"open" | "mine" | "challenge"} kind
 * @param {GameData[]} games
 * @param {Act} act
 * @param {Go} go
 */
export function seekRow(seek, kind, games, act, go) {
  const accept = async (/** @type {number} */ place) => go(`/m/${await acceptSeek(seek.number, { terms: place })}`);
  const side = seek.side === null ? "" : t(seek.side === 0 ? "lobby.side.first" : "lobby.side.second");
  const about = kind === "mine" ? aboutMine(seek) : ownerText(seek);
  const more = kind !== "open" || seek.terms.length < 2 ? [] : seek.terms.slice(1);
  return h(
    "li",
    { class: seek.is_live ? "live" : "" },
    h(
      "div",
      { class: "about", title: clockTitle(seek.terms[0].clock) },
      h("b", {}, about),
      h("span", {}, termsText(seek.terms[0], games)),
      side ? h("span", { class: "soft" }, side) : null,
    ),
    h("div", { class: "buttons" }, buttons(seek, kind, games, act, accept)),
    more.length
      ? h(
          "details",
          { class: "more-terms" },
          h("summary", {}, t("lobby.more_terms", { count: more.length })),
          h(
            "div",
            { class: "buttons" },
            more.map((terms, i) => button(termsText(terms, games), () => act(() => accept(i + 1)))),
          ),
        )
      : null,
  );
}

/** @param {SeekData} seek */
function aboutMine(seek) {
  if (seek.kind === "link") return t("lobby.mine.link");
  if (seek.kind === "challenge") return t("lobby.mine.challenge", { name: seek.rival?.name ?? "" });
  return t("lobby.mine.open");
}

/**
 * @param {SeekData} seek
 * @param {"open" | "mine" | "challenge"} kind
 * @param {GameData[]} games
 * @param {Act} act
 * @param {(place: number) => Promise<void>} accept
 */
function buttons(seek, kind, games, act, accept) {
  const what = termsText(seek.terms[0], games);
  if (kind === "mine")
    return [
      seek.kind === "link" && h("a", { class: "as-button", href: `/lobby/${seek.number}` }, t("lobby.show_link")),
      button(t("lobby.withdraw"), () => act(() => withdrawSeek(seek.number)), {
        "aria-label": t("lobby.withdraw.label", { what }),
      }),
    ];
  const label = t("lobby.accept.label", { name: seek.owner.name, what });
  return [
    button(t("lobby.accept"), () => act(() => accept(0)), { look: "main", "aria-label": label }),
    kind === "challenge" &&
      button(t("lobby.decline"), () => act(() => declineSeek(seek.number)), {
        "aria-label": t("lobby.decline.label", { name: seek.owner.name, what }),
      }),
  ];
}

/**
 * Makes the card of the live seek that waits, with the computer as company.
 *
 * @param {SeekData} seek
 * @param {GameData[]} games
 * @param {Act} act
 * @param {() => Promise<unknown>} playComputer
 */
export function waitingCard(seek, games, act, playComputer) {
  const [terms] = seek.terms;
  const what = seek.terms.length > 1 ? t("lobby.any", { count: seek.terms.length }) : termsText(terms, games);
  return h(
    "section",
    { class: "panel waiting-card", role: "status" },
    h("h2", {}, t("lobby.waiting.title")),
    h("p", {}, what),
    h("p", { class: "soft" }, t("lobby.waiting.computer")),
    h(
      "div",
      { class: "buttons" },
      button(t("lobby.meanwhile"), () => act(playComputer), { look: "main" }),
      button(t("lobby.cancel"), () => act(() => withdrawSeek(seek.number))),
    ),
  );
}
