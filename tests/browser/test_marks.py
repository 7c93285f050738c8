"""The whole last turn of the opponent is marked on the board, through the roll of a die and the end of a turn."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.visitor import Visitor
from tools.browser import State

Arrive = Callable[..., Visitor]
MARKED = '() => [...document.querySelectorAll(".board [data-marked]")].map((cell) => cell.dataset.marked).sort()'


def cells_of(state: State) -> list[str]:
    """Returns the cells that the server wants to have marked."""
    found: set[str] = set()
    for turn in state["last_turns"]:
        for action in turn["actions"]:
            found |= set(action["changed"])
            for route in action["routes"]:
                found |= {route["origin"] or route["target"], *route["path"], route["target"]}
    return sorted(found)


def see_marks(page: Page, state: State) -> None:
    assert page.evaluate(MARKED) == cells_of(state)
    moves = [route for turn in state["last_turns"] for action in turn["actions"] for route in action["routes"]]
    expect(page.locator(".board .trail")).to_have_count(sum(route["origin"] is not None for route in moves))


def my_turn(visitor: Visitor, after: int) -> State:
    """Waits until the page shows that it is the visitor's turn; returns the state."""
    state = visitor.state(after=after)
    while not state["is_my_turn"]:
        state = visitor.state(after=len(state["history"]))
    visitor.wait_until_drawn(state)
    return state


def test_a_turn_of_several_actions_is_marked_whole(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    visitor.begin("sensei", [{"level": 1}, "me"])
    state = my_turn(visitor, after=0)
    assert [turn["player"] for turn in state["last_turns"]] == ["g"]
    assert len(state["last_turns"][0]["actions"]) == len(state["history"])
    see_marks(visitor.page, state)
    visitor.play(state["actions"], "a7-a6")
    state = my_turn(visitor, after=len(state["history"]))
    assert cells_of(state) == ["a6", "a7"]
    see_marks(visitor.page, state)


def test_the_roll_of_the_die_hides_no_turn(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    visitor.begin("omba", [{"level": 1}, "me"])
    state = my_turn(visitor, after=0)
    for _ in range(2):
        assert [turn["player"] for turn in state["last_turns"]] == ["1"]
        assert state["last"]["player"] == "chance"
        see_marks(visitor.page, state)
        visitor.play(state["actions"], state["actions"][0]["action"])
        state = my_turn(visitor, after=len(state["history"]) + 1)


SEEN = """() => {
  window.seen = [];
  const status = document.querySelector(".status");
  const note = () => window.seen.push(status.innerText);
  new MutationObserver(note).observe(status, { childList: true, subtree: true, characterData: true });
}"""
END_AT_ONCE = """async () => {
  const found = () => [...document.querySelectorAll(".under button")].find((each) => each.innerText === "End turn");
  while (!found()) await new Promise((next) => requestAnimationFrame(next));
  found().click();
}"""


def test_the_computer_never_thinks_while_it_is_the_visitors_turn(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.begin("sensei", ["me", {"level": 1}])
    page, state = visitor.page, visitor.state()
    page.evaluate(SEEN)
    visitor.play(state["actions"], "a1-a2")
    page.evaluate(END_AT_ONCE)  # while the page is still busy with the action before
    my_turn(visitor, after=2)
    expect(page.locator(".status .now")).to_have_text(re.compile("^Your turn: "))
    seen = page.evaluate("window.seen")
    assert any("thinking" in text for text in seen)
    assert [text for text in seen if "Your turn" in text and "thinking" in text] == []
