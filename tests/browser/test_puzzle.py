"""A puzzle in the browser: hints, wrong and right answers with reasons, numbers, the next one, what is remembered."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from damier.teach.puzzles.puzzle import Puzzle, shipped_puzzles
from damier.teach.puzzles.reasons import reasons_of
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
    expect(page.locator(".verdict.bad")).to_contain_text("The reply is")
    expect(page.locator(".rated.bad .change")).to_contain_text("−")
    rating = page.locator(".rated b").text_content()
    page.get_by_role("button", name="Try again").click()
    play(visitor, puzzle, puzzle.answer)
    expect(page.locator(".verdict.good")).to_have_text("Solved.")
    expect(page.locator(".rated b")).to_have_text(str(rating))  # only the first try counts
    expect(page.locator(".why")).to_contain_text(f"Why {puzzle.answer}?")
    expect(page.locator(".why")).to_contain_text("Legal actions: ")
    page.locator(".tries button").first.click()
    line = reasons_of(puzzle).tries[0].line
    record = puzzle.loaded.record(puzzle.position)
    for action in line:
        record.play(action)
    occupied = {piece.cell for piece in record.position.pieces()}
    expect(visitor.cell(min(occupied - {piece.cell for piece in puzzle.start.pieces()}))).not_to_have_accessible_name(
        re.compile("empty")
    )
    page.get_by_role("button", name="Next puzzle").click()
    expect(page.locator(".verdict.good")).to_have_count(0)
    assert page.url.rsplit("/", 1)[1] != puzzle.id
    expect(page.locator(".facts-row")).to_contain_text(f"1 / {len(shipped_puzzles(name))}")


def test_a_hint_points_first_at_a_place_then_at_the_action_and_lowers_the_gain(arrive: Arrive) -> None:
    visitor = arrive()
    page, gains = visitor.page, []
    one, other = [each for each in shipped_puzzles("badia") if len(each.line) == 1 and each.rating == 800][:2]
    for puzzle, hints in ((one, 0), (other, 2)):
        page.goto(f"/puzzles/badia/{puzzle.id}")
        visitor.wait_for_board()
        expect(page.locator(".verdict")).to_have_text("Play your answer on the board.")
        if hints:
            cells = puzzle.loaded.action_cells(puzzle.answer)
            page.get_by_role("button", name="Hint").click()
            expect(page.locator(".verdict")).to_contain_text("Look at")
            page.get_by_role("button", name="Show the action").click()
            expect(page.locator(".verdict")).to_have_text(f"Play {puzzle.answer}.")
            expect(page.locator(".sign.hint")).to_have_count(len(cells))
            expect(page.get_by_role("button", name="Show the action")).to_have_count(0)
        for cell in puzzle.loaded.action_cells(puzzle.answer):
            visitor.click(cell)
        expect(page.locator(".verdict.good")).to_have_text("Solved.")
        gains.append(int(str(page.locator(".rated .change").text_content())))
    assert gains[0] > 2 * gains[1] > 0


def test_a_number_is_chosen_and_each_roll_shown(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    page = visitor.page
    puzzle = next(each for each in shipped_puzzles("omba") if each.theme == "count_rolls")
    page.goto(f"/puzzles/omba/{puzzle.id}")
    visitor.wait_for_board()
    choices = page.get_by_role("group", name="The number").get_by_role("button")
    expect(choices).to_have_text(list(puzzle.choices))
    choices.nth(0).click()
    expect(page.locator(".verdict.bad")).to_contain_text("there are more")
    page.get_by_role("button", name="Try again").click()
    choices.nth(int(puzzle.answer)).click()
    expect(page.locator(".verdict.good")).to_have_text("Solved.")
    rolls = page.locator(".tries li")
    expect(rolls).to_have_count(puzzle.actions)
    expect(rolls.filter(has_text="no action")).to_have_count(puzzle.actions - int(puzzle.answer))
    rolls.get_by_role("button").nth(5).click()
    expect(page.locator(".status .soft")).not_to_contain_text("to roll the die")
    page.goto(f"/embed/puzzle/omba/{puzzle.id}")
    visitor.wait_for_board()
    page.locator(".numbers").get_by_role("button", name=puzzle.answer).click()
    expect(page.locator(".said-here")).to_have_text("Solved.")


def test_a_newcomer_begins_with_the_first_difficulty(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.page.goto("/puzzles/sensei")
    visitor.wait_for_board()
    expect(visitor.page.get_by_role("img", name="1 of 5")).to_be_visible()
    expect(visitor.page.locator(".status .now")).to_have_text("Win this turn.")


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
    puzzle = next(each for each in shipped_puzzles("sensei") if len(each.line) == 3 and each.distance == 1)
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
