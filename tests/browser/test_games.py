"""Every game is played to its end by clicks on the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

import damier
from tests.browser.played import GAMES
from tests.browser.visitor import Visitor

Arrive = Callable[..., Visitor]


def see_the_end(visitor: Visitor) -> None:
    """The page tells how the game ended, and offers another one, which begins with a click."""
    result = visitor.state()["result"]
    assert result
    status = visitor.page.locator(".status.over .now")
    expect(status).to_have_text(result["sentence"])  # in the third person, for one who plays both sides
    visitor.page.get_by_role("button", name="Rematch").click()
    expect(status).to_have_count(0)
    state = visitor.state()
    visitor.wait_until_drawn(state)
    assert all(step["player"] == "chance" for step in state["history"])


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_to_its_end_by_clicks(arrive: Arrive, game: str) -> None:
    visitor = arrive()
    visitor.begin(game, ["me", "me"])
    state = visitor.state()
    for action in GAMES[game].split():
        visitor.wait_until_drawn(state)
        visitor.play(state["actions"], action)
        state = visitor.state(after=len(state["history"]))
        assert state["last"]["action"] == action
    see_the_end(visitor)


def room(position: damier.Position) -> int:
    """Over all rolls, how many actions the next player has."""
    rolled = [position.play(roll) for roll in position.actions()] if not position.result else []
    return sum(len(each.actions()) for each in rolled if not each.result)


def narrowest(state: dict[str, Any]) -> str:
    """The action that leaves the next player the least room: such games are short."""
    position = damier.load("omba").parse(state["position"])
    texts: list[str] = [action["action"] for action in state["actions"]]
    return min(texts, key=lambda text: (room(position.play(text)), text))


def test_a_game_with_dice_is_played_to_its_end_by_clicks(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    number = visitor.begin("omba", ["me", "me"])
    state = visitor.state()
    while not state["result"]:
        visitor.wait_until_drawn(state)
        visitor.play(state["actions"], narrowest(state))
        state = visitor.state(after=len(state["history"]))
    visitor.page.goto(f"/dice/{number}")
    expect(visitor.page.locator(".outcome .right")).to_have_count(2)
    visitor.page.goto(f"/m/{number}")
    see_the_end(visitor)
