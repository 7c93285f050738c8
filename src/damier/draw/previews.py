"""What a board shows of an action before it is played: which pieces vanish, move and come in.

The action is played and the boards before and after are compared, so that a preview is right for every game. Ways come
from ``marks.py``; the order of a chain reaction and the sentence come from the game's guidance.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from damier.core.guidance import action_effect, is_irreversible, sentences, vanishing_steps, waiting_pieces
from damier.draw.marks import PieceRoute, action_marks, cells_between

if TYPE_CHECKING:
    from damier.core.messages import Message
    from damier.core.position import Position

_Place = tuple[str, str]  # a player and a cell


@dataclass(frozen=True)
class Preview:
    """What one action does."""

    sentence: Message | None
    gone: list[list[str]]
    """The cells whose pieces vanish, step by step."""

    moved: list[PieceRoute]
    """The ways of pieces on the board, and of a piece from the hand that passes cells."""

    placed: list[str]
    """The cells that get a piece which was not on the board."""

    is_irreversible: bool
    ends_turn: bool


def action_preview(position: Position, text: str) -> Preview:
    """Returns what an action does that is legal in a position."""
    action = position.game.parse_action(text)
    after = position.after(action)
    lost, gained = _changes(position, after)
    moved = []
    for route in action_marks(position, text).routes:
        if route.origin is None:
            moved += [route] if route.path else []
            continue
        moved.append(route)
        _match(lost, gained, route)
    moved += _unnamed_routes(position, lost, gained)
    _leave_out_waiting(position, after, lost)
    gone = vanishing_steps(position, action, [cell for _, cell in lost.elements()])
    placed = [cell for _, cell in gained.elements()]
    return Preview(
        _sentence(position, action, after),
        gone,
        moved,
        placed,
        is_irreversible(position, action),
        after.is_settled or after.result is not None,
    )


def _sentence(position: Position, action: int, after: Position) -> Message | None:
    """Returns what an action gives and costs and, if it ends the game, how."""
    effect, result = action_effect(position, action), after.result
    return sentences(effect, result.message) if result else effect


def _changes(before: Position, after: Position) -> tuple[Counter[_Place], Counter[_Place]]:
    """Returns the pieces that a board has lost and gained, with their cells."""
    old, new = (Counter((piece.player, piece.cell) for piece in each.pieces()) for each in (before, after))
    return old - new, new - old


def _match(lost: Counter[_Place], gained: Counter[_Place], route: PieceRoute) -> None:
    """Takes away the piece that went the way of a route."""
    for player, cell in lost:
        if cell == route.origin and lost[player, cell] and gained[player, route.target]:
            lost[player, cell] -= 1
            gained[player, route.target] -= 1
            return


def _unnamed_routes(position: Position, lost: Counter[_Place], gained: Counter[_Place]) -> list[PieceRoute]:
    """Returns the ways of pieces that an action moves without naming them, such as the other one of a swap."""
    found = []
    for player in position.game.players:
        origins = [cell for owner, cell in lost.elements() if owner == player]
        targets = [cell for owner, cell in gained.elements() if owner == player]
        if len(origins) == len(targets) == 1:
            origin, target = origins[0], targets[0]
            path = cells_between(position.game.drawing, origin, target)
            found.append(PieceRoute(origin, tuple(path), target))
            _match(lost, gained, found[-1])
    return found


def _leave_out_waiting(before: Position, after: Position, lost: Counter[_Place]) -> None:
    """Takes away the pieces that have left the board only to wait beside it."""
    newly = Counter(piece.player for piece in waiting_pieces(after))
    newly -= Counter(piece.player for piece in waiting_pieces(before))
    for player in newly.elements():
        place = next((place for place in lost.elements() if place[0] == player), None)
        if place:
            lost[place] -= 1
