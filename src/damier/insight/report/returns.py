"""What a ban on returning to an earlier situation does to the values of a table, which has no history.

All wins are searched again with the situations of the path (``solve/returns/survival.py``). Measured for 323 thousand
wins and losses: 160 s of CPU, shared by all cores.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from damier.core.position import Position
from damier.insight.report.best_play import best_line, replay
from damier.insight.report.entries import is_possible
from damier.insight.report.facts import BestPlay, FirstPositionFacts, NewWinFacts, PositionOfPlayer, ReturnFacts
from damier.solve.returns.repetition import compares_positions, forbids_returns
from damier.solve.returns.survival import (
    FULL_PLIES,
    LAST_PLIES,
    MORE_PLIES,
    NEW_PLIES,
    VERDICTS,
    PathSearch,
    Survival,
)

if TYPE_CHECKING:
    from damier.solve.tables import Tables

    Show = Callable[[float, str], None]

CERTAIN_PLIES = 3
"""A ban on returns cannot spoil a win within this many plies: its final position is new, as nobody had won before."""


def judge_returns(tables: Tables, sample: Sequence[int], show: Show) -> ReturnFacts | None:
    """Judges all wins of the table and the draws of a sample; returns None if the rules allow returns.

    Draws and the first position are left out where repetition compares whole positions.
    """
    if not forbids_returns(tables.game):
        return None
    search = PathSearch(tables, os.cpu_count() or 1)
    survival = search.survival(search.forced_places(), lambda done, note: show(0.9 * done, note))
    failed, new, won, start = None, None, None, None
    if not compares_positions(tables.game):
        failed = _failed_line(tables, survival)
        found = search.new_wins(sample)
        new = NewWinFacts(drawn=found.drawn, found=len(found.won) + len(found.lost), plies=NEW_PLIES)
        won = _first_possible(tables, found.won)
        first = search.start()
        start = FirstPositionFacts(plies=first.plies, winner=first.winner)
    kept, longer, refuted, refuted_twice, unsettled = (
        dict(sorted(survival.counts[verdict].items())) for verdict in VERDICTS
    )
    return ReturnFacts(
        certain=CERTAIN_PLIES,
        counts=(kept, longer, refuted, refuted_twice, unsettled),
        more=MORE_PLIES,
        full=FULL_PLIES,
        last=LAST_PLIES,
        failed=failed,
        new=new,
        won=won,
        start=start,
    )


def _failed_line(tables: Tables, survival: Survival) -> BestPlay | None:
    """Returns the first line of the table in which the winner would have to return and cannot win otherwise."""
    for place in survival.failed:
        position = Position(tables.game, tables.numbering.state(place))
        if is_possible(position):
            line = best_line(tables, position)
            if line.forbidden and replay(tables.game, line)[0][line.forbidden - 1].player == line.winner:
                return line
    return None


def _first_possible(tables: Tables, places: Sequence[int]) -> PositionOfPlayer | None:
    """Returns the first of some positions that a game can reach."""
    positions = (Position(tables.game, tables.numbering.state(place)) for place in places)
    found = next(filter(is_possible, positions), None)
    return PositionOfPlayer(position=str(found), player=found.mover) if found else None
