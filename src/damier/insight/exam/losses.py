"""What an action costs, by the values of a table: the regret of one decision.

    win, draw, loss    values 1, 0, -1; an action that keeps the value may still cost plies
    a die decides      the chance to win, from 0 to 1; there are no plies

A loss is counted for each action, also where a turn has several.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from damier.solve.value import TableValue

LEAST_CHANCE = 0.001
"""A smaller loss of winning chance is no error: the tables round chances to 1 / 64,800."""

CHOICE_CHANCE = 0.01
"""A choice matters if the best and the worst action are so far apart in winning chance."""


@dataclass(frozen=True)
class ActionLoss:
    """What an action costs compared with the best one."""

    value: float
    """The loss of game value, up to 2; in a game with a die, of winning chance, up to 1."""

    plies: int | None
    """How many plies later the win comes, or how many sooner the loss; None if the value is lost or has no distance."""

    is_error: bool
    """Whether the action leaves the best value."""


def game_value(value: TableValue) -> float:
    """Returns 1, 0 or -1 for a win, draw or loss, or the chance to win where a die decides."""
    return value.chance if value.outcome == "chance" else 2 * value.chance - 1


def action_losses(values: Mapping[str, TableValue]) -> dict[str, ActionLoss]:
    """Returns the loss of every action, given their values for the player on move, best first."""
    found = list(values.values())
    return {action: _loss(found[0], value) for action, value in values.items()}


def _loss(best: TableValue, value: TableValue) -> ActionLoss:
    lost = game_value(best) - game_value(value)
    if value.outcome == "chance":
        return ActionLoss(lost, None, lost >= LEAST_CHANCE)
    if lost or best.outcome == "draw":
        return ActionLoss(lost, None, lost > 0)
    assert best.plies is not None
    assert value.plies is not None
    return ActionLoss(0, abs(value.plies - best.plies), is_error=False)


def is_choice(values: Mapping[str, TableValue]) -> bool:
    """Tells whether it matters which action is played: whether two of them have different values."""
    if not values:
        return False
    found = [game_value(value) for value in values.values()]
    least = CHOICE_CHANCE if next(iter(values.values())).outcome == "chance" else 1
    return max(found) - min(found) >= least
