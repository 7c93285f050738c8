/**
 * What somebody sees who opens an invitation: the match, and the choice to play or to watch.
 *
 * @import { GameData, MatchSnapshot } from "../../net/wire.d.ts"
 * @import { Go } from "../../types.d.ts"
 */

import * as api from "../../net/api.js";
import { t } from "../../net/language.js";
import { button, h, sentenceOf } from "../../ui/dom.js";
import { changedOptions, optionsText } from "../../ui/format.js";
import { helpNote } from "../../ui/seats.js";

/**
 * Shows the invitation in the address, or that another player has taken its seat.
 *
 * @param {HTMLElement} page
 * @param {MatchSnapshot} snapshot
 * @param {GameData} game
 * @param {Go} go
 */
export function showInvitation(page, snapshot, game, go) {
  const invitation = location.hash.slice(1);
  const title = h("h1", {}, game.title);
  const address = `/m/${snapshot.number}`;
  const enter = (/** @type {MatchSnapshot} */ given) => {
    history.replaceState(null, "", address); // going back does not lead to the invitation
    return go(address, given);
  };
  const watch = button(t("invite.watch.match"), () => enter(snapshot));
  const refuse = (/** @type {string} */ why) => {
    watch.className = "main";
    const said = h("p", { role: "alert" }, why);
    page.replaceChildren(note(title, said, h("div", { class: "buttons" }, watch, home())));
  };
  const join = async () => {
    try {
      await enter(await api.takeSeat(snapshot.number, invitation));
    } catch (error) {
      refuse(sentenceOf(error));
    }
  };
  page.className = "invitation";
  document.title = `${game.title} · damier`;
  const open = snapshot.seats.filter(({ kind }) => kind === "open");
  if (!open.length) return refuse(t("invite.taken"));
  const options = optionsText(game.options, changedOptions(game.options, snapshot.options));
  page.replaceChildren(
    note(
      title,
      h("p", {}, open.length > 1 ? t("invite.you") : t("invite.you_as", { player: open[0].name })),
      options && h("p", { class: "soft" }, options),
      ...helpNote(snapshot),
      h("div", { class: "buttons" }, button(t("invite.join"), join, { look: "main" }), watch),
    ),
  );
}

const home = () => h("a", { class: "as-button", href: "/" }, t("nav.home"));

/** @param {...(Node | string | null | false)} content */
const note = (...content) => h("section", { class: "note" }, content);
