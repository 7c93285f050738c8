"""Puzzles: positions with a question that has a proved answer, and the files that hold them.

A file is a JSON object with one puzzle a line, so that it is small and diffs stay readable. Those that come with the
program are ``games/<name>/puzzles.json``. Reading a file checks its fields here and plays everything in it
(``check.py``), so that nothing illegal reaches a player.

What an action is worth is written ``+5`` (wins in 5 plies), ``=`` (draws), ``-4`` (loses in 4 plies) or ``61.2%``; a
number that is asked for is written ``#4``.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from damier.core.errors import DamierError
from damier.core.messages import Message, counted, message
from damier.games import load
from damier.teach.material import find_material

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.position import Position

FORMAT = 1
DIFFICULTIES = range(1, 6)
_MOST_TRAPS = 4  # that count for the rating

Theme = Literal[
    "win", "only_win", "only_draw", "best", "avoid_loss", "count_rolls", "turn_easy", "turn_win", "turn_defence"
]
DistanceUnit = Literal["plies", "turns"]

#: What is asked, by theme.
THEMES: dict[Theme, Message] = {
    "win": message("Find the only action that wins."),
    "only_win": message("One action wins, all others lose."),
    "only_draw": message("One action holds, all others lose."),
    "best": message("Find the action with the best chance to win."),
    "avoid_loss": message("One action keeps a fair chance, all others almost lose the game."),
    "count_rolls": message("Count the rolls that can be played."),
    "turn_easy": message("Win this turn."),
    "turn_win": message("Find the only turn that wins."),
    "turn_defence": message("Find the only turn after which the opponent does not win at once."),
}

COUNTED: frozenset[Theme] = frozenset({"count_rolls"})
"""Themes that are answered with a number instead of an action."""

_WORTH = r"([+-][0-9]{1,3}|=|#[0-9]{1,2}|[0-9]{1,3}(\.[0-9]{1,2})?%)"

Worth = Annotated[str, Field(pattern=f"^{_WORTH}$")]
"""What an action is worth."""

Refutation = Annotated[str, Field(pattern=f"^{_WORTH}( [^ ]+)*$")]
"""What a wrong action is worth and the opponent's reply to it, joined by spaces."""


class BadPuzzle(DamierError):
    """A file of puzzles cannot be read."""


class PuzzleNode(BaseModel):
    """What a judge has to know of a position in which the solver acts, without any table."""

    model_config = ConfigDict(frozen=True)

    right: dict[str, tuple[str, PuzzleNode | None]]
    """By right action: the opponent's reply, actions joined by spaces, and the node after it; None at the end."""

    same: dict[str, str] = {}
    """Actions that lead to the same position as a right one, with that one."""

    rest: Refutation | None = Field(default=None, alias="else")
    """What refutes all actions that are not named."""

    wrong: dict[Refutation, str] = {}
    """Wrong actions, joined by spaces, by what refutes them."""

    @property
    def right_actions(self) -> frozenset[str]:
        """All right actions."""
        return frozenset([*self.right, *self.same])

    def refutation(self, action: str) -> tuple[str, tuple[str, ...]]:
        """Returns what a wrong action is worth, and the reply to it."""
        named = {text: refutation for refutation, texts in self.wrong.items() for text in texts.split(" ")}
        worth, *reply = (named.get(action) or self.rest or "").split(" ")
        return worth, tuple(reply)


class Puzzle(BaseModel):
    """A position in which one action or turn is right, or with something to count."""

    model_config = ConfigDict(frozen=True)

    id: str
    """Short, and the same for all positions that are equal up to symmetry."""

    game: str
    options: dict[str, Any]
    position: str
    theme: Theme

    distance: int | None = Field(default=None, ge=1, le=1000)
    """How far the win is, or for a defence the longest loss after any other action; None where a die decides."""

    unit: DistanceUnit
    """The unit of the distance; turns are those of the player who acts."""

    value: Worth
    """What the answer is worth."""

    answer: str
    """The first action, a turn joined by ``+``, or a number."""

    line: tuple[str, ...] = ()
    """Best play by both from the answer on: to the end if the game is won. Empty if a number is asked for."""

    difficulty: int = Field(ge=DIFFICULTIES[0], le=DIFFICULTIES[-1])
    actions: int
    """How many actions are legal."""

    traps: int
    """How many wrong actions look as good as the right one at a glance."""

    is_found: bool
    """Whether a beginner, level 3, usually finds it."""

    tree: PuzzleNode | None = None
    """How to judge answers, except where a turn is several actions."""

    goal: str | None = None
    """The position at the end of the first turn, where a turn is several actions and does not win at once."""

    later: tuple[str, ...] = ()
    """The positions at the end of the next turns of the solver but the last, after the replies of the line."""

    @functools.cached_property
    def loaded(self) -> Game:
        """The game with its options."""
        return load(self.game, **self.options)

    @property
    def start(self) -> Position:
        """The position as such."""
        return self.loaded.parse(self.position)

    @functools.cached_property
    def solver(self) -> str:
        """The player who is asked: the one on move, or about to roll."""
        start = self.start
        if start.mover != "chance":
            return start.mover
        after = [start.play(roll) for roll in start.actions()]
        players = [each.mover for each in after if each.result is None and each.mover != "chance"]
        winners = [each.result.winner for each in after if each.result is not None]
        return players[0] if players else self.loaded.opponent(str(winners[0]))

    @property
    def goals(self) -> tuple[str, ...]:
        """The positions at the end of the solver's turns, as far as they do not win at once."""
        return () if self.goal is None else (self.goal, *self.later)

    @property
    def choices(self) -> tuple[str, ...]:
        """The numbers to choose from, if one is asked for."""
        return tuple(map(str, range(self.actions + 1))) if self.theme in COUNTED else ()

    @property
    def rating(self) -> int:
        """How strong a solver is who solves it every other time: a choice made from the difficulty, not measured."""
        return 600 + 200 * self.difficulty + 20 * min(self.traps, _MOST_TRAPS) + (0 if self.is_found else 40)

    def task(self) -> Message:
        """Returns the task in words, with the distance if the game is to be won."""
        asked = THEMES[self.theme]
        if self.theme in COUNTED:
            return message(
                "With how many of the {count} possible rolls can {player} act?",
                count=self.actions,
                player=self.loaded.player_name(self.solver),
            )
        if self.theme == "turn_easy":
            return asked
        if self.distance is None or not self.value.startswith("+"):
            return asked
        if self.unit == "turns":
            within = (
                message("this turn") if self.distance == 1 else message("within {count} turns", count=self.distance)
            )
        else:
            within = counted("in {count} ply", "in {count} plies", count=self.distance)
        return message("{task} Win {within}.", task=asked, within=within)

    def data(self) -> dict[str, Any]:
        """Returns the puzzle as data for JSON."""
        return self.model_dump(mode="json", by_alias=True, exclude_defaults=True)

    def text(self) -> str:
        """Returns the puzzle as one line of JSON."""
        return json.dumps(self.data(), ensure_ascii=False, separators=(",", ":"))


def puzzle_id(position: Position) -> str:
    """Returns the id of a position: the same for all positions that are equal up to symmetry."""
    game = position.game
    return hashlib.sha256(f"{game.name} {game.options_text} {canonical(position)}".encode()).hexdigest()[:8]


def canonical(position: Position) -> str:
    """Returns the least position string among all symmetric positions."""
    game = position.game
    permute, text = game.kernels.permute, game.definition.notation.position_text
    images = (
        text(game.rules, permute(game.rules, position.state, symmetry.cells, symmetry.swaps_players))
        for symmetry in game.traits.symmetries
    )
    return min([str(position), *images])


# Files


def puzzles_text(puzzles: Iterable[Puzzle]) -> str:
    """Returns the text of a file."""
    lines = ",\n".join(puzzle.text() for puzzle in puzzles)
    return f'{{"format":{FORMAT},"puzzles":[\n{lines}\n]}}\n'


class _PuzzleFile(BaseModel):
    """The content of a file."""

    format: Literal[1]
    puzzles: list[Puzzle]


def read_puzzles(text: str) -> tuple[Puzzle, ...]:
    """Returns the puzzles in the text of a file; raises `BadPuzzle` with what is wrong."""
    from damier.teach.puzzles.check import check_puzzle

    try:
        puzzles = _PuzzleFile.model_validate_json(text, strict=True).puzzles
    except ValidationError as error:
        raise BadPuzzle(_problem(error)) from None
    for number, puzzle in enumerate(puzzles, 1):
        check_puzzle(number, puzzle)
    if len({puzzle.id for puzzle in puzzles}) < len(puzzles):
        raise BadPuzzle(message("This file of puzzles has a puzzle twice."))
    return tuple(puzzles)


def _problem(error: ValidationError) -> Message:
    """Returns the first thing that is wrong with a file in one sentence."""
    first = error.errors(include_url=False)[0]
    match first["loc"]:
        case ("format",) if first["type"] != "missing":
            return message("This file of puzzles has another format than {format}.", format=FORMAT)
        case ("puzzles", int(place), str(field), *_):
            why = message("The field {name} is missing or invalid.", name=field)
            return message("Puzzle {number} is damaged: {why}", number=place + 1, why=why)
        case ("puzzles", int(place)):
            return message("Puzzle {number} is damaged: {why}", number=place + 1, why=message("It is not an object."))
    if first["type"] == "json_invalid":
        return message("This is not a file of puzzles: it is not JSON.")
    return message("This is not a file of puzzles: it has no list of puzzles.")


@functools.cache
def shipped_puzzles(name: str) -> tuple[Puzzle, ...]:
    """Returns the puzzles that come with a game; a game may have none."""
    text = find_material(name, "puzzles.json")
    return () if text is None else read_puzzles(text)
