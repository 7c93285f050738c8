/**
 * The public page of an account.
 *
 * @import { OpenPage } from "../../types.d.ts"
 * @import { GameData, MatchSummary } from "../../net/wire.d.ts"
 */

import { allGames, get } from "../../net/api.js";
import { language, t } from "../../net/language.js";
import { account } from "../../net/me.js";
import { h, styles } from "../../ui/dom.js";
import { personButton } from "../../ui/people/person-dialog.js";
import { ratingsOf } from "../../ui/ratings/ratings-of.js";
import { day } from "./form.js";

/** @type {OpenPage} */
export async function open(page, { argument }) {
  const [person, games] = await Promise.all([
    get(`people/${encodeURIComponent(argument)}`),
    allGames(),
    styles("online/account"),
    styles("online/people"),
  ]);
  document.title = `${person.name} · damier`;
  page.className = "account-page";
  const place = h("span", {});
  showMore(place, person.name);
  page.replaceChildren(
    h(
      "header",
      {},
      h("div", { class: "person-head" }, h("h1", {}, person.name), place),
      h(
        "p",
        { class: "soft" },
        [
          person.is_program ? t("account.program") : "",
          t("person.since", { day: day(`${person.created}T12:00:00Z`, language()) }),
        ]
          .filter(Boolean)
          .join(" · "),
      ),
    ),
    ratingsOf(person.name),
    h(
      "section",
      { class: "panel" },
      h("h2", {}, t("person.matches")),
      person.matches.length
        ? h(
            "ul",
            { class: "account-list" },
            person.matches.map((match) => row(match, games)),
          )
        : h("p", { class: "soft" }, t("person.matches.none")),
    ),
  );
}

/**
 * Shows the buttons with which one mutes, blocks, reports or challenges the person.
 *
 * @param {HTMLElement} place
 * @param {string} name
 */
async function showMore(place, name) {
  if (name === account()) return;
  const listed = account() ? await get("avoided").catch(() => []) : [];
  const avoided = listed.find((each) => each.account === name);
  const changed = () => showMore(place, name);
  const isBlocked = avoided?.kind === "block";
  place.replaceChildren(
    personButton({ name, account: null, who: { account: name }, avoided, changed }),
    isBlocked
      ? ""
      : h("a", { class: "as-button", href: `/lobby?challenge=${encodeURIComponent(name)}` }, t("person.challenge")),
  );
}

/**
 * @param {MatchSummary} match
 * @param {GameData[]} games
 */
function row(match, games) {
  const title = games.find((game) => game.name === match.game)?.title ?? match.game;
  const names = match.seats.map((seat) =>
    seat.kind === "computer" ? t("seat.computer") : (seat.nickname ?? t("seat.open")),
  );
  return h(
    "li",
    {},
    h("a", { href: `/m/${match.number}` }, h("b", {}, title)),
    h("span", {}, names.join(" – ")),
    h("span", { class: "soft" }, match.result?.sentence ?? t("person.running")),
  );
}
