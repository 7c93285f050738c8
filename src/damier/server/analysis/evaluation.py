"""Values of the legal actions and hints, from a table or from an engine."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal

from damier.core.messages import Message, Number, message
from damier.engine.limit import Limit
from damier.engine.pool.pool import AnalyseRequest, ProbeRequest, Workers
from damier.server.analysis.reasons import hint_reason
from damier.server.wire.analysis import ActionValue, ActionValues, HintData
from damier.solve.location import has_table
from damier.solve.returns.repetition import forbids_returns, history_note
from damier.solve.value import TableValue

if TYPE_CHECKING:
    from damier.core.record import Record
    from damier.engine.analysis import Analysis, Line

_SECONDS = 0.5


def analysis_request(record: Record, limit: Limit, lines: int, plies: int = 1) -> AnalyseRequest | ProbeRequest:
    """Returns the request for a worker process: to probe the table of the game if it is built, else to search."""
    if has_table(record.game):
        return ProbeRequest(record.game, _start(record), record.played, lines, plies)
    return AnalyseRequest(record.game, _start(record), record.played, limit, lines)


def _start(record: Record) -> str | None:
    return None if record.start == record.game.start else str(record.start)


async def action_values(workers: Workers, record: Record, owner: str, lang: str) -> ActionValues:
    """Returns the values of all legal actions, from a table or estimated."""
    actions = record.actions()
    if not actions:
        return ActionValues(is_from_table=False, is_exact=True, values={}, note=None)
    request = analysis_request(record, Limit(seconds=_SECONDS), len(actions))
    analysis: Analysis = await workers.submit(request, owner=owner)
    values = {line.actions[0]: line_value(record, analysis, line, lang) for line in analysis.lines}
    return ActionValues(
        is_from_table=analysis.is_from_table,
        is_exact=analysis.is_exact,
        values=values,
        note=analysis_note(record, analysis, lang),
    )


def analysis_note(record: Record, analysis: Analysis, lang: str) -> str | None:
    """Returns the caveat of values of a table that are not all proved for this game."""
    note = history_note(record.game) if analysis.is_from_table and not analysis.is_exact else None
    return note.render(lang) if note else None


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
        chance=round(chance, 4),
        is_proved=value.is_proved,
        text=_text(outcome, value.distance, chance).render(lang),
    )


def _text(outcome: str | None, plies: int | None, chance: float) -> Message:
    if outcome is None:
        return message("{percent} %", percent=Number(100 * chance, ".0f"))
    return TableValue(outcome, plies).text()


async def hint(workers: Workers, record: Record, owner: str, lang: str) -> HintData:
    """Returns one good action with the reason: from a table, which values every action, or from a search."""
    if has_table(record.game) and not forbids_returns(record.game):
        request = analysis_request(record, Limit(seconds=_SECONDS), len(record.actions()))
    else:
        request = AnalyseRequest(record.game, _start(record), record.played, Limit(seconds=_SECONDS), 2)
    analysis = await workers.submit(request, owner=owner)
    reason = await asyncio.to_thread(hint_reason, record.copy(), analysis)
    return HintData(action=analysis.best.actions[0], reason=reason.render(lang))
