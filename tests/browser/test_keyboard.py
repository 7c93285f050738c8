"""A game is begun and played to its end without a pointer."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.played import GAMES
from tests.browser.visitor import Visitor

MOST_TABS = 60
FOCUSED = "(what) => document.activeElement.matches(what)"


def tab_to(page: Page, what: str, key: str = "Tab") -> None:
    """Presses Tab until this has the focus."""
    for _ in range(MOST_TABS):
        if page.evaluate(FOCUSED, what):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} never comes to {what}.")


def go_to(page: Page, cell: str) -> None:
    """Goes from the cell in focus to another with the arrows."""
    at = page.evaluate("() => document.activeElement.dataset.cell")
    across, up = ord(cell[0]) - ord(at[0]), int(cell[1]) - int(at[1])
    for key, count in (("ArrowRight", across), ("ArrowLeft", -across), ("ArrowUp", up), ("ArrowDown", -up)):
        for _ in range(count):
            page.keyboard.press(key)
    assert page.evaluate("() => document.activeElement.dataset.cell") == cell


def begin(page: Page, title: str) -> None:
    """Begins a match of two at one board, from the first page."""
    page.goto("/")
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    tab_to(page, f'button[aria-label^="{title}:"]')
    page.keyboard.press("Enter")
    tab_to(page, 'input[value="computer"]')
    page.keyboard.press("ArrowRight")
    assert page.evaluate(FOCUSED, 'input[value="board"]:checked')
    page.keyboard.press("Enter")


def test_a_game_is_begun_and_played_by_keys_alone(arrive: Callable[..., Visitor]) -> None:
    visitor = arrive(reduced_motion="reduce")
    page = visitor.page
    begin(page, "Sensei")
    visitor.wait_for_board()
    tab_to(page, "[data-cell]")
    state = visitor.state()
    for text in GAMES["sensei"].split():
        visitor.wait_until_drawn(state)
        (cells,) = [action["cells"] for action in state["actions"] if action["action"] == text]
        for cell in cells:
            go_to(page, cell)
            page.keyboard.press("Enter")
        if not cells:
            tab_to(page, ".under button")
            page.keyboard.press("Enter")
        state = visitor.state(after=len(state["history"]))
        visitor.wait_until_drawn(state)
        assert page.evaluate(FOCUSED, "[data-cell]"), "The focus stays at the board."
    expect(page.locator(".status.over .now")).to_have_text("Green wins: the character has reached the far row.")
    tab_to(page, ".status .buttons button")
    page.keyboard.press("Enter")
    expect(page.locator(".status.over")).to_have_count(0)
    assert visitor.state()["history"] == []
