/**
 * All matches of the visitor, with filters that stand in the address, and their download as records.
 *
 * @import { OpenPage } from "../../types.d.ts"
 */

import { allGames, get } from "../../net/api.js";
import { language, t } from "../../net/language.js";
import { button, h, sentenceOf, styles } from "../../ui/dom.js";
import { speak } from "../../ui/speak.js";
import { matchRow } from "./match-rows.js";

const STATES = ["mine", "waiting", "running", "over", "won", "lost", "drawn"];

/** @type {OpenPage} */
export async function open(page, { go }) {
  const [games] = await Promise.all([allGames(), styles("online/lobby")]);
  document.title = `${t("matches.title")} · damier`;
  const query = new URLSearchParams(location.search);
  const chosen = Object.fromEntries(
    ["game", "state", "opponent", "rated"].flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? ""]] : [])),
  );
  const list = h("ul", { class: "match-rows" });
  const status = h("p", { class: "soft", role: "status" });
  const more = button(t("matches.more"), () => load());
  /** @type {string | null} */
  let before = null;
  const load = async () => {
    more.disabled = true;
    try {
      const part = await get("my/matches", before ? { ...chosen, before } : chosen);
      list.append(...part.matches.map((match) => matchRow(match, games)));
      before = part.before;
      const count = list.children.length;
      status.textContent = count ? "" : t(Object.keys(chosen).length ? "matches.none.filtered" : "matches.none");
      speak(t("matches.listed", { count }));
    } catch (error) {
      status.textContent = sentenceOf(error);
    }
    more.disabled = false;
    more.hidden = !before;
  };
  const filter = (/** @type {Record<string, string>} */ change) => {
    const wanted = Object.entries({ ...chosen, ...change }).filter(([, value]) => value);
    const text = new URLSearchParams(wanted).toString();
    go(text ? `/matches?${text}` : "/matches");
  };
  const choices = (/** @type {string} */ name, /** @type {string} */ label, /** @type {[string, string][]} */ texts) =>
    h(
      "label",
      { class: "field" },
      h("span", {}, label),
      h(
        "select",
        { name, change: ({ currentTarget }) => filter({ [name]: currentTarget.value }) },
        [["", t("matches.all")], ...texts].map(([value, text]) =>
          h("option", { value, selected: (chosen[name] ?? "") === value }, text),
        ),
      ),
    );
  const opponent = h("input", { type: "text", name: "opponent", value: chosen.opponent ?? "", maxlength: 64 });
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    filter({ opponent: opponent.value.trim() });
  };
  const file = (/** @type {string} */ format) =>
    `/api/my/matches/records?${new URLSearchParams({ ...chosen, format, lang: language() })}`;
  page.className = "lobby";
  page.replaceChildren(
    h("h1", {}, t("matches.title")),
    h(
      "form",
      { class: "panel match-filters", submit, "aria-label": t("matches.filters") },
      choices(
        "game",
        t("matches.game"),
        games.map(({ name, title }) => [name, title]),
      ),
      choices(
        "state",
        t("matches.state"),
        STATES.map((state) => [state, t(`matches.state.${state}`)]),
      ),
      choices("rated", t("matches.kind"), [
        ["true", t("matches.rated")],
        ["false", t("matches.casual")],
      ]),
      h("label", { class: "field" }, h("span", {}, t("matches.opponent")), opponent),
      h("button", { type: "submit" }, t("matches.find")),
    ),
    h(
      "section",
      { class: "panel", "aria-label": t("matches.title") },
      list,
      status,
      more,
      h(
        "p",
        { class: "downloads" },
        t("matches.download"),
        " ",
        h("a", { href: file("text"), download: "matches.txt", target: "_self" }, t("matches.download.text")),
        " · ",
        h("a", { href: file("json"), download: "matches.json", target: "_self" }, "JSON"),
      ),
    ),
  );
  await load();
}
