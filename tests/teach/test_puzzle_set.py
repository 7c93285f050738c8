"""The puzzles that come with the program, as a set: enough, varied, no two alike."""

from collections import Counter

import pytest

import damier
from damier.core.messages import LANGUAGES
from damier.teach.puzzles.puzzle import (
    DIFFICULTIES,
    THEMES,
    Puzzle,
    puzzle_id,
    shipped_puzzles,
)

FEWEST = 100

# The set as a whole


def spread(board: str) -> list[list[str]]:
    """Returns the cells of a board by rows, empty ones and those that do not exist written out."""
    if "," in board:
        return [row.split(",") for row in board.split("/")]
    return [
        [sign for letter in row for sign in ("_" * int(letter) if letter.isdigit() else letter)]
        for row in board.split("/")
    ]


def images(puzzle: Puzzle) -> set[str]:
    """Returns a position turned and mirrored in all ways, and with the players exchanged, in a plain spelling."""
    board, side, *rest = puzzle.position.split(" ")
    grid = spread(board)
    size = len(grid)
    first, second = puzzle.loaded.players
    exchange = str.maketrans(
        f"{first}{second}{first.upper()}{second.upper()}", f"{second}{first}{second.upper()}{first.upper()}"
    )
    has_ends = any(symmetry.swaps_players for symmetry in puzzle.loaded.traits.symmetries)
    found = set()
    for flips in range(8):
        for swaps in (False, True):
            if has_ends and (flips & 4 or bool(flips & 1) != swaps):
                continue  # a board with two ends is turned with its players
            rows: dict[tuple[int, int], str] = {}

            def moved(column: int, row: int, flips: int = flips) -> tuple[int, int]:
                row = size - 1 - row if flips & 1 else row
                column = size - 1 - column if flips & 2 else column
                return (row, column) if flips & 4 else (column, row)

            def cells(text: str) -> str:
                column, row = moved(ord(text[0]) - ord("a"), int(text[1]) - 1)
                return "abcdefg"[column] + str(row + 1)

            for top, line in enumerate(grid):
                for column, sign in enumerate(line):
                    rows[moved(column, size - 1 - top)] = sign.translate(exchange) if swaps else sign
            fields = []
            for field in rest:
                parts = [cells(part) if part[0].isalpha() and part[1:].isdigit() else part for part in field.split(",")]
                if swaps and len(parts) == 2 and field != rest[-1]:
                    parts.reverse()
                fields.append(",".join(parts))
            if puzzle.game == "chefa":  # a pair of cells without an order
                fields[-1] = ",".join(sorted(fields[-1].split(",")))
            text = "/".join(" ".join(rows[column, row] for column in range(size)) for row in range(size))
            found.add(f"{text} {side.translate(exchange) if swaps else side} {' '.join(fields)}")
    return found


@pytest.mark.parametrize("name", damier.games())
def test_no_two_puzzles_are_alike(name: str) -> None:
    seen: dict[str, str] = {}
    for puzzle in shipped_puzzles(name):
        for image in images(puzzle):
            assert seen.setdefault(f"{puzzle.options} {image}", puzzle.id) == puzzle.id


@pytest.mark.parametrize("name", damier.games())
def test_there_are_enough_puzzles_and_they_are_varied(name: str) -> None:
    puzzles = shipped_puzzles(name)
    assert len(puzzles) >= FEWEST
    assert {puzzle.game for puzzle in puzzles} == {name}
    assert len({puzzle.difficulty for puzzle in puzzles}) >= 4
    assert max(Counter(puzzle.difficulty for puzzle in puzzles).values()) <= 0.6 * len(puzzles)
    at_once = sum(each.distance == 1 and each.value.startswith("+") and each.theme != "turn_easy" for each in puzzles)
    assert at_once <= 0.3 * len(puzzles)
    if not puzzles[0].loaded.traits.has_chance:
        assert len({(puzzle.theme, puzzle.distance) for puzzle in puzzles}) >= 3
    for puzzle in puzzles:
        assert puzzle.theme in THEMES
        assert puzzle.difficulty in DIFFICULTIES
        assert puzzle.actions >= (4 if puzzle.theme == "avoid_loss" else 6)
        assert puzzle.start.result is None
        for lang in LANGUAGES:
            assert puzzle.task().render(lang)


def test_symmetric_positions_have_one_id() -> None:
    game = damier.load("chefa")
    assert puzzle_id(game.parse("5/5/5/5/B4 w 3,4 -")) == puzzle_id(game.parse("4B/5/5/5/5 w 3,4 -"))
    assert puzzle_id(game.parse("5/5/5/5/B4 w 3,4 -")) != puzzle_id(game.parse("5/5/5/5/1B3 w 3,4 -"))
