"""axe-core finds nothing to complain about on any page, in either theme."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import Arrive, came, check
from tests.browser.played import GAMES
from tests.browser.samples import THEMES, sample


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_the_first_page_and_its_dialog_are_accessible(arrive: Arrive, theme: str) -> None:
    visitor = came(arrive, theme)
    visitor.begin("chefa", ["me", "me"])  # then the first page lists it
    visitor.page.goto("/")
    expect(visitor.page.locator(".earlier a")).to_have_count(1)
    expect(visitor.page.locator(".card-board svg.board")).to_have_count(5)
    check(visitor)
    visitor.page.get_by_role("button", name="Sensei: choose").click()
    visitor.page.locator("dialog summary").click()
    check(visitor)


@pytest.mark.parametrize(("game", "theme"), sample(GAMES, THEMES))
def test_a_match_is_accessible_from_start_to_end(arrive: Arrive, game: str, theme: str) -> None:
    visitor = came(arrive, theme)
    visitor.begin(game, ["me", "me"])
    *actions, last = GAMES[game].split()
    visitor.play_at_once(lambda state: dict(enumerate(actions)).get(len(state["history"])))
    visitor.page.get_by_role("tab", name="Values").click()
    visitor.page.get_by_role("switch", name="Values").click()
    expect(visitor.page.locator(".value-label").first).to_be_visible()
    check(visitor)
    visitor.play(visitor.state()["actions"], last)
    expect(visitor.page.locator(".status.over")).to_be_visible()
    check(visitor)


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_a_match_with_dice_and_its_check_are_accessible(arrive: Arrive, theme: str) -> None:
    visitor = came(arrive, theme)
    number = visitor.begin("omba", ["me", "me"])
    visitor.play_at_once(lambda state: state["actions"][-1]["action"] if len(state["history"]) < 12 else None)
    visitor.from_menu("Fair dice")
    check(visitor)
    visitor.page.goto(f"/dice/{number}")
    expect(visitor.page.locator(".rolls .die").first).to_be_visible()
    check(visitor)


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_an_open_seat_and_a_refusal_are_accessible(arrive: Arrive, theme: str) -> None:
    visitor = came(arrive, theme)
    visitor.begin("chefa", ["me", "open"])
    visitor.click("c3")
    expect(visitor.page.locator(".board-place").get_by_role("alert")).to_be_visible()
    check(visitor)
