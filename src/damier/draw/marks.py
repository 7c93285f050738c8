"""What a board marks of the last turns: who acted, where pieces came from, where they went, and the way between.

A turn is marked whole: all actions of a long turn, an answer that the other player gave within it, and through the
rolls of a die, which mark nothing themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import hypot
from typing import TYPE_CHECKING

from damier.core.drawing import HAND, Drawing
from damier.core.record import eliminated

if TYPE_CHECKING:
    from damier.core.position import Position
    from damier.core.record import Record

_ON_LINE = 0.01  # cells: how far the middle of a cell may be from a straight line that passes it


@dataclass(frozen=True)
class PieceRoute:
    """The way of one piece, or the one cell of an action that moves none."""

    origin: str | None
    """None for a piece from the hand, and for an action that has one cell."""

    path: tuple[str, ...]
    """The cells between, in order."""

    target: str


@dataclass(frozen=True)
class ActionMarks:
    """The cells of one action."""

    player: str
    action: str
    routes: tuple[PieceRoute, ...]
    changed: tuple[str, ...]
    """Further cells on which pieces came, went or changed hands, such as those of a chain reaction."""

    @property
    def cells(self) -> tuple[str, ...]:
        """All cells, each once."""
        found: dict[str, None] = {}
        for route in self.routes:
            found |= dict.fromkeys([*([route.origin] if route.origin else []), *route.path, route.target])
        return (*found, *(cell for cell in self.changed if cell not in found))


@dataclass(frozen=True)
class TurnMarks:
    """The actions of one turn."""

    player: str
    """Whose turn it was."""

    actions: tuple[ActionMarks, ...]

    @property
    def cells(self) -> tuple[str, ...]:
        """All cells, each once."""
        return tuple(dict.fromkeys(cell for action in self.actions for cell in action.cells))


def last_turns(record: Record, viewers: Collection[str] = (), count: int | None = None) -> list[TurnMarks]:
    """Returns the turns that a board marks after `count` actions, by default all, the oldest first.

    For somebody who plays for `viewers`: the last turn of every other player since their own last turn, or their own as
    long as nobody has acted after it. Without viewers: the last turn.
    """
    found: dict[str, TurnMarks] = {}
    for turn in _turns_backwards(record, record.count if count is None else count):
        if turn.player in viewers:
            return [turn] if not found else [*found.values()][::-1]
        found.setdefault(turn.player, turn)
        if not viewers or len(found) == len(record.game.players) - len(viewers):
            break
    return [*found.values()][::-1]


def _turns_backwards(record: Record, count: int) -> Iterator[TurnMarks]:
    """Yields the turns among the first `count` actions in which a player has acted, the last one first."""
    while count:
        first = count - 1
        while first and record.turn_at(first - 1) == record.turn_at(count - 1):
            first -= 1
        acted = [i for i in range(first, count) if _is_players(record, i)]
        if acted:
            marks = tuple(action_marks(record.position_before(i), record.action_at(i)) for i in acted)
            yield TurnMarks(marks[0].player, marks)
        count = first


def _is_players(record: Record, place: int) -> bool:
    """Tells whether an action was a player's: no roll, and nobody going out, which marks nothing."""
    is_out = eliminated(record.game, record.action_at(place)) is not None
    return record.position_before(place).mover != "chance" and not is_out


@lru_cache(2_000)  # a state marks most of what the state before it did
def action_marks(position: Position, text: str) -> ActionMarks:
    """Returns the cells of an action that is legal in a position."""
    game = position.game
    action = game.parse_action(text)
    routes = tuple(_route(way) for way in _ways(position, action))
    before, after = _owners(position), _owners(position.after(action))
    named = {cell for route in routes for cell in (route.origin, *route.path, route.target)}
    changed = (cell.name for cell in game.drawing.cells if before.get(cell.name) != after.get(cell.name))
    return ActionMarks(position.mover, text, routes, tuple(cell for cell in changed if cell not in named))


def _ways(position: Position, action: int) -> Sequence[tuple[str, ...]]:
    """Returns the ways of pieces, as the game gives them or straight from each cell that is clicked to the next."""
    game = position.game
    appearance = game.definition.appearance
    routes = getattr(appearance, "action_routes", None)
    if routes:
        found: Sequence[tuple[str, ...]] = routes(game.rules, position.state, action)
        return found
    known = {HAND, *(cell.name for cell in game.drawing.cells)}
    clicked = [cell for cell in appearance.action_cells(game.rules, action) if cell in known]
    if len(clicked) == 1:
        return [(clicked[0],)]
    return [(origin, *cells_between(game.drawing, origin, target), target) for origin, target in pairwise(clicked)]


def cells_between(drawing: Drawing, origin: str, target: str) -> list[str]:
    """Returns the cells that a straight line from one cell to another passes in the middle, in order.

    Cells that no piece can stand on are left out, and there are none after the hand.
    """
    if origin in (HAND, target):
        return []
    start, end = drawing.cell(origin), drawing.cell(target)
    length = hypot(end.x - start.x, end.y - start.y)
    found = []
    for cell in drawing.cells:
        x, y = cell.x - start.x, cell.y - start.y
        along = (x * (end.x - start.x) + y * (end.y - start.y)) / length
        aside = (x * (end.y - start.y) - y * (end.x - start.x)) / length
        if cell.can_hold and abs(aside) < _ON_LINE and _ON_LINE < along < length - _ON_LINE:
            found.append((along, cell.name))
    return [name for _, name in sorted(found)]


def _route(way: tuple[str, ...]) -> PieceRoute:
    origin = way[0] if len(way) > 1 and way[0] != HAND else None
    return PieceRoute(origin, way[1:-1], way[-1])


def _owners(position: Position) -> dict[str, list[str]]:
    """Returns the owners of the pieces on each cell that has any, the lowest first."""
    found: dict[str, list[str]] = {}
    for piece in position.pieces():
        found.setdefault(piece.cell, []).append(piece.player)
    return found
