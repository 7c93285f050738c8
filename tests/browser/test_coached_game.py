"""A whole game by somebody who knows nothing: only what the board offers is clicked, until the game is over."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.samples import sample
from tests.browser.visitor import Visitor
from tools.browser import State

Arrive = Callable[..., Visitor]
MOST_CLICKS = 600
GAMES = ("chefa", "badia", "renfa", "sensei", "omba")

# The cells that the board offers now: first those that go on with a choice, else those that begin one.
OFFERED = """() => {
  const at = (kinds) => [...document.querySelectorAll(kinds)]
    .map((sign) => sign.closest("[data-at]")?.dataset.at).filter(Boolean);
  const next = at(".board .sign.dot, .board .sign.goal");
  return next.length ? next : at(".board .sign.halo, .board .sign.place, .board .sign.single");
}"""


def my_turn(visitor: Visitor, after: int) -> State:
    """Returns the state once the visitor can act or the game is over."""
    state = visitor.state(after)
    while not (state["result"] or state["is_my_turn"]):
        state = visitor.state(len(state["history"]))
    visitor.wait_until_drawn(state)
    return state


def click_what_is_offered(visitor: Visitor, rng: random.Random) -> None:
    """Clicks one of the cells that the board offers, or a button under it."""
    page = visitor.page
    cells = page.evaluate(OFFERED)
    buttons = page.locator(".under button.main, .under .tray[aria-pressed=false]")
    if cells and (rng.random() < 0.8 or not buttons.count()):
        visitor.click(rng.choice(sorted(set(cells))))
        visitor.confirm()
    else:
        assert buttons.count(), "Nothing is offered."
        buttons.nth(rng.randrange(buttons.count())).click()


@pytest.mark.parametrize("game", sample(GAMES))
def test_a_game_is_played_to_its_end_by_what_the_board_offers(arrive: Arrive, game: str) -> None:
    visitor, rng = arrive(reduced_motion="reduce"), random.Random(game)
    visitor.begin(game, ["me", {"level": 4}])
    page, clicks = visitor.page, 0
    state = my_turn(visitor, -1)
    while not state["result"]:
        expect(page.locator(".status .now")).to_contain_text("Your turn: ")
        click_what_is_offered(visitor, rng)
        clicks += 1
        assert clicks < MOST_CLICKS, "The game does not end."
        now = visitor.state(-1)
        if len(now["history"]) > len(state["history"]):
            state = my_turn(visitor, len(state["history"]))
    expect(page.locator(".status .now")).to_contain_text("You " if state["result"]["winner"] else "Draw")
    expect(
        page.get_by_role("link", name="Review the game").or_(page.get_by_role("button", name="Review the game"))
    ).to_be_visible()
