"""The board says what can be done: halos, previews, a question before what cannot be undone, rings, a waiting piece."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

import damier
from damier.draw.previews import action_preview
from tests.browser.played import GAMES
from tests.browser.test_keyboard import go_to, tab_to
from tests.browser.visitor import Visitor
from tools.browser import State

Arrive = Callable[..., Visitor]

POSITIONS: dict[str, tuple[dict[str, Any], str]] = {
    "renfa": ({"bombs": 6}, "1W1B1/1W2W/1BB2/5/W3B b 0,0"),
    "chefa": ({}, "2W2/3WB/W4/1B1B1/1B1W1 b 0,0 -"),
    "badia": ({}, "2BWB/1...1/B.1.B/B...W/2WWW w 0,0 c5,c1 -"),
    "sensei": ({}, "RRR1RRR/7/3R3/7/G5G/2G4/1G1GGG1 g d1,c7 2,1"),
    "omba": ({}, "1,-,2/1,2,2/-,1,- 1 3,3 2 -"),
}
HALOED = """() => [...document.querySelectorAll(".halos [data-at], .signs [data-at]:has(.single)")]
  .map((node) => node.dataset.at).sort()"""
STEPS = (
    """() => [...document.querySelectorAll("[data-step]")].map(({ dataset }) => [dataset.at, Number(dataset.step)])"""
)
# Whether the bubble is on the board, and the cells that it covers.
BUBBLE = """(cells) => {
  const box = document.querySelector(".preview").getBoundingClientRect();
  const board = document.querySelector("svg.board").getBoundingClientRect();
  const isIn = box.left >= board.left && box.right <= board.right && box.top >= board.top && box.bottom <= board.bottom;
  const covered = cells.filter((name) => {
    const cell = document.querySelector(`[role="gridcell"][data-cell="${name}"] .hit`).getBoundingClientRect();
    const isBeside = box.left >= cell.right - 1 || cell.left >= box.right - 1;
    return !isBeside && box.top < cell.bottom - 1 && cell.top < box.bottom - 1;
  });
  return [isIn && box.width > 0, covered];
}"""
# From now on notes when each motion of the board ends.
MOTIONS = """() => {
  window.times = [];
  const note = () => {
    for (const { effect } of document.getAnimations())
      if (effect.target.closest(".board-place")) window.times.push(effect.getComputedTiming().endTime);
    requestAnimationFrame(note);
  };
  note();
}"""


def open_position(page: Page, game: str) -> damier.Position:
    """Opens a position of `POSITIONS` on the analysis page, where both sides can be played."""
    options, text = POSITIONS[game]
    page.goto(f"/analyse/{game}?{urlencode({**options, 'position': text})}")
    expect(page.locator(".hits .open").first).to_be_attached()
    return damier.load(game, **options).parse(text)


def before_the_blast(visitor: Visitor) -> State:
    """Plays a match up to its last action, a detonation on d2."""
    visitor.begin("renfa", ["me", "me"])
    *actions, last = GAMES["renfa"].split()
    assert last == "*d2"
    left: Iterator[str] = iter(actions)
    visitor.play_at_once(lambda _: next(left, None))
    return visitor.state()


def blast(state: State) -> list[list[str]]:
    """Returns the cells that go up, step by step."""
    return action_preview(damier.load("renfa").parse(state["position"]), "*d2").gone


def question(page: Page) -> Locator:
    return page.locator(".preview.asks")


def see_nothing_played(visitor: Visitor, state: State) -> None:
    assert len(visitor.state()["history"]) == len(state["history"])


def test_there_is_no_halo_and_no_preview_while_it_is_not_ones_turn(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    visitor.begin("sensei", ["open", "me"])
    visitor.cell("a7").hover(force=True)
    assert visitor.page.evaluate(HALOED) == []
    expect(visitor.page.locator(".foretells")).to_have_count(0)


def test_a_blast_is_previewed_in_its_order_and_then_asked_for(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    state = before_the_blast(visitor)
    page, steps = visitor.page, blast(state)
    chain = [[cell, number] for number, cells in enumerate(steps, 1) for cell in cells]
    assert len(steps) > 2
    visitor.cell("d2").hover(force=True)
    expect(page.locator("[data-step]")).to_have_count(len(chain))
    assert page.evaluate(STEPS) == chain
    expect(page.locator(".preview")).to_contain_text("Bombs left")
    assert page.evaluate(BUBBLE, [cell for cell, _ in chain]) == [True, []]
    expect(question(page)).to_have_count(0)
    see_nothing_played(visitor, state)

    visitor.click("d2")
    expect(question(page)).to_be_visible()
    assert page.evaluate(BUBBLE, ["d2"]) == [True, []]
    page.keyboard.press("Escape")
    expect(question(page)).to_have_count(0)
    visitor.click("d2")
    question(page).get_by_role("button", name="Cancel").click()
    expect(page.locator(".foretells")).to_have_count(0)
    assert page.evaluate("() => document.activeElement.dataset.cell") == "d2"
    visitor.click("d2")
    visitor.click("a1")  # another choice takes the question away
    expect(question(page)).to_have_count(0)
    see_nothing_played(visitor, state)

    visitor.click("d2")
    visitor.click("d2")
    assert visitor.state(after=len(state["history"]))["last"]["action"] == "*d2"
    expect(page.locator(".foretells")).to_have_count(0)


def test_a_blast_is_confirmed_by_keys_and_its_preview_is_said(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    state = before_the_blast(visitor)
    page, said = visitor.page, visitor.page.locator("#spoken")
    tab_to(page, "[data-cell]")
    go_to(page, "d2")
    expect(said).to_contain_text("Bombs left")
    page.keyboard.press("Enter")
    expect(question(page)).to_be_visible()
    expect(said).to_contain_text("Detonate d2? The same cell again to confirm, Escape to cancel.")
    page.keyboard.press("Escape")
    expect(question(page)).to_have_count(0)
    page.keyboard.press("Enter")
    tab_to(page, ".preview button")
    page.keyboard.press("Escape")
    assert page.evaluate("() => document.activeElement.dataset.cell") == "d2"
    see_nothing_played(visitor, state)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert visitor.state(after=len(state["history"]))["last"]["action"] == "*d2"


def test_a_first_tap_previews_a_blast_and_plays_what_can_be_undone(arrive: Arrive) -> None:
    visitor = arrive(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    state = before_the_blast(visitor)
    page = visitor.page
    visitor.cell("d2").tap(force=True)
    expect(page.locator("[data-step]")).to_have_count(sum(map(len, blast(state))))
    assert page.evaluate(BUBBLE, ["d2"]) == [True, []]
    see_nothing_played(visitor, state)
    visitor.cell("d2").tap(force=True)
    assert visitor.state(after=len(state["history"]))["last"]["action"] == "*d2"
    visitor.begin("chefa", ["me", "me"])
    visitor.cell("b2").tap(force=True)
    assert visitor.state(after=0)["last"]["action"] == "b2"


def test_the_question_can_be_turned_off(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    state = before_the_blast(visitor)
    page = visitor.page
    page.evaluate("""async () => (await import("/static/net/settings.js")).choose("asks", false)""")
    page.reload()
    visitor.wait_until_drawn(state)
    visitor.click("d2")
    assert visitor.state(after=len(state["history"]))["last"]["action"] == "*d2"


SHOWN = {
    "renfa": (["d5", "d2"], {"ways": ["d5-d2"], "ghosts": ["d2"]}),
    "chefa": (["b1", "d1"], {"ways": ["b1-d1", "d1-b1"], "ghosts": ["b1", "d1"]}),
    "badia": (["e2", "e3"], {"ways": ["e2-e3", "e3-c3"], "ghosts": ["c3", "e3"]}),
    "sensei": (["d1", "b1"], {"ways": ["d1-b1"], "ghosts": ["b1"]}),
    "omba": (["a2", "b2"], {"ways": ["a2-b2"], "ghosts": ["b2"]}),
}
FORECAST = """() => ({
  ways: [...document.querySelectorAll(".way")].map(({ dataset }) => `${dataset.from}-${dataset.to}`).sort(),
  ghosts: [...new Set([...document.querySelectorAll("[data-ghost]")].map(({ dataset }) => dataset.ghost))].sort(),
})"""


@pytest.mark.parametrize("game", SHOWN)
def test_pieces_that_can_act_have_a_halo_and_their_moves_are_previewed(arrive: Arrive, game: str) -> None:
    visitor = arrive(reduced_motion="reduce")
    page = visitor.page
    (first, target), shown = SHOWN[game]
    position = open_position(page, game)
    taken = {piece.cell for piece in position.pieces()}
    starts = {cells[0] for text in position.actions() if (cells := position.game.action_cells(text))}
    assert page.evaluate(HALOED) == sorted(starts & taken)
    visitor.click(first)
    assert page.evaluate(HALOED) == [], "The targets of the chosen piece matter now."
    page.mouse.move(*page.evaluate("() => [innerWidth - 1, innerHeight - 1]"))
    visitor.cell(target).hover(force=True)
    expect(page.locator(".foretells")).to_have_count(1)
    assert page.evaluate(FORECAST) == shown
    expect(page.locator(".way.passes")).to_have_count(int(game == "sensei"))
    text = next(each for each in position.actions() if list(position.game.action_cells(each))[:2] == [first, target])
    sentence = action_preview(position, text).sentence
    assert sentence
    expect(page.locator(".preview")).to_have_text(sentence.render("en"))
    if position.game.drawing.view == "flat":
        assert page.evaluate(BUBBLE, [first, target]) == [True, []]
    page.mouse.move(0, 0)
    expect(page.locator(".foretells")).to_have_count(0)


def test_a_pawn_waits_beside_the_board_and_the_win_is_ringed(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    page = visitor.page
    visitor.begin("badia", ["me", "me"])
    actions = GAMES["badia"].split()
    waits = actions.index("c3-e3>?") + 1
    left = iter(actions[:waits])
    visitor.play_at_once(lambda _: next(left, None))
    state = visitor.state()
    expect(page.locator("[data-waiting]")).to_have_count(1)
    expect(page.locator(".piece.waits .mark-marker")).to_have_count(1)
    expect(page.get_by_role("grid")).to_have_accessible_description(state["waiting"][0]["label"])
    pieces = page.locator(".piece").count()
    visitor.play(state["actions"], actions[waits])
    expect(page.locator("[data-waiting], .piece.waits")).to_have_count(0)
    expect(page.locator(".piece")).to_have_count(pieces)
    assert page.locator(".board-place [data-winning]").count() == 0
    left = iter(actions[waits + 1 :])
    visitor.play_at_once(lambda _: next(left, None))
    state = visitor.state()
    rings = page.locator(".board-place [data-winning]").evaluate_all(
        "(all) => all.map(({ dataset }) => dataset.winning).sort()"
    )
    assert rings == sorted(state["winning"])
    assert len(rings) == 5


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_chain_reaction_shares_300_milliseconds(arrive: Arrive, motion: Any) -> None:
    visitor = arrive(reduced_motion=motion)
    state = before_the_blast(visitor)
    page = visitor.page
    page.evaluate(MOTIONS)
    visitor.click("d2")
    visitor.confirm()
    state = visitor.state(after=len(state["history"]))
    expect(page.locator(".board-place .piece")).to_have_count(len(state["pieces"]))
    times = page.evaluate("window.times.filter((time) => time !== Infinity)")
    if motion == "reduce":
        assert times == []
    else:
        assert max(times) > 200, "The steps follow each other."
        assert max(times) <= 300


def test_the_last_turn_is_told_to_screen_readers(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    visitor.begin("sensei", [{"level": 1}, "me"])
    state = visitor.state()
    while not state["is_my_turn"]:
        state = visitor.state(after=len(state["history"]))
    visitor.wait_until_drawn(state)
    routes = [route for action in state["last_turns"][0]["actions"] for route in action["routes"]]
    assert routes
    for route in routes:
        words = f"last turn (green stone): from {route['origin']} to {route['target']}"
        for cell in (route["origin"], route["target"]):
            assert words in (visitor.cell(cell).get_attribute("aria-label") or "")


TRAILS = """async (count) => {
  const { Board } = await import("/static/board/board.js");
  const drawing = await (await fetch("/api/games/omba/drawing?players=4")).json();
  const board = new Board(drawing, {});
  document.body.append(board.element);
  const route = (i) => ({ origin: "a1", path: [], target: `c${i + 1}` });
  const turn = (player, i) => ({ player, actions: [{ changed: [], routes: [route(i)] }] });
  board.show({ pieces: [], last_turns: Object.keys(drawing.looks).slice(0, count).map(turn) });
  return [...board.element.querySelectorAll(".trail")].map((trail) => getComputedStyle(trail).stroke);
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_arrows_of_several_opponents_have_the_colours_of_their_pieces(arrive: Arrive, theme: Any) -> None:
    page = arrive(color_scheme=theme).page
    page.goto("/learn")
    (alone,) = page.evaluate(TRAILS, 1)
    colours = page.evaluate(TRAILS, 3)
    assert len({alone, *colours}) == 4
