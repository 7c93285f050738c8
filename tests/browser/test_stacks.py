"""Boards seen at an angle: stacks listed, boards turned, the die on the table, and nothing that matters hidden."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.visitor import Visitor

Arrive = Callable[..., Visitor]
POSITION = "1,-,-/-,1212,-/-,-,2 1 3,3 1 -"  # the stack in the middle hides the far corner
LISTED = {
    "/analyse/omba": ".match",
    "/explore/omba": ".explore",
    "/learn/omba": ".lesson",
    "/puzzles/omba": ".puzzle",
    "/embed/omba": ".embed",
}
BOX = """() => {
  const board = document.querySelector("svg.board").getBBox();
  const [, top, , height] = document.querySelector("svg.board").getAttribute("viewBox").split(" ").map(Number);
  return { above: board.y - top, below: top + height - board.y - board.height };
}"""


def corners(page: Page) -> str:
    """Returns the letters of the columns in the order in which they are drawn, with their places."""
    return " ".join(page.locator(".board .coordinates text").evaluate_all("(all) => all.map((each) => each.outerHTML)"))


def test_every_page_lists_the_stacks_and_turns_the_board(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    page = visitor.page
    visitor.begin("omba", ["me", "me"])
    addresses = [page.url, *LISTED]
    puzzle = page.evaluate("async () => (await (await fetch('/api/puzzles/omba')).json()).puzzles[0].id")
    for address in [*addresses, f"/embed/puzzle/omba/{puzzle}"]:
        page.goto(address)
        expect(page.locator(".stacks li")).to_have_count(9)
        before = corners(page)
        page.get_by_role("button", name="Turn", exact=True).click()
        assert corners(page) != before, address
        expect(page.locator(".stacks li")).to_have_count(9)


def test_a_stack_that_hides_a_cell_under_the_pointer_or_focus_is_translucent(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    page = visitor.page
    page.goto("/explore/omba?position=" + POSITION.replace(" ", "+"))
    expect(page.locator(".stacks li")).to_have_count(9)
    page.locator('.stacks [data-name="a3"]').focus()
    expect(page.locator(".piece.sheer")).to_have_count(4)
    page.locator('.stacks [data-name="b2"]').focus()
    expect(page.locator(".piece.sheer")).to_have_count(0)
    visitor.cell("a3").focus()
    expect(page.locator(".piece.sheer")).to_have_count(4)
    expect(page.locator(".shadows .shadow")).to_have_count(3)
    expect(page.locator(".board .die")).to_have_attribute("data-points", "1")


def test_the_picture_of_a_board_is_cropped_and_the_board_keeps_its_place(arrive: Arrive) -> None:
    page = arrive(reduced_motion="reduce").page
    page.goto("/explore/omba?position=" + POSITION.replace(" ", "+"))
    expect(page.locator(".stacks li")).to_have_count(9)
    before = page.locator(".board-place > svg.board").get_attribute("viewBox")
    empty = page.evaluate(BOX)
    assert 0 <= empty["above"] < 70, empty  # hundredths of a cell: room for a stack of three on the farthest cell
    assert 0 <= empty["below"] < 10, empty
    field = page.get_by_label("Type an action")
    field.fill("@b1")
    field.press("Enter")
    expect(page.locator(".stacks [data-name=b1] .small-piece")).to_have_count(1)
    assert page.locator(".board-place > svg.board").get_attribute("viewBox") == before
