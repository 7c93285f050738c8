"""Reports on solved games: facts gathered from a table, and the page about them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from damier.insight.report.chances import chance_solution
from damier.insight.report.outcomes import outcome_solution
from damier.insight.report.page import Report
from damier.solve.codes import CHANCE_CODING

if TYPE_CHECKING:
    from damier.solve.tables import Tables

    Show = Callable[[float, str], None]


def make_report(tables: Tables, show: Show) -> Report:
    """Returns the report on a game; raises `TableMissing` without a table."""
    is_chance = tables.file.header.coding == CHANCE_CODING
    facts = chance_solution(tables, show) if is_chance else outcome_solution(tables, show)
    show(1.0, "")
    return Report(tables.game, facts)


def write_report(tables: Tables, folder: Path, show: Show) -> Path:
    """Writes the report on a game into a folder and returns the path of the page."""
    return make_report(tables, show).write(folder)
