"""The facts that tables of both kinds have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from damier.core.kernel.contract import REPETITION_DRAWS, REPETITION_FORBIDDEN
from damier.insight.report.facts import ReportCommands, TableFacts
from damier.solve.build.solver import needs

if TYPE_CHECKING:
    from damier.solve.tables import Tables

_REPETITIONS = {REPETITION_DRAWS: "draws", REPETITION_FORBIDDEN: "forbidden"}


def common_facts(tables: Tables) -> dict[str, Any]:
    """Returns the fields of `SolvedGame` but for `value`."""
    game, header, need = tables.game, tables.file.header, needs(tables)
    return {
        "game": game.name,
        "options": dict(game.options),
        "metric": header.metric,
        "repetition": _REPETITIONS.get(game.traits.repetition, "free"),
        "player": tables.player(game.start),
        "table": TableFacts(
            file=tables.path.name,
            bytes=tables.path.stat().st_size,
            entries=header.entries,
            free=header.counts.get("free", 0),
            entry_bytes=header.entry_bytes,
            coding=header.coding,
            sha256=header.sha256,
            rules=header.rules_version,
            numbering=f"{header.index.name} {header.index.version}",
            format=header.format,
            solver=header.solver,
            minutes=need.minutes,
            memory=need.memory,
        ),
        "commands": ReportCommands(
            solve=tables.command("solve"),
            verify=tables.command("verify"),
            probe=tables.command("probe"),
            report=tables.command("report"),
        ),
    }
