"""What a forbidden return does to the values of a table: the part of a report for games that have this rule.

Everything is searched anew with the situations of the path in mind (``solve/survival.py``). Measured for 323 thousand
wins and losses: 160 s of CPU, shared by all cores.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from damier.core.position import Position
from damier.insight.report.outcome_facts import Line, best_line, is_possible
from damier.insight.report.text import RETURNS_TITLE, code, line_blocks, player_name, plies, share, table
from damier.solve.returns.survival import (
    FAILED,
    FAILED_TWICE,
    FULL_PLIES,
    KEPT,
    LAST_PLIES,
    LONGER,
    MORE_PLIES,
    NEW_PLIES,
    OPEN,
    VERDICTS,
    NewWins,
    PathSearch,
    Start,
    Survival,
    compares_positions,
    forbids_returns,
)

if TYPE_CHECKING:
    from damier.insight.report.page import ReportPage
    from damier.solve.tables import Tables

    Show = Callable[[float, str], None]

PICTURES = ("failed", "new")


@dataclass(frozen=True)
class Returns:
    """What has been found of one table."""

    survival: Survival
    new: NewWins | None
    start: Start | None
    """None of these two where repetition compares whole positions: they have not been looked for."""

    failed: Line | None
    """How a win that does not survive is played by the table, up to a return and beyond."""

    won: Position | None
    """A drawn position that the rule makes a win."""


def judge_returns(tables: Tables, sample: Sequence[int], show: Show) -> Returns | None:
    """Settles what can be settled; None where the rules forbid no return."""
    if not forbids_returns(tables.game):
        return None
    search = PathSearch(tables, os.cpu_count() or 1)
    survival = search.survival(search.forced_places(), lambda done, note: show(0.9 * done, note))
    if compares_positions(tables.game):
        return Returns(survival, None, None, None, None)
    new = search.new_wins(sample)
    return Returns(survival, new, search.start(), _failed_line(tables, survival), _possible(tables, new.won))


def _failed_line(tables: Tables, survival: Survival) -> Line | None:
    """Returns the first line of the table in which the winner, whose win does not survive, would have to return."""
    for place in survival.failed:
        position = Position(tables.game, tables.numbering.state(place))
        if is_possible(position):
            line = best_line(tables, position)
            if line.forbidden and line.steps[line.forbidden - 1].player == line.result.winner:
                return line
    return None


def _possible(tables: Tables, places: Sequence[int]) -> Position | None:
    """Returns the first position among some places that a game can come to."""
    positions = (Position(tables.game, tables.numbering.state(place)) for place in places)
    return next(filter(is_possible, positions), None)


def returns_blocks(page: ReportPage, returns: Returns) -> list[str]:
    """Returns the part of a page, block by block."""
    blocks = [f"## {RETURNS_TITLE}", *_survival_blocks(returns.survival)]
    if returns.new is None or returns.start is None:
        return [
            *blocks,
            "The rule compares whole positions. Whoever wins by the table comes nearer to the end with every action, "
            "so no position comes twice. What the rule makes of draws is not settled.",
        ]
    return [
        *blocks,
        *_failed_blocks(page, returns.failed),
        "### Draws and the first position",
        *_new_blocks(page, returns.new, returns.won),
        _start_sentence(page, returns.start),
    ]


def _survival_blocks(survival: Survival) -> list[str]:
    """Returns how many wins survive, in all and by distance."""
    whole = max(1, survival.total(*VERDICTS))
    won, failed = survival.total(KEPT, LONGER), survival.total(FAILED, FAILED_TWICE)
    unsettled = survival.total(OPEN)
    return [
        "The table's wins once more, with the rule in force. Each position begins a history of its own. An action that "
        "returns to an earlier situation is not there; whoever has none left loses. The search remembers the "
        "situations of its path and tries every defence.",
        f"**Of the {whole:,} undecided positions that the table has as won or lost, {won:,} ({share(won, whole)}) are "
        "won by the same player though nobody may return.**",
        f"- {survival.total(KEPT):,} are won in no more plies than the table says: proved.\n"
        f"- {survival.total(LONGER):,} are won, but so far only in more plies: proved.\n"
        f"- {failed:,} ({share(failed, whole)}) cannot be won in as many plies as the table says, whatever the winner "
        f"does; {survival.total(FAILED_TWICE):,} of these not in {MORE_PLIES} more either: proved, for the loser has "
        "an answer to every try. Longer wins are not ruled out.\n"
        f"- {unsettled:,} ({share(unsettled, whole)}) are not settled: no win was found, and none was ruled out. Where "
        f"the table's win is longer than {plies(FULL_PLIES)}, all actions of the winner were tried only in the last "
        f"{LAST_PLIES}.",
        _survival_table(survival),
    ]


def _survival_table(survival: Survival) -> str:
    """Returns the numbers by distance."""
    kinds = ((KEPT,), (LONGER,), (FAILED, FAILED_TWICE), (OPEN,))
    rows = [
        [str(distance), *(f"{sum(survival.counts[each].get(distance, 0) for each in kind):,}" for kind in kinds)]
        for distance in sorted({distance for counts in survival.counts for distance in counts})
    ]
    rows.append(["**all**", *(f"**{survival.total(*kind):,}**" for kind in kinds)])
    return table(["plies by the table", "won in no more", "won in more", "not in as many", "not settled"], rows, 0)


def _failed_blocks(page: ReportPage, line: Line | None) -> list[str]:
    """Returns an example of a win that does not survive."""
    if line is None:
        return []
    said = f"{player_name(page.game, line.result.winner or '')} does not win in {plies(len(line.steps))}"
    return [
        f"### {said}",
        code(line.start),
        page.board("failed", f"{said}, though the table says so.", line.start, line.steps[0].action),
        f"By the table {player_name(page.game, line.result.winner or '')} wins in {plies(len(line.steps))}, by this "
        "line. The number after an action is how many plies are left.",
        *line_blocks(line),
    ]


def _new_blocks(page: ReportPage, new: NewWins, example: Position | None) -> list[str]:
    """Returns how many drawn positions of the sample are won."""
    found = len(new.won) + len(new.lost)
    blocks = [
        f"The rule makes wins, too: the loser may not return either. In {found:,} of {new.drawn:,} drawn positions, "
        f"those of the sample below, a player can force a win in {plies(NEW_PLIES)} or fewer: proved. How many more of "
        "the table's draws are won is not settled.",
    ]
    if example:
        said = f"{player_name(page.game, example.mover)} wins in {plies(NEW_PLIES)} or fewer, a draw by the table"
        blocks += [f"{said}:", code(example), page.board("new", f"{said}.", example)]
    return blocks


def _start_sentence(page: ReportPage, start: Start) -> str:
    """Returns what has been shown of the first position."""
    if start.winner:
        return (
            f"From the first position {player_name(page.game, start.winner)} can force a win in "
            f"{plies(start.plies + 1)}, though nobody may return: proved."
        )
    return (
        f"From the first position nobody can force a win in {plies(start.plies)} or fewer, with the rule in force: "
        "proved, for either player has an answer to every try. Nothing more is known of it. That the table has it as a "
        "draw does not settle it: a game in which no situation comes again must end."
    )
