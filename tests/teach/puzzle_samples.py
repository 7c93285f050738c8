"""What the tests of puzzles share: the puzzles, samples of them, and what they claim."""

import os

import damier
from damier.teach.puzzles.puzzle import Puzzle, shipped_puzzles

ALL = bool(os.environ.get("DAMIER_ALL_PUZZLES"))

EVERY = [puzzle for name in damier.games() for puzzle in shipped_puzzles(name)]
IN_PLIES = [puzzle for puzzle in EVERY if puzzle.unit == "plies" and puzzle.distance is not None]
IN_TURNS = [puzzle for puzzle in EVERY if puzzle.unit == "turns"]


def sampled(puzzles: list[Puzzle], most: int) -> list[Puzzle]:
    """Returns all puzzles, or some of each game, theme and distance spread over them."""
    if ALL:
        return puzzles
    kinds: dict[object, list[Puzzle]] = {}
    for puzzle in puzzles:
        kinds.setdefault((puzzle.game, puzzle.theme, puzzle.distance), []).append(puzzle)
    return [puzzle for kind in kinds.values() for puzzle in kind[:: max(1, -(-len(kind) // most))]]


def named(puzzle: Puzzle) -> str:
    """Returns the name of a test with a puzzle."""
    return f"{puzzle.game}-{puzzle.theme}-{puzzle.distance}-{puzzle.id}"


def right_actions(puzzle: Puzzle) -> set[str]:
    """Returns the first actions that a puzzle has for right."""
    assert puzzle.tree is not None
    return set(puzzle.tree.right_actions)


def claimed(puzzle: Puzzle) -> dict[str, tuple[str, list[str]]]:
    """Returns what a puzzle claims of each wrong first action: what it is worth, and the reply."""
    assert puzzle.tree is not None
    named_ones = {text: what for what, texts in puzzle.tree.wrong.items() for text in texts.split()}
    wrong = [text for text in puzzle.start.actions() if text not in right_actions(puzzle)]
    parts = {text: str(named_ones.get(text, puzzle.tree.rest)).split() for text in wrong}
    return {text: (value, reply) for text, (value, *reply) in parts.items()}
