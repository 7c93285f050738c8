"""axe-core finds nothing to complain about on any page, in either theme."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.played import GAMES
from tests.browser.visitor import Visitor

Arrive = Callable[..., Visitor]
AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
THEMES = ["light", "dark"]


def check(visitor: Visitor) -> None:
    """Runs axe-core on the page as it is now."""
    visitor.page.evaluate(AXE)
    found: list[dict[str, Any]] = visitor.page.evaluate(
        "async () => (await axe.run({resultTypes: ['violations']})).violations"
    )
    told = [{"rule": each["id"], "at": [node["html"][:200] for node in each["nodes"]][:5]} for each in found]
    assert not told, json.dumps(told, indent=1)


def came(arrive: Arrive, theme: str) -> Visitor:
    return arrive(color_scheme=theme, reduced_motion="reduce")


@pytest.mark.parametrize("theme", THEMES)
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


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_accessible_from_start_to_end(arrive: Arrive, game: str, theme: str) -> None:
    visitor = came(arrive, theme)
    visitor.begin(game, ["me", "me"])
    *actions, last = GAMES[game].split()
    visitor.play_at_once(lambda state: dict(enumerate(actions)).get(len(state["history"])))
    visitor.page.get_by_role("switch", name="Values").click()
    expect(visitor.page.locator(".value-label").first).to_be_visible()
    visitor.page.locator(".known summary").click()
    check(visitor)
    visitor.play(visitor.state()["actions"], last)
    expect(visitor.page.locator(".status.over")).to_be_visible()
    check(visitor)


@pytest.mark.parametrize("theme", THEMES)
def test_a_match_with_dice_and_its_check_are_accessible(arrive: Arrive, theme: str) -> None:
    visitor = came(arrive, theme)
    number = visitor.begin("omba", ["me", "me"])
    visitor.play_at_once(lambda state: state["actions"][-1]["action"] if len(state["history"]) < 12 else None)
    visitor.page.locator(".fair summary").click()
    check(visitor)
    visitor.page.goto(f"/dice/{number}")
    expect(visitor.page.locator(".rolls .die").first).to_be_visible()
    check(visitor)


@pytest.mark.parametrize("theme", THEMES)
def test_an_open_seat_and_a_refusal_are_accessible(arrive: Arrive, theme: str) -> None:
    visitor = came(arrive, theme)
    visitor.begin("chefa", ["me", "open"])
    visitor.click("c3")
    expect(visitor.page.locator(".board-place").get_by_role("alert")).to_be_visible()
    check(visitor)
