/** The way in: the head of every page, and which page an address means. */

import { LANGUAGES, language, loadWords, setLanguage, t } from "./net/language.js";
import { applyTheme, choose, setting } from "./net/settings.js";
import { button, h } from "./ui/dom.js";

const ROUTES = [
  [/^\/$/, () => import("./pages/home.js")],
  [/^\/m\/([^/]+)$/, () => import("./pages/match/match.js")],
  [/^\/dice\/([^/]+)$/, () => import("./pages/match/dice.js")],
  [/^\/learn$/, () => import("./pages/learn/learn.js")],
  [/^\/learn\/([^/]+)$/, () => import("./pages/learn/lesson.js")],
  [/^\/rules\/([^/]+)$/, () => import("./pages/learn/rules.js")],
  [/^\/puzzles\/([^/]+)(?:\/([^/]+))?$/, () => import("./pages/learn/puzzle.js")],
  [/^\/analyse(?:\/([^/]+))?$/, () => import("./pages/analyse/analyse.js")],
  [/^\/explore\/([^/]+)$/, () => import("./pages/solutions/explore.js")],
  [/^\/solutions(?:\/([^/]+))?$/, () => import("./pages/solutions/solutions.js")],
];
const PLACES = ["learn", "analyse", "solutions"];
let leave = () => {};
let visit = 0;

/** Goes to another page without loading anything anew. */
export async function go(address, given) {
  if (address !== location.pathname + location.search + location.hash) history.pushState(null, "", address);
  scrollTo(0, 0);
  await show(given);
  document.getElementById("page").focus({ preventScroll: true });
}

async function show(given) {
  const mine = ++visit;
  leave();
  leave = () => {};
  const page = renewed();
  for (const link of document.querySelectorAll(".places a"))
    link.toggleAttribute("aria-current", location.pathname.startsWith(link.getAttribute("href")));
  const [pattern, load] = ROUTES.find(([each]) => each.test(location.pathname)) ?? [
    null,
    async () => ({ open: missing }),
  ];
  const [argument, second] = (pattern?.exec(location.pathname) ?? [])
    .slice(1)
    .map((part) => part && decodeURIComponent(part));
  try {
    const { open } = await load();
    if (mine !== visit) return;
    const end = await open(page, { argument, second, given, go });
    if (mine === visit) leave = end ?? leave;
    else end?.();
  } catch (error) {
    if (mine === visit) failed(page, error);
  }
}

/** Another element in the place of the page, still with what it shows: a page that is ready too late writes to the old one. */
function renewed() {
  const old = document.getElementById("page");
  const page = old.cloneNode(false);
  page.append(...old.childNodes);
  old.replaceWith(page);
  return page;
}

function missing(page) {
  page.replaceChildren(note(t("error.page")));
}

function failed(page, error) {
  console.error(error);
  page.replaceChildren(note(error.message));
}

const note = (text) =>
  h(
    "section",
    { class: "note" },
    h("p", {}, text),
    button(t("nav.home"), () => go("/"), { look: "main" }),
  );

function head() {
  const select = (name, label, choices, value, change) =>
    h(
      "label",
      { class: "pick" },
      h("span", { class: "unseen" }, label),
      h(
        "select",
        { change: ({ target }) => change(target.value), name, autocomplete: "off" },
        Object.entries(choices).map(([key, text]) => h("option", { value: key, selected: key === value }, text)),
      ),
    );
  const themes = { auto: t("theme.auto"), light: t("theme.light"), dark: t("theme.dark") };
  document.getElementById("top").replaceChildren(
    button(t("nav.skip"), () => document.getElementById("page").focus(), { look: "skip" }),
    h("a", { class: "brand", href: "/" }, "damier"),
    h(
      "nav",
      { class: "places", "aria-label": t("nav.places") },
      PLACES.map((place) => h("a", { href: `/${place}` }, t(`nav.${place}`))),
    ),
    h(
      "nav",
      { "aria-label": t("nav.settings") },
      select("theme", t("theme.label"), themes, setting("theme"), (theme) => {
        choose("theme", theme);
        applyTheme();
      }),
      select("lang", t("lang.label"), LANGUAGES, language(), async (lang) => {
        await setLanguage(lang);
        head();
        show();
      }),
    ),
  );
}

function follow(event) {
  const link = event.target.closest?.("a[href^='/']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button || link.target) return;
  event.preventDefault();
  go(link.getAttribute("href"));
}

applyTheme();
addEventListener("popstate", () => show());
document.addEventListener("click", follow);
await loadWords().catch(() => {});
head();
show();
