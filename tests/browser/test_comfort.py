"""Turns that are confirmed or chosen in advance, zen mode, and keyboard shortcuts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import Arrive, check
from tests.browser.played import GAMES
from tests.browser.visitor import Visitor

PHONE = {"width": 360, "height": 740}


def choose(visitor: Visitor, **settings: Any) -> Visitor:
    """Gives a visitor some settings."""
    visitor.page.goto("/privacy")
    visitor.page.evaluate("(text) => localStorage.setItem('damier', text)", json.dumps(settings))
    return visitor


def count(visitor: Visitor) -> int:
    """Returns how many actions the server knows."""
    return len(visitor.state()["history"])


def two(arrive: Arrive, game: str, **settings: Any) -> tuple[Visitor, Visitor]:
    """Begins a match of two browsers; the second visitor has the settings and the second seat."""
    first, second = arrive(reduced_motion="reduce"), choose(arrive(reduced_motion="reduce"), **settings)
    number = first.begin(game, ["me", "open"])
    (invitation,) = first.context.request.get(f"/api/matches/{number}").json()["invitations"].values()
    second.page.goto(f"/m/{number}#{invitation}")
    second.page.get_by_role("button", name="Take the seat").click()
    second.wait_for_board()
    return first, second


# Confirming


def test_a_turn_is_sent_after_a_further_click_or_enter(arrive: Arrive) -> None:
    visitor = choose(arrive(reduced_motion="reduce"), confirm=True)
    visitor.begin("chefa", ["me", "me"])
    visitor.click("b1")
    send = visitor.page.get_by_role("button", name="Send b1")
    expect(send).to_be_visible()
    expect(visitor.page.locator(".board-place .piece")).to_have_count(1)
    check(visitor)
    assert count(visitor) == 0
    send.click()
    visitor.wait_until_drawn(visitor.state(after=0))
    visitor.click("a1")
    expect(visitor.page.get_by_role("button", name="Send a1")).to_be_visible()
    visitor.page.keyboard.press("Enter")
    visitor.wait_until_drawn(visitor.state(after=1))
    visitor.click("d1")
    expect(visitor.page.get_by_role("button", name="Send d1")).to_be_visible()
    visitor.click("d1")
    visitor.wait_until_drawn(visitor.state(after=2))


@pytest.mark.parametrize("way", ["Escape", "button", "another cell"])
def test_a_turn_that_is_not_sent_can_be_taken_back(arrive: Arrive, way: str) -> None:
    visitor = choose(arrive(reduced_motion="reduce"), confirm=True)
    visitor.begin("chefa", ["me", "me"])
    visitor.click("b1")
    send = visitor.page.get_by_role("button", name="Send b1")
    expect(send).to_be_visible()
    if way == "Escape":
        visitor.page.keyboard.press("Escape")
    elif way == "button":
        visitor.page.get_by_role("button", name="Take back").click()
    else:
        visitor.click("c1")
    expect(send).to_have_count(0)
    expect(visitor.page.locator(".board-place .piece")).to_have_count(0)
    assert count(visitor) == 0
    visitor.click("a1")
    visitor.page.get_by_role("button", name="Send a1").click()
    assert [entry["action"] for entry in visitor.state(after=0)["history"]] == ["a1"]


def test_of_a_turn_of_several_actions_only_the_last_is_confirmed(arrive: Arrive) -> None:
    visitor = choose(arrive(reduced_motion="reduce"), confirm=True)
    visitor.begin("sensei", ["me", "me"])
    state = visitor.state()
    text = next(action["action"] for action in state["actions"] if len(action["cells"]) == 2)
    visitor.play(state["actions"], text)
    state = visitor.state(after=0)
    visitor.wait_until_drawn(state)
    assert state["turn"] == 1
    assert state["is_my_turn"]
    visitor.page.locator(".under").get_by_role("button", name="End turn").click()
    send = visitor.page.get_by_role("button", name="Send End turn")
    expect(send).to_be_visible()
    assert count(visitor) == 1
    visitor.page.keyboard.press("Enter")
    visitor.wait_until_drawn(visitor.state(after=1))


def test_what_is_asked_about_is_not_confirmed_again(arrive: Arrive) -> None:
    visitor = choose(arrive(reduced_motion="reduce"), confirm=True)
    visitor.begin("renfa", ["me", "me"])
    *actions, last = GAMES["renfa"].split()
    assert last == "*d2"
    left = iter(actions)
    visitor.play_at_once(lambda _: next(left, None))
    visitor.click("d2")
    visitor.page.locator(".preview.asks button.main").click()
    assert visitor.state(after=len(actions))["last"]["action"] == "*d2"


# In advance


def test_what_is_chosen_in_advance_is_sent_when_the_turn_comes(arrive: Arrive) -> None:
    first, second = two(arrive, "chefa", ahead=True)
    second.click("a1")
    expect(second.page.locator(".sign.ahead")).to_have_text(["1"])
    expect(second.page.locator(".under")).to_contain_text("In advance: a1")
    expect(second.cell("a1")).to_have_attribute("aria-selected", "true")
    check(second)
    first.click("b1")
    assert [entry["action"] for entry in first.state(after=1)["history"]] == ["b1", "a1"]
    expect(second.page.locator(".sign.ahead")).to_have_count(0)


def test_what_has_become_impossible_is_dropped_with_a_notice(arrive: Arrive) -> None:
    first, second = two(arrive, "chefa", ahead=True)
    second.click("b1")
    expect(second.page.locator(".sign.ahead")).to_have_count(1)
    first.click("b1")
    said = "What you chose in advance is not possible now: b1."
    expect(second.page.locator(".board-place").get_by_role("alert")).to_have_text(said)
    expect(second.page.locator(".sign.ahead")).to_have_count(0)
    second.click("a1")
    assert len(second.state(after=1)["history"]) == 2


@pytest.mark.parametrize("way", ["Escape", "button", "same cell"])
def test_what_is_chosen_in_advance_can_be_removed(arrive: Arrive, way: str) -> None:
    first, second = two(arrive, "chefa", ahead=True)
    second.click("a1")
    expect(second.page.locator(".sign.ahead")).to_have_count(1)
    if way == "Escape":
        second.page.keyboard.press("Escape")
    elif way == "button":
        second.page.get_by_role("button", name="Remove").click()
    else:
        second.click("a1")
    expect(second.page.locator(".sign.ahead")).to_have_count(0)
    first.click("b1")
    second.wait_until_drawn(second.state(after=0))
    assert count(second) == 1


def test_clicks_for_two_turns_are_dropped_rather_than_guessed(arrive: Arrive) -> None:
    first, second = two(arrive, "chefa", ahead=True)
    second.click("a1")
    second.click("d1")
    first.click("b1")
    said = "What you chose in advance is not possible now: a1 d1."
    expect(second.page.locator(".board-place").get_by_role("alert")).to_have_text(said)
    assert count(second) == 1


def test_nothing_is_chosen_across_a_roll(arrive: Arrive) -> None:
    first, second = two(arrive, "omba", ahead=True)
    waiting = second if first.state()["is_my_turn"] else first
    choose_here = "() => localStorage.setItem('damier', JSON.stringify({ahead: true}))"
    waiting.page.evaluate(choose_here)
    waiting.page.reload()
    waiting.wait_for_board()
    waiting.click("b2")
    said = "The die comes first in this game: nothing can be chosen in advance."
    expect(waiting.page.locator(".board-place").get_by_role("alert")).to_have_text(said)


def test_nothing_is_chosen_in_advance_unless_the_visitor_wants_it(arrive: Arrive) -> None:
    _, second = two(arrive, "chefa")
    second.click("a1")
    expect(second.page.locator(".board-place").get_by_role("alert")).to_have_text("It is not your turn.")
    expect(second.page.locator(".sign.ahead")).to_have_count(0)


# Zen mode and keys


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 800}, PHONE], ids=["wide", "phone"])
def test_zen_mode_shows_board_players_and_turn_alone(arrive: Arrive, viewport: dict[str, int]) -> None:
    visitor = arrive(reduced_motion="reduce", viewport=viewport)
    page = visitor.page
    visitor.begin("chefa", ["me", "me"])
    visitor.from_menu("Zen mode", "menuitemcheckbox")
    for hidden in ("#top", ".tab-bar", ".controls", ".coach"):
        expect(page.locator(hidden)).to_be_hidden()
    for seen in (".players.above", ".players.below", ".status .now"):
        expect(page.locator(seen)).to_be_visible()
    check(visitor)
    widths = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1]
    box = page.get_by_role("grid").bounding_box()
    assert box
    assert box["y"] + box["height"] < viewport["height"], "All of the board is seen at once."
    visitor.click("b1")
    visitor.wait_until_drawn(visitor.state(after=0))
    page.reload()
    visitor.wait_for_board()
    expect(page.locator("#top")).to_be_hidden()
    page.get_by_role("button", name="Leave zen mode").click()
    expect(page.locator("#top")).to_be_visible()


def test_zen_mode_ends_with_the_match(arrive: Arrive) -> None:
    visitor = choose(arrive(), zen=True)
    visitor.begin("chefa", ["me", "me"])
    expect(visitor.page.locator("#top")).to_be_hidden()
    visitor.page.evaluate("() => { history.pushState(null, '', '/'); dispatchEvent(new PopStateEvent('popstate')); }")
    expect(visitor.page.locator("#top")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_question_mark_lists_the_keys(arrive: Arrive, theme: str) -> None:
    visitor = arrive(color_scheme=theme, reduced_motion="reduce")
    visitor.page.goto("/")
    expect(visitor.page.locator(".card-board svg.board")).to_have_count(5)
    visitor.page.keyboard.press("?")
    dialog = visitor.page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_contain_text("zen mode")
    assert "keys." not in dialog.inner_text()
    check(visitor)
    visitor.page.set_viewport_size({"width": 360, "height": 740})
    assert dialog.evaluate("(node) => node.scrollWidth <= node.clientWidth")
    visitor.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    visitor.page.keyboard.press("s")
    expect(visitor.page.get_by_role("dialog", name="Settings")).to_be_visible()


def test_keys_work_in_a_match_but_not_where_one_types(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    page = visitor.page
    visitor.begin("chefa", ["me", "me"])
    for text in ("b1", "a1"):
        visitor.click(text)
        visitor.wait_until_drawn(visitor.state(after=int(text == "a1")))
    page.keyboard.press("b")
    expect(page.locator(".status .now")).to_have_text("After 1 of 2")
    page.keyboard.press("n")
    expect(page.locator(".status.past")).to_have_count(0)
    page.keyboard.press("z")
    expect(page.locator("#top")).to_be_hidden()
    page.keyboard.press("z")
    expect(page.locator("#top")).to_be_visible()
    page.keyboard.press("t")
    expect(page.locator(".typed input")).to_be_focused()
    page.keyboard.type("zuf")
    expect(page.locator("#top")).to_be_visible()
    assert count(visitor) == 2
    page.locator(".typed input").blur()
    page.keyboard.press("u")
    page.wait_for_function("() => Number(document.querySelector('.history').dataset.count) < 2")


def test_keys_can_be_switched_off(arrive: Arrive) -> None:
    visitor = choose(arrive(), keys=False)
    visitor.page.goto("/")
    expect(visitor.page.locator(".card-board svg.board")).to_have_count(5)
    visitor.page.keyboard.press("?")
    visitor.page.keyboard.press("s")
    expect(visitor.page.get_by_role("dialog")).to_have_count(0)
