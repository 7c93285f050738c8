"""The pages of tournaments: making one, joining, being taken to one's game, standings that follow."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import check
from tests.browser.visitor import Visitor
from tests.server.accounts import name_like

Arrive = Callable[..., Visitor]
SIGN_UP = """name => fetch('/api/account', {method: 'POST', headers: {'Content-Type': 'application/json'},
  body: JSON.stringify({name, password: 'correct horse'})}).then(answer => answer.ok)"""


def person(arrive: Arrive, name: str, **settings: object) -> Visitor:
    """Lets somebody come who is signed in."""
    visitor = arrive(**settings)
    visitor.page.goto("/")
    assert visitor.page.evaluate(SIGN_UP, name_like(name))
    return visitor


def test_two_people_play_a_tournament(arrive: Arrive) -> None:
    ann, bob = person(arrive, "Ann").page, person(arrive, "Bob").page
    ann.goto("/")
    ann.get_by_role("link", name="Tournaments").click()
    ann.get_by_role("button", name="New tournament").click()
    dialog = ann.get_by_role("dialog")
    dialog.get_by_label("Title").fill("Sunday Cup")
    dialog.locator("select[name=game]").select_option("sensei")
    dialog.get_by_role("button", name="Make it").click()
    expect(ann.get_by_role("heading", level=1, name="Sunday Cup")).to_be_visible()
    expect(ann.get_by_text("Nobody has joined yet.")).to_be_visible()
    ann.get_by_role("button", name="Join").click()
    expect(ann.get_by_text("You have joined.")).to_be_visible()
    bob.goto("/tournaments")
    bob.get_by_role("link", name="Sunday Cup").click()
    bob.get_by_role("button", name="Join").click()
    expect(ann.get_by_role("row")).to_have_count(3)  # without loading the page again
    ann.get_by_role("button", name="Start now").click()
    for page in (ann, bob):
        page.bring_to_front()
        expect(page.locator(".tournament-mine a, .controls").first).to_be_visible(timeout=15_000)
        if "/t/" in page.url:
            page.get_by_role("link", name="Go to my game").click()
        expect(page).to_have_url(re.compile("/m/"))
    bob.get_by_role("button", name="Resign").click()
    bob.get_by_role("dialog").get_by_role("button", name="Resign").click()
    ann.go_back()
    expect(ann.get_by_text("Over", exact=True)).to_be_visible(timeout=15_000)
    rows = ann.get_by_role("row")
    expect(rows.nth(1)).to_contain_text("Ann")
    expect(rows.nth(1)).to_contain_text("1–0–0")
    expect(ann.get_by_role("link", name="Download all games")).to_be_visible()


@pytest.mark.parametrize("lang", ["en", "fr", "de"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_pages_are_accessible_and_have_all_their_texts(arrive: Arrive, lang: str, theme: str) -> None:
    visitor = person(arrive, "Cleo", locale=lang, color_scheme=theme, reduced_motion="reduce")
    page = visitor.page
    for path in ("/tournaments", made(page)):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert "tournament." not in page.locator("#page").inner_text()
        check(visitor)
    page.goto("/tournaments")
    page.locator(".tournaments-head button").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert "tournament." not in page.get_by_role("dialog").inner_text()
    check(visitor)


def made(page: Page) -> str:
    """Makes a tournament that the visitor has joined; returns the path of its page."""
    number = page.evaluate("""async () => {
      const send = async (path, body) => (await fetch(`/api/tournaments${path}`, {method: 'POST',
        headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)})).json();
      const {number} = await send('', {title: 'Cup', kind: 'swiss', game: 'chefa', rounds: 3,
        clock: {kind: 'live', base: 180, increment: 2}});
      await send(`/${number}/acts`, {do: 'join'});
      return number;
    }""")
    return f"/t/{number}"


@pytest.mark.parametrize("width", [320, 390])
def test_the_pages_fit_a_phone(arrive: Arrive, width: int) -> None:
    page = person(arrive, "Dora", viewport={"width": width, "height": 700}).page
    for path in ("/tournaments", made(page)):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_guest_is_told_to_sign_in(arrive: Arrive) -> None:
    path = made(person(arrive, "Eve").page)
    page = arrive().page
    page.goto(path)
    expect(page.get_by_text("Sign in to join.")).to_be_visible()
    expect(page.get_by_role("button", name="Join")).to_have_count(0)
    page.goto("/tournaments")
    page.get_by_role("link", name="Sign in to make one").click()
    expect(page.get_by_role("heading", level=1, name="Account")).to_be_visible()


def test_a_tournament_that_does_not_exist_is_said_to(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.may_fail = True
    visitor.page.goto("/t/nothing")
    expect(visitor.page.get_by_text("There is no such tournament.")).to_be_visible()
