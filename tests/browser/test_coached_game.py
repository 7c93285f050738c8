"""A whole game by somebody who knows nothing: only what the board offers is clicked, until the game is over or long."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.samples import sample
from tests.browser.visitor import Visitor

Arrive = Callable[..., Visitor]
MOST_CLICKS = 300
LONG_GAME = 40  # actions: a game that is not over by then has shown enough
MOST_WAITS = 100
OVER = re.compile("^(You (win|lose)|Draw): ")
PAUSE = 30  # milliseconds, for what was clicked to be drawn
GAMES = ("chefa", "badia", "renfa", "sensei", "omba")

# The cells that the board offers now: first those that go on with a choice, else those that begin one.
OFFERED = """() => {
  const at = (kinds) => [...document.querySelectorAll(kinds)]
    .map((sign) => sign.closest("[data-at]")?.dataset.at).filter(Boolean);
  const next = at(".board .sign.dot, .board .sign.goal");
  return next.length ? next : at(".board .sign.halo, .board .sign.place, .board .sign.single");
}"""


SHOWN = "() => Number(document.querySelector('.history')?.dataset.count ?? 0)"  # actions


def click_what_is_offered(visitor: Visitor, rng: random.Random) -> bool:
    """Clicks one of the cells that the board offers, or a button under it; returns False if there is nothing."""
    page = visitor.page
    cells = page.evaluate(OFFERED)
    buttons = page.locator(".under button.main, .under .tray[aria-pressed=false]")
    count = 0
    if cells and (rng.random() < 0.8 or not buttons.count()):
        visitor.click(rng.choice(sorted(set(cells))))
        visitor.confirm()
    elif count := buttons.count():
        buttons.nth(rng.randrange(count)).click()
    return bool(cells or count)


@pytest.mark.parametrize("game", sample(GAMES))
def test_a_game_is_played_to_its_end_by_what_the_board_offers(arrive: Arrive, game: str) -> None:
    visitor, rng = arrive(reduced_motion="reduce"), random.Random(game)
    visitor.begin(game, ["me", {"level": 6}])
    status = visitor.page.locator(".status .now")
    waits = 0
    for _ in range(MOST_CLICKS):
        expect(status).to_have_text(re.compile("^(Your turn|You (win|lose)|Draw): "), timeout=30_000)
        if OVER.match(status.inner_text()):  # read again: the choice that was just sent may have arrived meanwhile
            break
        if visitor.page.evaluate(SHOWN) >= LONG_GAME:
            return
        waits = 0 if click_what_is_offered(visitor, rng) else waits + 1  # nothing while a choice is being sent
        assert waits < MOST_WAITS, "Nothing is offered."
        visitor.page.wait_for_timeout(PAUSE)
    state = visitor.state()
    assert state["result"], f"{MOST_CLICKS} clicks made {len(state['history'])} actions."
    expect(status).to_contain_text("You " if state["result"]["winner"] else "Draw")
    expect(visitor.page.locator(".status").get_by_text("Review the game")).to_be_visible()
