"""The dialog of all settings, and what the settings do."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import Arrive, came, check
from tests.browser.visitor import Visitor

COUNT_SOUNDS = """() => {
  window.loudest = 0;
  const ramp = AudioParam.prototype.exponentialRampToValueAtTime;
  AudioParam.prototype.exponentialRampToValueAtTime = function (value, ...rest) {
    if (value <= 1) window.loudest = Math.max(window.loudest, value);
    return ramp.call(this, value, ...rest);
  };
}"""


def opened(page: Page) -> Locator:
    """Opens the dialog from the header."""
    page.get_by_role("button", name="Settings").click()
    dialog = page.get_by_role("dialog", name="Settings")
    expect(dialog).to_be_visible()
    return dialog


def kept(page: Page) -> dict[str, Any]:
    """Returns the settings that the browser keeps."""
    found: dict[str, Any] = json.loads(page.evaluate("() => localStorage.getItem('damier') ?? '{}'"))
    return found


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_dialog_of_settings_is_accessible_and_fits_on_a_phone(arrive: Arrive, theme: str) -> None:
    visitor = came(arrive, theme)
    visitor.page.goto("/")
    expect(visitor.page.locator(".card-board svg.board")).to_have_count(5)
    dialog = opened(visitor.page)
    check(visitor)
    visitor.page.set_viewport_size({"width": 360, "height": 740})
    assert dialog.evaluate("(node) => node.scrollWidth <= node.clientWidth")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)


def test_a_setting_applies_at_once_and_is_kept(arrive: Arrive) -> None:
    visitor = arrive()
    page = visitor.page
    page.goto("/")
    dialog = opened(page)
    dialog.get_by_label("High contrast").check()
    expect(page.locator("html")).to_have_attribute("data-board", "contrast")
    dialog.get_by_label("Theme").select_option("dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    dialog.get_by_label("Send a turn only").check()
    dialog.get_by_label("Volume").fill("35")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-board", "contrast")
    assert {name: kept(page)[name] for name in ("board", "theme", "confirm", "volume")} == {
        "board": "contrast",
        "theme": "dark",
        "confirm": True,
        "volume": 35,
    }
    dialog = opened(page)
    expect(dialog.get_by_label("High contrast")).to_be_checked()
    dialog.get_by_role("button", name="Restore the defaults").click()
    expect(page.locator("html")).not_to_have_attribute("data-board", "contrast")
    expect(dialog.get_by_label("Wood")).to_be_checked()
    assert kept(page)["confirm"] is False


def test_the_language_changes_with_the_dialog_open(arrive: Arrive) -> None:
    page = arrive().page
    page.goto("/")
    opened(page).get_by_label("Language").select_option("fr")
    dialog = page.get_by_role("dialog", name="Réglages")
    expect(dialog.locator("[name=lang]")).to_be_focused()
    dialog.locator("[name=lang]").select_option("")
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()


def test_damaged_settings_are_as_if_there_were_none(arrive: Arrive) -> None:
    page = arrive().page
    page.goto("/")
    page.evaluate("() => localStorage.setItem('damier', JSON.stringify({board: 'x y', motion: 7, theme: 'pink'}))")
    page.reload()
    expect(page.locator(".card-board svg.board")).to_have_count(5)
    assert page.evaluate("() => ({...document.documentElement.dataset})") == {}


def test_nothing_moves_where_motion_is_off(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.page.goto("/")
    opened(visitor.page).get_by_label("Pieces move").select_option("off")
    visitor.begin("renfa", ["me", "me"])
    visitor.page.evaluate(
        """() => { window.moved = 0; const watch = () => {
          moved += document.querySelector(".board").getAnimations({subtree: true}).length;
          requestAnimationFrame(watch); }; watch(); }"""
    )
    visitor.click("c3")
    visitor.wait_until_drawn(visitor.state(after=0))
    visitor.page.wait_for_function("() => new Promise((next) => requestAnimationFrame(() => next(true)))")
    assert visitor.page.evaluate("() => moved") == 0


def test_sounds_are_as_loud_as_chosen(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.begin("renfa", ["me", "me"])
    visitor.page.evaluate(COUNT_SOUNDS)
    visitor.click("c3")
    visitor.wait_until_drawn(visitor.state(after=0))
    full = visitor.page.evaluate("() => loudest")
    assert full > 0
    dialog = opened(visitor.page)
    dialog.get_by_label("Volume").fill("25")
    dialog.get_by_role("button", name="Close").click()
    visitor.page.evaluate("() => { window.loudest = 0; }")
    visitor.click("d4")
    visitor.wait_until_drawn(visitor.state(after=1))
    assert 0 < visitor.page.evaluate("() => loudest") < full / 3


@pytest.mark.parametrize("board", ["plain", "contrast", "safe"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_board_of_every_kind_is_accessible(arrive: Arrive, board: str, theme: str) -> None:
    visitor: Visitor = came(arrive, theme)
    visitor.page.goto("/")
    visitor.page.evaluate("(board) => localStorage.setItem('damier', JSON.stringify({ board }))", board)
    visitor.begin("chefa", ["me", "me"])
    visitor.click("b1")
    visitor.wait_until_drawn(visitor.state(after=0))
    check(visitor)


def test_actions_in_lists_can_have_the_piece_of_their_player(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    visitor.begin("chefa", ["me", "me"])
    for count, cell in enumerate(["b1", "a1"]):
        visitor.click(cell)
        visitor.wait_until_drawn(visitor.state(after=count))
    pieces = visitor.page.locator(".history tbody .small-piece")
    expect(pieces).to_have_count(0)
    dialog = opened(visitor.page)
    dialog.get_by_label("Actions in lists").select_option("figurine")
    expect(pieces).to_have_count(2)
    expect(pieces.first.locator("g").first).to_have_class("noir")
    expect(pieces.last.locator("g").first).to_have_class("blanc")
    dialog.get_by_role("button", name="Close").click()
    check(visitor)
