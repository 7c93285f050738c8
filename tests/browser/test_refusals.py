"""What cannot be played is answered with the reason, at the board."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.visitor import Visitor


def test_a_click_that_fits_nothing_is_answered_with_the_reason(arrive: Callable[..., Visitor]) -> None:
    visitor = arrive()
    visitor.begin("renfa", ["me", "me"])
    visitor.click("c3")
    visitor.wait_until_drawn(visitor.state(after=0))
    visitor.click("c3")
    reason = visitor.page.locator(".board-place").get_by_role("alert")
    expect(reason).to_have_text("There is already a bomb on c3. Click an empty cell to place a bomb.")
    visitor.click("d4")
    expect(reason).to_be_hidden()
    assert [step["action"] for step in visitor.state(after=1)["history"]] == ["c3", "d4"]


def test_a_typed_action_that_is_not_legal_is_answered_with_the_reason(arrive: Callable[..., Visitor]) -> None:
    visitor = arrive()
    visitor.begin("chefa", ["me", "me"])
    visitor.from_menu("Type an action")
    field = visitor.page.get_by_label("Type an action")
    expect(field).to_be_focused()
    field.fill("c3")
    field.press("Enter")
    reason = visitor.page.locator(".board-place").get_by_role("alert")
    expect(reason).to_contain_text("centre")
    expect(field).to_have_value("")
    field.fill("b1")
    field.press("Enter")
    assert visitor.state(after=0)["last"]["action"] == "b1"
    expect(reason).to_be_hidden()


def test_the_reason_fits_the_piece_that_was_clicked_first(arrive: Callable[..., Visitor]) -> None:
    visitor = arrive()
    visitor.begin("sensei", ["me", "me"])
    reason = visitor.page.locator(".board-place").get_by_role("alert")
    visitor.click("d1")
    visitor.click("g7")
    expect(reason).to_have_text("The character goes to a stone of your own, and there is none on g7.")
    visitor.click("d4")
    expect(reason).to_have_text("There is no stone on d4. Click one of your stones or your character.")


def test_the_turn_of_another_cannot_be_taken(arrive: Callable[..., Visitor]) -> None:
    visitor = arrive()
    visitor.begin("renfa", ["me", "open"])
    visitor.click("c3")
    visitor.state(after=0)
    visitor.wait_until_drawn(visitor.state())
    visitor.click("d4")
    expect(visitor.page.locator(".board-place").get_by_role("alert")).to_have_text("It is not your turn.")
    assert len(visitor.state()["history"]) == 1


def test_a_link_to_no_match_says_so(arrive: Callable[..., Visitor]) -> None:
    visitor = arrive()
    visitor.may_fail = True
    visitor.page.goto("/m/nothing")
    expect(visitor.page.locator(".note")).to_contain_text("There is no such match.")
    visitor.may_fail = False
    visitor.page.get_by_role("button", name="All games").click()
    expect(visitor.page.get_by_role("heading", name="Chefa", exact=True)).to_be_visible()
