"""The value of a line as a page shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from damier.core.messages import Message, Number, message
from damier.server.wire.analysis import ActionValue
from damier.solve.value import TableValue

if TYPE_CHECKING:
    from damier.core.record import Record
    from damier.engine.analysis import Analysis, Line


def line_value(record: Record, analysis: Analysis, line: Line, lang: str) -> ActionValue:
    """Returns the value of a line for the player on move."""
    value = line.value
    players = record.game.players
    mover = analysis.mover if analysis.mover in players else players[0]
    chance = value.chances[players.index(mover)]
    outcome: Literal["win", "draw", "loss"] | None = None
    if value.winner is not None:
        outcome = "win" if value.winner == mover else "loss"
    elif analysis.is_from_table and not record.game.traits.has_chance:
        outcome = "draw"
    return ActionValue(
        value=outcome,
        distance=value.distance,
        unit="plies",
        own_moves=own_moves(value.distance) if record.game.traits.alternates else None,
        chance=round(chance, 4),
        is_proved=value.is_proved,
        text=_text(outcome, value.distance, chance).render(lang),
    )


def own_moves(plies: int | None) -> int | None:
    """Returns how many of the next plies are of the player on move, where players alternate."""
    return None if plies is None else (plies + 1) // 2


def _text(outcome: str | None, plies: int | None, chance: float) -> Message:
    if outcome is None:
        return message("{percent} %", percent=Number(100 * chance, ".0f"))
    return TableValue(outcome, plies).text()
