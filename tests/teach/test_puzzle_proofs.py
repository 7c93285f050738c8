"""What puzzles claim, proved again by code that did not make them."""

import importlib
import os
from collections.abc import Iterator
from types import ModuleType

import pytest

import damier
from damier.core.kernel.contract import REPETITION_FORBIDDEN
from damier.core.position import Position
from damier.solve.tables import Tables
from damier.teach.puzzles.puzzle import COUNTED, Puzzle, shipped_puzzles
from tests.search import naive_minimax as minimax
from tests.shared import built_table
from tests.teach.puzzle_force import DEEPEST, Force
from tests.teach.puzzle_samples import EVERY, IN_PLIES, IN_TURNS, claimed, named, right_actions, sampled

pytestmark = pytest.mark.untraced  # several times as slow while coverage is measured

HELD = 5  # plies in which a defence is shown not to lose
SHORT = 3  # plies, for plain Python

# Brute force, as it wrote tests/tactics


FORCES: dict[damier.Game, Force] = {}


def force_of(puzzle: Puzzle) -> Force:
    game = puzzle.loaded
    if game not in FORCES:
        FORCES[game] = Force(game)
    return FORCES[game]


WINS = [each for each in IN_PLIES if each.value.startswith("+") and (each.distance or 0) <= DEEPEST]
SHORT_WINS = [each for each in WINS if (each.distance or 0) <= SHORT]


@pytest.mark.parametrize("puzzle", sampled(WINS, 4))
def test_brute_force_finds_that_the_answer_wins_in_time_and_nothing_else_does(puzzle: Puzzle) -> None:
    force, position, plies = force_of(puzzle), puzzle.start, puzzle.distance or 0
    winning = {text for text in position.actions() if force.wins(position, text, plies)}
    assert winning == right_actions(puzzle)
    assert len({position.play(text) for text in winning}) == 1
    assert not any(force.wins(position, code, plies - 1) for code in position.judged()[1])


LOSING = [each for each in IN_PLIES if each.theme in ("only_win", "only_draw")]


@pytest.mark.parametrize("puzzle", sampled(LOSING, 4))
def test_brute_force_finds_that_all_others_lose(puzzle: Puzzle) -> None:
    force, position = force_of(puzzle), puzzle.start
    wrong = claimed(puzzle)
    assert wrong
    for text, (value, reply) in wrong.items():
        assert value.startswith("-")
        plies, after = -int(value) - 1, position.play(text)
        if after.result is not None:
            assert (plies, after.result.winner) == (0, position.game.opponent(position.mover))
        elif plies <= DEEPEST and after.mover != position.mover:
            assert force.wins(after, reply[0], plies), text
            if position.game.traits.repetition != REPETITION_FORBIDDEN:  # which may make a loss shorter
                assert not force.is_won(after, plies - 1), text


@pytest.mark.parametrize("puzzle", sampled([p for p in IN_PLIES if p.theme == "only_draw"], 4))
def test_brute_force_finds_no_quick_loss_after_a_defence(puzzle: Puzzle) -> None:
    after = puzzle.start.play(puzzle.answer)
    assert after.result is None
    if after.mover != puzzle.start.mover:
        assert not force_of(puzzle).is_won(after, HELD)


# The naive twins, written from the rules alone


def twin_of(puzzle: Puzzle) -> ModuleType:
    return importlib.import_module(f"tests.games.{puzzle.game}.naive")


@pytest.mark.parametrize("puzzle", sampled(SHORT_WINS, 2))
def test_the_naive_rules_agree_on_short_wins(puzzle: Puzzle) -> None:
    twin, history = twin_of(puzzle), [puzzle.position]
    winning = {
        action
        for action in twin.legal(puzzle.options, history)
        if minimax.wins(
            twin,
            puzzle.options,
            minimax.after(twin, puzzle.options, history, action),
            (puzzle.distance or 0) - 1,
            puzzle.start.mover,
            root=0,
        )
    }
    assert winning == right_actions(puzzle)


@pytest.mark.parametrize("puzzle", sampled(EVERY, 8))
def test_the_naive_rules_play_the_line_to_the_result_that_is_stated(puzzle: Puzzle) -> None:
    twin, history = twin_of(puzzle), [puzzle.position]
    assert len(twin.legal(puzzle.options, history)) == puzzle.actions
    for action in puzzle.line:
        assert action in twin.legal(puzzle.options, history)
        history = minimax.after(twin, puzzle.options, history, action)
    result = twin.result(puzzle.options, history)
    assert result == (puzzle.start.mover if puzzle.value.startswith("+") else None)
    if puzzle.unit == "plies" and puzzle.value.startswith("+"):
        assert len(puzzle.line) == puzzle.distance


# Turns of several actions


def turn_ends(position: Position) -> Iterator[Position]:
    """Yields the positions in which the present turn can end, each once."""
    seen: set[Position] = set()
    waiting = [position]
    while waiting:
        here = waiting.pop()
        for code in here.judged()[1]:
            after = here.after(code)
            if after not in seen:
                seen.add(after)
                if after.is_settled or after.result is not None:
                    yield after
                else:
                    waiting.append(after)


def wins_turn(force: Force, position: Position) -> bool:
    """Tells whether the player on move can win within a turn, of three actions at most."""
    return force.is_won(position, 3)


def is_won_next_turn(force: Force, position: Position, player: str) -> bool:
    """Tells whether a player wins in the next turn, whatever the opponent, who is on move, does in this one."""
    for after in turn_ends(position):
        won = after.result.winner == player if after.result else wins_turn(force, after)
        if not won:
            return False
    return True


@pytest.mark.parametrize("puzzle", sampled([p for p in IN_TURNS if p.goal is None and p.theme == "turn_win"], 8))
def test_a_turn_that_wins_at_once_is_the_only_one(puzzle: Puzzle) -> None:
    mover = puzzle.start.mover
    wins = [end for end in turn_ends(puzzle.start) if end.result and end.result.winner == mover]
    assert len(wins) == 1
    assert len(puzzle.line) == 3


@pytest.mark.parametrize("puzzle", sampled([p for p in IN_TURNS if p.theme == "turn_easy"], 6))
def test_an_easy_win_takes_one_action_or_two_and_few_turns_win(puzzle: Puzzle) -> None:
    force, mover = force_of(puzzle), puzzle.start.mover
    assert force.is_won(puzzle.start, len(puzzle.line))
    assert len(puzzle.line) == 1 or not force.is_won(puzzle.start, 1)
    assert len(puzzle.line) <= 2
    ends = list(turn_ends(puzzle.start))
    wins = [end for end in ends if end.result and end.result.winner == mover]
    assert 0 < len(wins) <= 0.1 * len(ends)


@pytest.mark.parametrize("puzzle", sampled([p for p in IN_TURNS if p.theme == "turn_defence"], 2))
def test_only_one_turn_keeps_the_opponent_from_winning_at_once(puzzle: Puzzle) -> None:
    force = force_of(puzzle)
    assert not wins_turn(force, puzzle.start)
    ends = [end for end in turn_ends(puzzle.start) if end.result is None]
    assert [str(end) for end in ends if not wins_turn(force, end)] == [puzzle.goal]


@pytest.mark.parametrize("puzzle", sampled([p for p in IN_TURNS if p.distance == 2], 6))
def test_only_one_turn_wins_within_two(puzzle: Puzzle) -> None:
    force, mover = force_of(puzzle), puzzle.start.mover
    assert not wins_turn(force, puzzle.start)
    ends = [end for end in turn_ends(puzzle.start) if end.result is None]
    assert [str(end) for end in ends if is_won_next_turn(force, end, mover)] == [puzzle.goal]


WINS_IN_THREE = [puzzle for puzzle in IN_TURNS if puzzle.distance == 3]


def wins_within_two(force: Force, position: Position, player: str) -> bool:
    """Tells whether a player, who is on move, wins in this turn or the next, whatever the opponent does."""
    if wins_turn(force, position):
        return True
    ends = [end for end in turn_ends(position) if end.result is None]
    return any(is_won_next_turn(force, end, player) for end in ends)


@pytest.mark.parametrize("puzzle", sampled(WINS_IN_THREE, 1))
def test_a_win_in_three_turns_goes_on_with_only_one_turn(puzzle: Puzzle) -> None:
    """After the reply of the line only one turn wins within two, and nothing wins at once."""
    force, mover = force_of(puzzle), puzzle.start.mover
    assert not wins_turn(force, puzzle.start)
    record, line = puzzle.loaded.record(puzzle.position), iter(puzzle.line)
    while record.turn < 2:
        record.play(next(line))
    position = record.position
    assert not wins_turn(force, position)
    ends = [end for end in turn_ends(position) if end.result is None]
    assert [str(end) for end in ends if is_won_next_turn(force, end, mover)] == list(puzzle.later)


@pytest.mark.slow  # minutes for each puzzle
@pytest.mark.parametrize("puzzle", WINS_IN_THREE[::3], ids=lambda puzzle: puzzle.id)
def test_the_first_turn_of_a_win_in_three_is_right_and_others_are_not(puzzle: Puzzle) -> None:
    force, mover = force_of(puzzle), puzzle.start.mover
    assert puzzle.goal
    goal = puzzle.loaded.parse(puzzle.goal)
    replies = list(turn_ends(goal))
    for end in replies[:: max(1, len(replies) // 30)]:  # samples: all of them take an hour
        assert wins_within_two(force, end, mover) if end.result is None else end.result.winner == mover
    others = [end for end in turn_ends(puzzle.start) if end.result is None and end != goal]
    for other in others[:: max(1, len(others) // 10)]:
        assert not all(
            wins_within_two(force, end, mover) if end.result is None else end.result.winner == mover
            for end in turn_ends(other)
        )


# Numbers


@pytest.mark.parametrize("puzzle", [p for p in EVERY if p.theme in COUNTED], ids=named)
def test_the_naive_rules_count_the_same_rolls(puzzle: Puzzle) -> None:
    twin, history = twin_of(puzzle), [puzzle.position]
    rolls = twin.legal(puzzle.options, history)
    assert len(rolls) == puzzle.actions
    playable = 0
    for roll in rolls:
        after = minimax.after(twin, puzzle.options, history, roll)
        is_over = twin.result(puzzle.options, after) is not None
        playable += not is_over and not any("roll" in text for text in twin.legal(puzzle.options, after))
    assert playable == int(puzzle.answer)


# Tables: one that other tests use as well, and a slow one; the others take minutes to build and must be there

BUILT = ("renfa", "omba") if os.environ.get("DAMIER_BUILT_TABLES") else ()


@pytest.mark.parametrize("name", ["badia", *(pytest.param(each, marks=pytest.mark.slow) for each in ("chefa", *BUILT))])
def test_a_table_says_the_same(name: str) -> None:
    game = shipped_puzzles(name)[0].loaded
    compare(name, game.tables if name in BUILT else built_table(game))


def compare(name: str, tables: Tables) -> None:
    for puzzle in shipped_puzzles(name):
        assert puzzle.loaded == tables.game
        if puzzle.theme in COUNTED:
            continue
        values = tables.action_values(puzzle.position)
        right = right_actions(puzzle)
        best, others = values[puzzle.answer], [value for text, value in values.items() if text not in right]
        if puzzle.theme in ("best", "avoid_loss"):
            second = max(value.chance for value in others)
            assert best.chance - second >= 0.03
            assert (best.chance >= 0.25 and second <= 0.15) == (puzzle.theme == "avoid_loss")
            assert {text: f"{100 * values[text].chance:.2f}%" for text in claimed(puzzle)} == {
                text: value for text, (value, _) in claimed(puzzle).items()
            }
            continue
        assert best.outcome == ("draw" if puzzle.theme == "only_draw" else "win")
        assert all(value.outcome != "win" for value in others)
        if puzzle.theme != "win":
            assert {value.outcome for value in others} == {"loss"}
