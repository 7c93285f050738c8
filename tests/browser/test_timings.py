"""How long things take, by the browser's own clock: printed in full with `pytest -rP`, bounded generously."""

from __future__ import annotations

import sys
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.visitor import Visitor

MOST_BYTES = 150_000
MOST_MILLISECONDS = 10_000

BYTES = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .reduce((sum, {transferSize}) => sum + transferSize, 0)"""

# The paths of what was not in the browser's cache.
ASKED = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .filter(({transferSize}) => transferSize > 0).map(({name}) => new URL(name).pathname)"""

# Clicks a cell; resolves with when a piece more is drawn, and when the server has confirmed the action.
ACT = """([name, most]) => new Promise((done, fail) => {
  const cell = document.querySelector(`[role="gridcell"][data-cell="${name}"]`);
  const pieces = () => document.querySelectorAll(".board-place .piece").length;
  const actions = () => Number(document.querySelector(".history")?.dataset.count ?? 0);
  const [began, before, played] = [performance.now(), pieces(), actions()];
  let drawn;
  const look = () => {
    const passed = performance.now() - began;
    if (pieces() > before) drawn ??= passed;
    if (actions() > played) done([drawn ?? passed, passed]);
    else requestAnimationFrame(look);
  };
  setTimeout(() => fail(new Error(`${before} pieces, then ${pieces()}; ${played} actions, then ${actions()}`)), most);
  cell.dispatchEvent(new MouseEvent("click", {bubbles: true}));
  look();
})"""


def tell(text: str) -> None:
    """Prints what was measured; pytest keeps it for its report."""
    sys.stdout.write(text + "\n")


def test_the_first_page_is_small(arrive: Callable[..., Visitor]) -> None:
    visitor = arrive()
    visitor.page.goto("/")
    expect(visitor.page.locator(".card-board svg.board")).to_have_count(5)
    visitor.page.evaluate("() => document.fonts.ready.then(() => null)")
    asked = visitor.page.evaluate(ASKED)
    assert sum(path.endswith(".woff2") for path in asked) == 2, "The fonts count."
    sent = visitor.page.evaluate(BYTES)
    painted = visitor.page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0].startTime")
    tell(f"first page: {sent / 1000:.0f} kB, first paint after {painted:.0f} ms")
    assert 10_000 < sent < MOST_BYTES


def test_a_repeat_visit_asks_only_for_the_page_with_the_matches_in_it(arrive: Callable[..., Visitor]) -> None:
    visitor = arrive()
    visitor.begin("chefa", ["me", "me"])
    for _ in range(2):
        visitor.page.goto("/")
        expect(visitor.page.locator(".card-board svg.board")).to_have_count(5)
        expect(visitor.page.locator(".mini-board svg.board")).to_have_count(1)
    visitor.page.wait_for_load_state("networkidle")
    assert visitor.page.evaluate(ASKED) == ["/"]


def test_an_action_is_drawn_at_once_and_soon_confirmed(arrive: Callable[..., Visitor]) -> None:
    visitor = arrive()
    visitor.begin("renfa", ["me", "me"])
    for count, name in enumerate(["c3", "d4", "b2"]):
        drawn, confirmed = visitor.page.evaluate(ACT, [name, MOST_MILLISECONDS])
        tell(f"action {name}: drawn after {drawn:.0f} ms, confirmed after {confirmed:.0f} ms")
        assert drawn <= confirmed
        visitor.wait_until_drawn(visitor.state(after=count))
