"""The values of actions: shapes and words, estimates marked as such, exact ones where a table says so."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.visitor import Visitor

Arrive = Callable[..., Visitor]
TURNS = "a1 e5 b1 d5 c1 c5"  # with three bombs each, all are placed then


def show_values(page: Page) -> None:
    page.get_by_role("tab", name="Values").click()
    page.get_by_role("switch", name="Values").click()
    expect(page.locator(".value-label").first).to_be_visible()


def test_estimates_are_marked_as_such(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.begin("sensei", ["me", "me"])
    show_values(visitor.page)
    texts = visitor.page.locator(".value-list li span").all_inner_texts()
    assert len(texts) == len(visitor.state()["actions"])
    assert all(text.startswith("about ") for text in texts), texts
    expect(visitor.page.locator(".board .value.exact")).to_have_count(0)
    expect(visitor.page.locator(".board .value.about").first).to_be_visible()
    expect(visitor.page.locator(".known summary")).to_have_text("Estimated values")
    visitor.page.get_by_role("switch", name="Values").click()
    expect(visitor.page.locator(".value-label")).to_have_count(0)
    expect(visitor.page.locator(".known")).to_be_empty()


def test_exact_values_are_shown_where_a_table_has_them(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    visitor.begin("renfa", ["me", "me"], bombs=3)
    for cell in TURNS.split():
        state = visitor.state()
        visitor.wait_until_drawn(state)
        visitor.click(cell)
        visitor.state(after=len(state["history"]))
    visitor.wait_until_drawn(visitor.state())
    show_values(visitor.page)
    expect(visitor.page.locator(".known summary")).to_have_text("Exact values")
    expect(visitor.page.locator(".board .value.about")).to_have_count(0)
    rows = visitor.page.locator(".value-list li")
    assert rows.count() == len(visitor.state()["actions"])
    for row in rows.all():
        kind = re.fullmatch(r"(win|loss) in \d+ pl(y|ies)|draw", row.locator("span").inner_text())
        assert kind
        expect(row.locator(f".value.exact.{kind[1] or 'draw'}")).to_have_count(1)
    rows.first.get_by_role("button").click()  # the best, played from the list
    assert len(visitor.state(after=6)["history"]) == 7
