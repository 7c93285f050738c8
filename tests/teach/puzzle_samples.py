"""Shared by the tests of puzzles: the puzzles, samples of them, and what they claim."""

import pytest
from _pytest.mark.structures import ParameterSet  # the type of pytest.param, which has no public name

import damier
from damier.teach.puzzles.puzzle import Puzzle, shipped_puzzles

EVERY = [puzzle for name in damier.games() for puzzle in shipped_puzzles(name)]
IN_PLIES = [puzzle for puzzle in EVERY if puzzle.unit == "plies" and puzzle.distance is not None]
IN_TURNS = [puzzle for puzzle in EVERY if puzzle.unit == "turns"]


def sampled(puzzles: list[Puzzle], most: int) -> list[ParameterSet]:
    """Returns all puzzles as parameters of a test; all but `most` of each game, theme and distance are slow."""
    kinds: dict[object, list[Puzzle]] = {}
    for puzzle in puzzles:
        kinds.setdefault((puzzle.game, puzzle.theme, puzzle.distance), []).append(puzzle)
    quick = {puzzle.id for kind in kinds.values() for puzzle in kind[:: max(1, -(-len(kind) // most))]}
    slow = pytest.mark.slow
    return [pytest.param(each, id=named(each), marks=() if each.id in quick else slow) for each in puzzles]


def named(puzzle: Puzzle) -> str:
    """Returns the id of a test with a puzzle."""
    return f"{puzzle.game}-{puzzle.theme}-{puzzle.distance}-{puzzle.id}"


def right_actions(puzzle: Puzzle) -> set[str]:
    """Returns the right first actions of a puzzle."""
    assert puzzle.tree is not None
    return set(puzzle.tree.right_actions)


def claimed(puzzle: Puzzle) -> dict[str, tuple[str, list[str]]]:
    """Returns the claimed value of each wrong first action, and the reply to it."""
    assert puzzle.tree is not None
    named_ones = {text: what for what, texts in puzzle.tree.wrong.items() for text in texts.split()}
    wrong = [text for text in puzzle.start.actions() if text not in right_actions(puzzle)]
    parts = {text: str(named_ones.get(text, puzzle.tree.rest)).split() for text in wrong}
    return {text: (value, reply) for text, (value, *reply) in parts.items()}
