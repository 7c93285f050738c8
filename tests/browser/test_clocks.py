"""Clocks on the page of a match: two browsers play, one runs out of time; the start dialog offers clocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.browser.visitor import Visitor

Arrive = Callable[..., Visitor]


def sit_down(ann: Visitor, bob: Visitor, clock: dict[str, Any], **more: Any) -> str:
    """Has Ann begin a match with a clock, and Bob take the other seat; returns its number."""
    asked = {"game": "chefa", "options": {}, "seats": ["me", "open"], "clock": clock, **more}
    headers = {"Origin": ann.address}
    snapshot = ann.context.request.post("/api/matches", data=asked, headers=headers).json()
    number = str(snapshot["number"])
    ann.page.goto(f"/m/{number}")
    ann.wait_for_board()
    bob.page.goto(f"/m/{number}#{snapshot['invitations']['w']}")
    bob.page.get_by_role("button", name="Take the seat").click()
    bob.wait_for_board()
    return number


def test_two_play_with_clocks_and_one_runs_out_of_time(arrive: Arrive) -> None:
    ann, bob = arrive(), arrive(viewport={"width": 390, "height": 844}, color_scheme="dark")
    sit_down(ann, bob, {"kind": "live", "base": 4, "increment": 0})
    expect(ann.page.locator(".clock-note")).to_contain_text("Make your first turn within")
    expect(ann.page.locator(".clock")).to_have_count(2)
    ann.click("b1")
    expect(bob.page.locator(".clock-note")).to_contain_text("Make your first turn within")
    bob.click("c4")
    expect(ann.page.locator(".players .clock.runs")).to_have_count(1)
    expect(ann.page.locator(".players.below .clock")).to_have_text("0.0", timeout=10_000)
    expect(ann.page.locator(".now")).to_have_text("You lose: Black has run out of time", timeout=10_000)
    expect(bob.page.locator(".now")).to_have_text("You win: Black has run out of time")


def test_a_match_is_aborted_by_a_player_before_the_first_turns(arrive: Arrive) -> None:
    ann, bob = arrive(), arrive()
    sit_down(ann, bob, {"kind": "live", "base": 180, "increment": 2})
    expect(ann.page.locator(".match-title")).to_contain_text("3+2 · unrated")
    expect(ann.page.locator(".players .clock").first).to_have_text("3:00")
    bob.page.get_by_role("button", name="Abort the match").click()
    for visitor in (ann, bob):
        expect(visitor.page.locator(".now")).to_have_text("The game was aborted: it has no result.")


def test_the_start_dialog_offers_clocks_to_friends(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.begin("chefa", ["me", "me"])
    visitor.from_menu("New game")
    dialog = visitor.page.get_by_role("dialog")
    expect(dialog.get_by_label("Clock")).to_be_disabled()
    dialog.get_by_role("radio", name="Friend by link").check()
    dialog.get_by_label("Clock").select_option("2 days + 1 day a turn")
    dialog.get_by_role("button", name="Start").click()
    expect(visitor.page.locator(".match-title")).to_contain_text("2 days + 1 day a turn · unrated")
    expect(visitor.page.locator(".players .clock").first).to_have_text("2 days 0h")
