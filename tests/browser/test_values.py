"""The values of actions: shapes and words, estimates marked as such, exact ones where a table says so."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.visitor import Visitor

Arrive = Callable[..., Visitor]
# Whether the ring comes after the values, the height of the lowest chip in pixels, and how many pieces chips cover.
MEASURED = """() => {
  const [values, hints] = [".values", ".hints"].map((name) => document.querySelector(`.board ${name}`));
  const boxes = (name) => [...document.querySelectorAll(`.board ${name}`)].map((node) => node.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right - 3 && b.left < a.right - 3 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
  const plates = boxes(".chip-plate");
  return {
    isRingOnTop: Boolean(values.compareDocumentPosition(hints) & Node.DOCUMENT_POSITION_FOLLOWING),
    lowest: Math.min(99, ...boxes(".chip-plate").map(({height}) => height)),
    covered: boxes(".piece .body").filter((piece) => plates.some((plate) => meet(piece, plate))).length,
  };
}"""
TURNS = "d3 c1 a5 c3 b1 c4"  # with three bombs each, all are placed then: one action wins, two lose


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
    expect(visitor.page.locator(".value-card h2")).to_contain_text("Best for Green: ")
    expect(visitor.page.locator(".board .chip.estimated").first).to_be_visible()
    expect(visitor.page.locator(".board .chip .chip-text").first).to_have_text(re.compile(r"≈\d+"))
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
    _check_sum_and_units(visitor.page)
    rows.first.get_by_role("button").click()  # the best, played from the list
    assert len(visitor.state(after=6)["history"]) == 7


def _check_sum_and_units(page: Page) -> None:
    """The sum counts the list; a legend explains the shapes; distances can be counted in own moves."""
    count = page.locator(".value-list li").count()
    expect(page.locator(".value-card h2")).to_have_text(re.compile(r"Black wins in 1 ply with \*c[134]"))
    expect(page.locator(".value-card p").first).to_have_text(f"1 of {count} actions wins, {count - 3} draw, 2 lose.")
    expect(page.locator(".board .chip.best.win.proved")).to_have_count(1)
    legend = page.locator(".legend")
    expect(legend.locator("span.loss")).to_contain_text("loses in 2 plies")
    legend.get_by_role("button", name="Count own moves").click()
    expect(legend.locator("span.loss")).to_contain_text("loses in 1 own move")
    expect(page.locator(".value-list")).to_contain_text("loss in 1 own move")
    expect(legend.get_by_role("button", name="Count plies")).to_be_focused()


def test_chips_cover_neither_pieces_nor_the_ring_of_a_hint_and_can_be_read_on_a_phone(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce", viewport={"width": 390, "height": 844})
    visitor.begin("renfa", ["me", "me"], bombs=3)
    for cell in ("a1", "e5"):
        state = visitor.state()
        visitor.wait_until_drawn(state)
        visitor.click(cell)
        visitor.state(after=len(state["history"]))
    visitor.wait_until_drawn(visitor.state())
    page = visitor.page
    page.get_by_role("tab", name="Values").click()
    page.get_by_role("switch", name="Values").click()
    expect(page.locator(".board .chip").first).to_be_visible()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hints .hint")).to_have_count(1)
    measured = page.evaluate(MEASURED)
    assert measured["isRingOnTop"]
    assert measured["lowest"] >= 10
    assert measured["covered"] == 0
