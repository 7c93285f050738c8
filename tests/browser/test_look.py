"""Languages, themes, a phone, and no motion for those who want none."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.played import GAMES
from tests.browser.samples import sample
from tests.browser.visitor import Visitor

Arrive = Callable[..., Visitor]
PHONE = {"width": 360, "height": 740}
WORDS = {"de": ("Spielen", "ist am Zug"), "fr": ("Jouer", "Noir"), "en": ("Play", "Black")}

COUNT_MOTIONS = """() => {
  window.moved = 0;
  const watch = () => {
    moved += document.querySelector(".board").getAnimations({subtree: true}).length;
    requestAnimationFrame(watch);
  };
  watch();
}"""


def test_the_language_can_be_changed(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.page.goto("/")
    summaries = {lang: visitor.context.request.get(f"/api/games?lang={lang}").json()[0]["summary"] for lang in WORDS}
    assert len(set(summaries.values())) == len(WORDS)
    for lang, (play, _) in WORDS.items():
        visitor.page.locator("select[name=lang]").select_option(lang)
        expect(visitor.page.locator("html")).to_have_attribute("lang", lang)
        expect(visitor.page.locator(".card .soft").first).to_have_text(summaries[lang])
        expect(visitor.page.locator(".card button.main").first).to_have_text(play)


@pytest.mark.parametrize("lang", WORDS)
def test_a_match_speaks_the_language_of_the_browser(arrive: Arrive, lang: str) -> None:
    visitor = arrive(locale=lang)
    visitor.begin("chefa", ["me", "me"])
    expect(visitor.page.locator("html")).to_have_attribute("lang", lang)
    expect(visitor.page.locator(".status .now")).to_contain_text(WORDS[lang][1])
    visitor.click("c3")
    expect(visitor.page.locator(".board-place").get_by_role("alert")).not_to_be_empty()


def test_a_change_of_language_keeps_the_match(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.begin("chefa", ["me", "me"])
    visitor.click("b1")
    visitor.wait_until_drawn(visitor.state(after=0))
    visitor.page.locator("select[name=lang]").select_option("fr")
    expect(visitor.page.get_by_role("tab", name="Coups")).to_be_visible()
    expect(visitor.cell("b1")).to_have_attribute("aria-label", re.compile("b1, pion"))
    visitor.click("a1")
    assert len(visitor.state(after=1)["history"]) == 2


def test_the_theme_follows_the_system_until_one_is_chosen(arrive: Arrive) -> None:
    visitor = arrive(color_scheme="dark")
    visitor.page.goto("/")
    paper = "() => getComputedStyle(document.body).backgroundColor"
    assert visitor.page.evaluate(paper) == "rgb(25, 23, 20)"
    visitor.page.locator("select[name=theme]").select_option("light")
    assert visitor.page.evaluate(paper) == "rgb(245, 240, 230)"
    visitor.page.reload()
    assert visitor.page.evaluate(paper) == "rgb(245, 240, 230)"
    visitor.page.locator("select[name=theme]").select_option("auto")
    assert visitor.page.evaluate(paper) == "rgb(25, 23, 20)"


def fits(visitor: Visitor) -> None:
    """Nothing is wider than the screen."""
    widths = visitor.page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1]


@pytest.mark.parametrize("lang", sample(WORDS))
def test_the_first_page_and_its_dialogs_fit_on_a_phone(arrive: Arrive, lang: str) -> None:
    visitor = arrive(viewport=PHONE, locale=lang, has_touch=True, is_mobile=True)
    for game in GAMES:  # which the first page lists
        visitor.begin(game, ["me", "me"])
    visitor.page.goto("/")
    expect(visitor.page.locator(".earlier a")).to_have_count(len(GAMES))
    cards = visitor.page.locator(".card:not(.facts)")
    expect(cards).to_have_count(5)
    fits(visitor)
    for card in cards.all():
        card.locator("button").nth(1).click()
        dialog = visitor.page.locator("dialog")
        box = dialog.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        assert dialog.evaluate("(node) => node.scrollWidth <= node.clientWidth")
        dialog.locator("button").last.click()


@pytest.mark.parametrize("game", [*GAMES, "omba"])
def test_a_match_fits_on_a_phone(arrive: Arrive, game: str) -> None:
    visitor = arrive(viewport=PHONE, has_touch=True, is_mobile=True)
    number = visitor.begin(game, ["me", "me"])
    fits(visitor)
    box = visitor.page.get_by_role("grid").bounding_box()
    assert box
    assert box["width"] > 0.97 * PHONE["width"]
    assert box["y"] + box["height"] < PHONE["height"], "All of the board is seen at once."
    visitor.page.goto(f"/dice/{number}")
    expect(visitor.page.locator("main > *").first).to_be_visible()
    fits(visitor)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_nothing_moves_for_those_who_want_no_motion(arrive: Arrive, motion: str) -> None:
    visitor = arrive(reduced_motion=motion)
    visitor.begin("renfa", ["me", "me"])
    visitor.page.evaluate(COUNT_MOTIONS)
    visitor.click("c3")
    visitor.wait_until_drawn(visitor.state(after=0))
    visitor.page.wait_for_function("() => new Promise((next) => requestAnimationFrame(() => next(true)))")
    assert (visitor.page.evaluate("() => moved") > 0) == (motion == "no-preference")


def test_a_sentence_instead_of_a_page_has_a_margin_on_a_phone(arrive: Arrive) -> None:
    visitor = arrive(viewport=PHONE)
    visitor.may_fail = True
    page = visitor.page
    for address, sentence in (
        ("/m/nowhere", "There is no such match."),
        (f"/explore/chefa?actions={'a1,' * 3000}", "The address is longer than 8192 bytes."),
    ):
        page.goto(address)
        expect(page.locator(".note")).to_contain_text(sentence)
        box = page.locator(".note").bounding_box()
        assert box
        assert (box["x"], box["width"]) == (16, PHONE["width"] - 32)
