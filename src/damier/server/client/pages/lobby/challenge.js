/**
 * The page of a challenge by link: its owner copies the link here, whoever opens it accepts.
 *
 * @import { OpenPage } from "../../types.d.ts"
 */

import { allGames, declineSeek, get } from "../../net/api.js";
import { t } from "../../net/language.js";
import { acceptSeek, followLobby, onPaired, withdrawSeek } from "../../net/lobby.js";
import { button, h, sentenceOf, styles } from "../../ui/dom.js";
import { link } from "../../ui/seats.js";
import { clockTitle } from "../../ui/seeking/time-controls.js";
import { ownerText, termsText } from "./seek-rows.js";

/** @type {OpenPage} */
export async function open(page, { argument: number, go }) {
  const [games, shown] = await Promise.all([
    allGames(),
    get(`seeks/${encodeURIComponent(number)}`),
    styles("online/lobby"),
  ]);
  const { seek, state, match, is_mine: isMine } = shown;
  document.title = `${t("lobby.challenge.title")} · damier`;
  page.className = "lobby";
  const problem = h("p", { class: "problem", role: "alert" });
  const act = (/** @type {() => Promise<string>} */ work) => async () => {
    try {
      await go(await work());
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  const accept = act(async () => `/m/${await acceptSeek(number)}`);
  const leave = act(async () => {
    if (isMine) await withdrawSeek(number);
    else if (seek.kind === "challenge") await declineSeek(number);
    return "/lobby";
  });
  const isOpen = state === "open";
  const title = isMine ? t("lobby.challenge.mine") : t("lobby.challenge.by", { name: ownerText(seek) });
  page.replaceChildren(
    h(
      "section",
      { class: "panel challenge" },
      h("h1", {}, title),
      h("p", {}, termsText(seek.terms[0], games)),
      h("p", { class: "soft" }, clockTitle(seek.terms[0].clock)),
      isOpen && isMine ? link(t("lobby.challenge.link"), `${location.origin}/lobby/${number}`) : null,
      isOpen && isMine ? h("p", { class: "soft" }, t("lobby.challenge.wait")) : null,
      isOpen ? null : h("p", { role: "status" }, t(`lobby.challenge.${state}`)),
      problem,
      h(
        "div",
        { class: "buttons" },
        isOpen && !isMine ? button(t("lobby.accept"), accept, { look: "main" }) : null,
        isOpen ? button(t(isMine ? "lobby.withdraw" : "lobby.decline"), leave) : null,
        match ? h("a", { class: "as-button main", href: `/m/${match}` }, t("lobby.go")) : null,
        h("a", { class: "as-button", href: "/lobby" }, t("lobby.title")),
      ),
    ),
  );
  if (!isOpen || !isMine) return;
  const stops = [followLobby(() => {}), onPaired((begun) => go(`/m/${begun}`))];
  return () => stops.forEach((stop) => stop());
}
