"""Best play by a table: the order of actions, lines played out to the end, and the first choice that matters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from damier.core.drawing import HAND
from damier.insight.report.facts import BestPlay

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.position import Position
    from damier.solve.tables import Tables
    from damier.solve.value import TableValue

_OPENING_ACTIONS = 50  # a choice that comes later is not part of the opening


def ordered_values(tables: Tables, position: Position) -> dict[str, TableValue]:
    """Returns the value of every action, the best first, equally good ones in the order of their texts."""
    values = tables.action_values(position)
    return dict(sorted(values.items(), key=lambda item: (-item[1].merit, item[0])))


def best_actions(values: dict[str, TableValue]) -> list[str]:
    """Returns the best actions, sorted."""
    most = max(value.merit for value in values.values())
    return sorted(action for action, value in values.items() if value.merit == most)


def best_line(tables: Tables, start: Position) -> BestPlay:
    """Plays out a won or lost position: the winner plays the shortest win, the loser the longest defence.

    Of equally good actions, plays the first one that the history allows, in the order of their texts. If the history
    forbids all of them, the line goes on without it.
    """
    record, position, forbidden = start.game.record(start), start, None
    played: list[str] = []
    while position.result is None:
        best = best_actions(tables.action_values(position))
        allowed = best if forbidden else [action for action in best if action in record.actions()]
        action = (allowed or best)[0]
        if not allowed:
            forbidden = len(played) + 1
        elif not forbidden:
            record.play(action)
        played.append(action)
        position = position.play(action)
    assert position.result.winner, "only won and lost positions are played out"
    return BestPlay(start=str(start), actions=played, winner=position.result.winner, forbidden=forbidden)


@dataclass(frozen=True)
class ReplayedAction:
    """One action of a line of best play."""

    player: str
    action: str
    left: int
    """How many plies remain after it."""


def replay(game: Game, line: BestPlay) -> tuple[list[ReplayedAction], Position]:
    """Returns the actions of a line with their players, and the final position."""
    position, steps = game.parse(line.start), list[ReplayedAction]()
    for left, action in zip(reversed(range(len(line.actions))), line.actions, strict=True):
        steps.append(ReplayedAction(position.mover, action, left))
        position = position.play(action)
    return steps, position


def action_targets(game: Game, actions: Iterable[str]) -> dict[str, str] | None:
    """Returns the one cell that each action names, or None unless every action names a different one."""
    named = {action: [cell for cell in game.action_cells(action) if cell != HAND] for action in actions}
    cells = {action: cells[0] for action, cells in named.items() if len(cells) == 1}
    return cells if len(set(cells.values())) == len(named) else None


def first_choice(tables: Tables) -> tuple[list[str], Position] | None:
    """Returns the best play up to where the outcome first depends on the action, and the position there."""
    position, played = tables.game.start, list[str]()
    while position.result is None and len(played) < _OPENING_ACTIONS:
        values = tables.action_values(position)
        if not action_targets(tables.game, values):
            return None
        if len({value.outcome for value in values.values()}) > 1:
            return played, position
        played.append(best_actions(values)[0])
        position = position.play(played[-1])
    return None
