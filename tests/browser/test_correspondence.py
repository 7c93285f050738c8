"""Correspondence in the browser: a vacation that the other player sees, and conditional turns played on the board."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.accessibility import check
from tests.browser.test_account import PASSWORD, new_name, panel
from tests.browser.test_clocks import sit_down
from tests.browser.visitor import Visitor

Arrive = Callable[..., Visitor]
SLOW = {"kind": "correspondence", "base": 172_800, "increment": 86_400, "cap": 345_600}
LONG = 30_000  # milliseconds, for a busy machine


def test_a_player_goes_on_vacation_and_the_other_sees_it(arrive: Arrive) -> None:
    ann, bob = arrive(), arrive(viewport={"width": 390, "height": 844}, color_scheme="dark")
    account = {"name": new_name(), "password": PASSWORD}
    assert ann.context.request.post("/api/account", data=account, headers={"Origin": ann.address}).ok
    ann.page.goto("/account")
    vacation = panel(ann.page, "Vacation")
    expect(vacation).to_contain_text("You have 30 of 30 vacation days left", timeout=LONG)
    assert ann.context.request.get("/api/games/chefa/drawing", timeout=LONG).ok  # the first one takes long
    number = sit_down(ann, bob, SLOW)
    ann.page.goto("/account")
    vacation.get_by_label("Length").select_option("10 days")
    vacation.get_by_role("button", name="Begin a vacation").click()
    expect(vacation).to_contain_text("You are on vacation until", timeout=LONG)
    expect(vacation).to_contain_text("You have 20 of 30 vacation days left")
    check(ann)
    slow = bob.page.get_by_role("region", name="Correspondence")
    expect(slow).to_contain_text("is on vacation until", timeout=LONG)
    check(bob)
    vacation.get_by_role("button", name="End the vacation").click()
    expect(slow).not_to_contain_text("is on vacation until", timeout=LONG)
    ann.page.goto(f"/m/{number}")
    ann.wait_for_board()
    ann.click("b1")
    expect(bob.page.locator(".now")).to_contain_text("Your turn", timeout=LONG)


def test_a_player_plans_ahead_on_the_board_and_the_answer_is_played(arrive: Arrive) -> None:
    ann, bob = arrive(), arrive()
    sit_down(ann, bob, SLOW)
    slow = bob.page.get_by_role("region", name="Correspondence")
    slow.get_by_role("button", name="Plan ahead").click(timeout=LONG)
    dialog = bob.page.get_by_role("dialog", name="Conditional turns")
    expect(dialog).to_contain_text("Suppose that Black plays", timeout=LONG)
    expect(dialog.get_by_role("button", name="Store the line")).to_be_disabled()
    bob.click("b1")
    expect(dialog).to_contain_text("Your answer: play your turn.", timeout=LONG)
    bob.click("c4")
    expect(dialog).to_contain_text("b1 → c4", timeout=LONG)
    check(bob)
    dialog.get_by_role("button", name="Store the line").click()
    lines = bob.page.get_by_role("list", name="Your conditional turns")
    expect(lines).to_contain_text("b1 → c4", timeout=LONG)
    expect(ann.page.get_by_role("region", name="Correspondence")).to_have_count(0)
    lines.get_by_role("button", name="Remove b1 → c4").click()
    expect(lines).to_have_count(0, timeout=LONG)
    slow.get_by_role("button", name="Plan ahead").click()
    expect(dialog).to_contain_text("Suppose that Black plays", timeout=LONG)
    bob.click("b1")
    expect(dialog).to_contain_text("Your answer: play your turn.", timeout=LONG)
    bob.click("c4")
    dialog.get_by_role("button", name="Store the line").click(timeout=LONG)
    expect(lines).to_contain_text("b1 → c4", timeout=LONG)
    bob.page.goto("/")
    ann.click("b1")
    expect(ann.page.locator(".now")).to_contain_text("Your turn", timeout=LONG)
    expect(ann.page.locator(".history")).to_contain_text("c4", timeout=LONG)
