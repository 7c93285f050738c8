"""A puzzle in the browser: a wrong answer, the right one, the next puzzle, and what is remembered."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from damier.teach.puzzles.puzzle import Puzzle, shipped_puzzles
from tests.browser.visitor import Visitor

Arrive = Callable[..., Visitor]


def easy(name: str) -> Puzzle:
    """A puzzle that one action solves."""
    return next(each for each in shipped_puzzles(name) if len(each.line) == 1 and each.tree)


def play(visitor: Visitor, puzzle: Puzzle, action: str) -> None:
    expect(visitor.page.locator(".verdict")).to_have_text("Play your answer on the board.")
    for cell in puzzle.loaded.action_cells(action):
        visitor.click(cell)


@pytest.mark.parametrize("name", ["chefa", "badia"])
def test_a_puzzle_is_failed_then_solved(arrive: Arrive, name: str) -> None:
    visitor, puzzle = arrive(), easy(name)
    page = visitor.page
    page.goto(f"/puzzles/{name}/{puzzle.id}")
    visitor.wait_for_board()
    wrong = next(
        text for text in puzzle.start.actions() if text != puzzle.answer and text.count("-") <= 1 and ">" not in text
    )
    play(visitor, puzzle, wrong)
    expect(page.locator(".verdict.bad")).to_contain_text("Wrong")
    page.get_by_role("button", name="Try again").click()
    play(visitor, puzzle, puzzle.answer)
    expect(page.locator(".verdict.good")).to_have_text("Solved.")
    page.get_by_role("button", name="Next puzzle").click()
    expect(page.locator(".verdict.good")).to_have_count(0)
    assert page.url.rsplit("/", 1)[1] != puzzle.id
    expect(page.locator(".facts-row")).to_contain_text(f"1 / {len(shipped_puzzles(name))}")


def test_the_solution_is_played_out_and_the_streak_ends(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    puzzle = next(each for each in shipped_puzzles("chefa") if len(each.line) == 3)
    visitor.page.goto(f"/puzzles/chefa/{puzzle.id}")
    visitor.wait_for_board()
    visitor.page.get_by_role("button", name="Show the solution").click()
    expect(visitor.page.locator(".verdict")).to_contain_text(" ".join(puzzle.line))
    expect(visitor.page.get_by_role("button", name="Next puzzle")).to_be_visible()


def test_filters_choose_another_puzzle(arrive: Arrive) -> None:
    visitor = arrive()
    page = visitor.page
    page.goto("/puzzles/chefa")
    visitor.wait_for_board()
    hard = max(each.difficulty for each in shipped_puzzles("chefa"))
    page.get_by_label("Difficulty").select_option(str(hard))
    expect(page.get_by_role("img", name=f"{hard} of 5")).to_be_visible()


def test_the_status_follows_the_actions_and_ends_with_the_result(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    puzzle = next(each for each in shipped_puzzles("sensei") if len(each.line) == 3)
    visitor.page.goto(f"/puzzles/sensei/{puzzle.id}")
    visitor.wait_for_board()
    status = visitor.page.locator(".status .soft")
    record = puzzle.loaded.record(puzzle.position)
    for action, left in zip(puzzle.line, ("2", "1", "0"), strict=True):
        expect(status).to_contain_text(f"Stone moves left: {left}")
        expect(visitor.page.locator(".hits .open").first).to_be_attached()  # the board takes the next action
        for cell in puzzle.loaded.action_cells(action):
            visitor.click(cell)
        record.play(action)
    assert record.result
    expect(status).to_have_text(record.result.sentence())
