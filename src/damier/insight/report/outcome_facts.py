"""What a table tells of its game beyond single values: lines of best play, distances, the longest wins.

One pass over all entries finds the longest wins and a random sample, the same in every run. Measured on one busy core:
2 s for 39 million entries.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from damier.core.drawing import HAND
from damier.core.errors import BadPosition
from damier.core.outcome import Result
from damier.core.position import Position
from damier.solve.codes import FREE, LOST, MARKED, WON
from damier.solve.tables import Tables
from damier.solve.value import TableValue

if TYPE_CHECKING:
    from damier.core.game import Game

    Show = Callable[[float, str], None]

EXAMPLES = 3
SAMPLE = 10_000
SEED = 1

_SOON = 50  # actions; more do not make a beginning

_IS_UNDECIDED = np.ones(256, bool)
_IS_UNDECIDED[[FREE, WON, LOST, MARKED]] = False


# Lines ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One action of a line."""

    player: str
    action: str
    left: int
    """How many plies are left after it."""


@dataclass(frozen=True)
class Line:
    """A won or lost game played out with best play of both."""

    start: Position
    steps: tuple[Step, ...]
    end: Position
    result: Result
    forbidden: int | None
    """Which action, counted from 1, the history of the line forbids, if any does: the table knows no history."""


def ordered_values(tables: Tables, position: Position) -> dict[str, TableValue]:
    """Returns the value of every action, the best first, equally good ones in the order of their texts."""
    values = tables.action_values(position)
    return dict(sorted(values.items(), key=lambda item: (-item[1].merit, item[0])))


def best_actions(values: dict[str, TableValue]) -> list[str]:
    """Returns the best of some actions, in the order of their texts."""
    most = max(value.merit for value in values.values())
    return sorted(text for text, value in values.items() if value.merit == most)


def best_line(tables: Tables, start: Position) -> Line:
    """Returns how a won or lost position is played out: the winner goes the shortest way, the loser the longest.

    Of equally good actions the first is played that the history allows, in the order of their texts.
    """
    record, position, forbidden = start.game.record(start), start, None
    steps: list[Step] = []
    while position.result is None:
        values = tables.action_values(position)
        best = best_actions(values)
        allowed = best if forbidden else [text for text in best if text in record.actions()]
        action = (allowed or best)[0]
        if not allowed:
            forbidden = len(steps) + 1
        elif not forbidden:
            record.play(action)
        steps.append(Step(position.mover, action, (values[action].plies or 1) - 1))
        position = position.play(action)
    return Line(start, tuple(steps), position, position.result, forbidden)


def named_cells(game: Game, texts: Iterable[str]) -> dict[str, str] | None:
    """Returns the cell that each of some actions names, or None unless each names one of its own."""
    named = {text: [cell for cell in game.action_cells(text) if cell != HAND] for text in texts}
    cells = {text: cells[0] for text, cells in named.items() if len(cells) == 1}
    return cells if len(set(cells.values())) == len(named) else None


def first_choice(tables: Tables) -> tuple[list[str], Position] | None:
    """Returns where actions that name cells first differ in how the game ends, and how best play leads there."""
    position, played = tables.game.start, list[str]()
    while position.result is None and len(played) < _SOON:
        values = tables.action_values(position)
        if not named_cells(tables.game, values):
            return None
        if len({value.outcome for value in values.values()}) > 1:
            return played, position
        played.append(best_actions(values)[0])
        position = position.play(played[-1])
    return None


# The pass over all entries -------------------------------------------------------------------------------------------


def is_possible(position: Position) -> bool:
    """Tells whether the notation takes a position for one that a game can come to; not every entry is."""
    try:
        return position.game.parse(str(position)) == position
    except BadPosition:
        return False


def distances(tables: Tables, name: str) -> dict[int, int]:
    """Returns how many positions are undecided and end in so many plies; `name` is ``wins`` or ``losses``."""
    found: dict[int, int] = {}
    for tier in tables.file.header.extra["tiers"]:
        for plies, count in tier[name].items():
            if int(plies):
                found[int(plies)] = found.get(int(plies), 0) + count
    return dict(sorted(found.items()))


def over_already(tier: dict[str, int | dict[str, int]]) -> int:
    """Returns in how many positions of a part of the table the game is over, by what the header says of it."""
    won, losses = tier["already won"], tier["losses"]
    assert isinstance(won, int)
    assert isinstance(losses, dict)
    return won + losses.get("0", 0)


@dataclass(frozen=True)
class Entries:
    """What a pass over a table has picked."""

    longest: tuple[Position, ...]
    """The first positions of the longest distance, no two of them in the same situation."""

    undecided: int
    sample: tuple[int, ...]
    """Numbers of undecided entries, in order."""


def pick_entries(tables: Tables, show: Show) -> Entries:
    """Goes through the table once."""
    header = tables.file.header
    over = sum(over_already(tier) for tier in header.extra["tiers"])
    undecided = header.entries - header.counts["free"] - over
    wanted = np.array(sorted(random.Random(SEED).sample(range(undecided), min(SAMPLE, undecided))), np.int64)
    longest: list[Position] = []
    sample: list[int] = []
    first = passed = 0
    for block in tables.file.blocks():
        if header.longest and len(longest) < EXAMPLES:
            places = np.flatnonzero((block == header.longest) | (block == LOST + header.longest))
            _add_possible(tables, (first + places).tolist(), longest)
        places = np.flatnonzero(_IS_UNDECIDED[block])
        low, high = np.searchsorted(wanted, (passed, passed + len(places)))
        sample += (first + places[wanted[low:high] - passed]).tolist()
        passed += len(places)
        first += len(block)
        show(first / header.entries, "")
    return Entries(tuple(longest), undecided, tuple(sample))


def _add_possible(tables: Tables, places: Sequence[int], found: list[Position]) -> None:
    """Adds the first possible positions among some entries whose situations have not been found yet."""
    kernels, rules = tables.game.kernels, tables.game.rules
    for place in places:
        if len(found) == EXAMPLES:
            break
        position = Position(tables.game, tables.numbering.state(place))
        seen = [kernels.situation(rules, each.state) for each in found]
        if is_possible(position) and kernels.situation(rules, position.state) not in seen:
            found.append(position)
