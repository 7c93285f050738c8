"""Puzzles: positions in which one action alone is right, as they stand in files.

A file is a JSON object with one puzzle a line, so that it is small and can be compared line by line. Those of the
folder ``puzzles`` beside this module come with the program. What a file says is checked when it is read
(``puzzle_check.py``): nothing in it is played that is not legal.

A *node* holds what has to be known of a position of a puzzle to judge an answer without any table:

    right   by action: the opponent's reply, actions joined by spaces, and the node after it; None at the end
    same    actions that lead to the same position as one of these, with that one
    wrong   what an action is worth and the reply to it, joined by a space, with all such actions
    else    the same for all actions that are not named

What an action is worth is ``+5`` (wins in 5 plies), ``=`` (draws), ``-4`` (loses in 4 plies) or ``61.2%``. A game whose
turns are several actions has the position at the end of the first turn instead of nodes (`goal`): any order will do.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from damier.core.errors import DamierError
from damier.core.messages import Message, message
from damier.games import definition, load

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.position import Position

FORMAT = 1
DIFFICULTIES = range(1, 6)
UNITS = ("plies", "turns")

#: What is asked, by theme.
THEMES = {
    "win": message("Find the only action that wins."),
    "only_win": message("One action wins, all others lose."),
    "only_draw": message("One action holds, all others lose."),
    "best": message("Find the action with the best chance to win."),
    "turn_win": message("Find the only turn that wins."),
    "turn_defence": message("Find the only turn after which the opponent does not win at once."),
}

PuzzleNode = dict[str, Any]


class BadPuzzle(DamierError):
    """A file of puzzles cannot be read."""


@dataclass(frozen=True)
class Puzzle:
    """A position in which one action, or one turn, alone is right."""

    id: str
    """Short, and always the same for the same position up to symmetry."""

    game: str
    options: dict[str, Any]
    position: str
    theme: str
    """One of THEMES."""

    distance: int | None
    """In how much the game is won, or for a defence at most lost by anything else; None where a die decides."""

    unit: str
    """The unit of the distance: ``plies``, or ``turns`` of the player who acts."""

    value: str
    """What the answer is worth, written as in a node."""

    answer: str
    """The first action, or a turn joined by ``+``."""

    line: tuple[str, ...]
    """How the game goes on with best play of both: to its end if it is won."""

    difficulty: int
    """1 to 5."""

    actions: int
    """How many actions are legal."""

    traps: int
    """How many wrong actions seem to be as good as the right one at a glance."""

    is_found: bool
    """Whether a beginner, level 3, usually finds it."""

    tree: PuzzleNode | None = None
    goal: str | None = None
    """The position at the end of the first turn, where a turn is several actions and does not win at once."""

    @functools.cached_property
    def loaded(self) -> Game:
        """The game with its options."""
        return load(self.game, **self.options)

    @property
    def start(self) -> Position:
        """The position as such."""
        return self.loaded.parse(self.position)

    def task(self) -> Message:
        """Returns what is asked, with the distance if the game is to be won."""
        asked = THEMES[self.theme]
        if self.distance is None or not self.value.startswith("+"):
            return asked
        if self.unit == "turns":
            within = (
                message("this turn") if self.distance == 1 else message("within {count} turns", count=self.distance)
            )
        else:
            within = message("in 1 ply") if self.distance == 1 else message("in {plies} plies", plies=self.distance)
        return message("{task} Win {within}.", task=asked, within=within)

    def data(self) -> dict[str, Any]:
        """Returns the puzzle as data for JSON."""
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {name: list(value) if name == "line" else value for name, value in fields.items() if value is not None}

    def text(self) -> str:
        """Returns the puzzle as one line of JSON."""
        return json.dumps(self.data(), ensure_ascii=False, separators=(",", ":"))


def puzzle_id(position: Position) -> str:
    """Returns the id of a position: the same for all that a symmetry of the board makes of it."""
    game = position.game
    return hashlib.sha256(f"{game.name} {game.options_text} {canonical(position)}".encode()).hexdigest()[:8]


def canonical(position: Position) -> str:
    """Returns the first string, in the order of letters, of all that symmetries make of a position."""
    game = position.game
    permute, text = game.kernels.permute, game.definition.notation.position_text
    return min(
        text(game.rules, permute(game.rules, position.state, symmetry.cells, symmetry.swaps_players))
        for symmetry in game.traits.symmetries
    )


# Files


def puzzles_text(puzzles: Iterable[Puzzle]) -> str:
    """Returns the text of a file."""
    lines = ",\n".join(puzzle.text() for puzzle in puzzles)
    return f'{{"format":{FORMAT},"puzzles":[\n{lines}\n]}}\n'


def read_puzzles(text: str) -> tuple[Puzzle, ...]:
    """Returns the puzzles of the text of a file; raises `BadPuzzle` with what is wrong."""
    from damier.teach.puzzles.check import checked

    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise BadPuzzle(message("This is no file of puzzles: it is not JSON.")) from None
    if not isinstance(data, dict) or not isinstance(data.get("puzzles"), list):
        raise BadPuzzle(message("This is no file of puzzles: it has no list of them."))
    if data.get("format") != FORMAT:
        raise BadPuzzle(message("This file of puzzles has another format than {format}.", format=FORMAT))
    puzzles = tuple(checked(number, each) for number, each in enumerate(data["puzzles"], 1))
    if len({puzzle.id for puzzle in puzzles}) < len(puzzles):
        raise BadPuzzle(message("This file of puzzles has a puzzle twice."))
    return puzzles


@functools.cache
def shipped_puzzles(name: str) -> tuple[Puzzle, ...]:
    """Returns the puzzles of a game that come with the program."""
    file = definition(name).folder / "puzzles.json"
    return read_puzzles(file.read_text(encoding="utf-8")) if file.is_file() else ()
