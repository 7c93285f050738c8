"""What a report says of a solved game, as data: for the pages, which say it in the visitor's language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from damier.core.kernel.contract import REPETITION_DRAWS, REPETITION_FORBIDDEN
from damier.insight.report.outcome_facts import (
    best_actions,
    best_line,
    distances,
    first_choice,
    ordered_values,
    over_already,
)
from damier.insight.report.text import CERTAIN_PLIES
from damier.solve.build.solver import needs
from damier.solve.returns.survival import FULL_PLIES, LAST_PLIES, MORE_PLIES, NEW_PLIES, VERDICTS

if TYPE_CHECKING:
    from damier.core.position import Position
    from damier.insight.report.chance_report import ChanceReport
    from damier.insight.report.outcome_facts import Line
    from damier.insight.report.outcome_report import Report
    from damier.insight.report.page import ReportPage
    from damier.insight.report.returns import Returns
    from damier.insight.report.sample import Sample
    from damier.solve.tables import Tables
    from damier.solve.value import TableValue

    Data = dict[str, Any]

_REPETITIONS = {REPETITION_DRAWS: "draws", REPETITION_FORBIDDEN: "forbidden"}


def common_data(page: ReportPage) -> Data:
    """Returns what is told of every table."""
    tables, header = page.tables, page.header
    return {
        "game": page.game.name,
        "options": dict(page.game.options),
        "metric": header.metric,
        "repetition": _REPETITIONS.get(page.game.traits.repetition, "free"),
        "value": value_data(tables.probe_value(page.game.start)),
        "player": tables.player(page.game.start),
        "table": {
            "file": tables.path.name,
            "bytes": tables.path.stat().st_size,
            "entries": header.entries,
            "free": header.counts.get("free", 0),
            "entry_bytes": header.entry_bytes,
            "coding": header.coding,
            "sha256": header.sha256,
            "rules": header.rules_version,
            "numbering": f"{header.index.name} {header.index.version}",
            "format": header.format,
            "solver": header.solver,
            "minutes": needs(tables).minutes,
            "memory": needs(tables).memory,
        },
        "commands": {name: tables.command(name) for name in ("solve", "verify", "probe", "report")},
    }


def value_data(value: TableValue) -> Data:
    """Returns a value of the table."""
    if value.outcome == "chance":
        return {"outcome": "chance", "chance": round(value.chance, 7)}
    return {"outcome": value.outcome, "plies": value.plies}


# Wins, draws and losses ----------------------------------------------------------------------------------------------


def distance_data(report: Report) -> Data:
    """Returns what a table of wins, draws and losses says."""
    tables, longest = report.tables, report.header.longest or 0
    start = report.game.start
    is_decided = tables.probe_value(start).outcome != "draw"
    far = sum(distances(tables, name).get(longest, 0) for name in ("wins", "losses"))
    return {
        **common_data(report),
        "tiers": [_tier(tier) for tier in report.header.extra["tiers"]],
        "wins": distances(tables, "wins"),
        "losses": distances(tables, "losses"),
        "line": _line(best_line(tables, start)) if is_decided else None,
        "choices": _choices(tables),
        "longest_wins": {
            "plies": longest,
            "positions": far,
            "lines": [_line(best_line(tables, position)) for position in report.entries.longest],
        },
        "only": _only(report.sample, report.entries.undecided),
        "returns": _returns(report.returns) if report.returns else None,
    }


def _tier(tier: Data) -> Data:
    over = over_already(tier)
    won, lost = tier["win"] - tier["already won"], tier["loss"] - tier["losses"].get("0", 0)
    longest = max((int(distance) for name in ("wins", "losses") for distance in tier[name]), default=0)
    return {"name": tier["name"], "won": won, "drawn": tier["draw"], "lost": lost, "over": over, "longest": longest}


def _line(line: Line) -> Data:
    return {
        "start": str(line.start),
        "actions": [step.action for step in line.steps],
        "winner": line.result.winner,
        "forbidden": line.forbidden,
    }


def _choices(tables: Tables) -> list[Data]:
    """Returns the values of the first actions, of the answers to the first best one, and of the first that differ."""
    start = tables.game.start
    best = best_actions(tables.action_values(start))[0]
    answer = start.play(best)
    found = [_choice(tables, [], start)]
    if answer.result is None and answer.mover != start.mover:
        found.append(_choice(tables, [best], answer))
    played, position = first_choice(tables) or ([], start)
    if len(played) > 1:
        found.append(_choice(tables, played, position))
    return found


def _choice(tables: Tables, played: list[str], position: Position) -> Data:
    groups: list[Data] = []
    for action, value in ordered_values(tables, position).items():
        if not groups or groups[-1]["value"] != value_data(value):
            groups.append({"value": value_data(value), "actions": []})
        groups[-1]["actions"].append(action)
    return {"played": list(played), "player": position.mover, "values": groups}


def _only(sample: Sample, undecided: int) -> Data:
    examples = [
        {
            "position": str(only.position),
            "player": only.position.mover,
            "action": only.action,
            "actions": len(only.values),
            "value": value_data(only.values[only.action]),
        }
        for only in sample.examples
    ]
    return {
        "size": sample.size,
        "undecided": undecided,
        "wins": sample.wins,
        "quick": sample.quick,
        "draws": sample.draws,
        "examples": examples,
    }


def _returns(returns: Returns) -> Data:
    """Returns what the forbidden return does to the wins of the table, and what it leaves open."""
    survival, new, start = returns.survival, returns.new, returns.start
    return {
        "certain": CERTAIN_PLIES,
        "counts": [dict(sorted(survival.counts[verdict].items())) for verdict in VERDICTS],
        "more": MORE_PLIES,
        "full": FULL_PLIES,
        "last": LAST_PLIES,
        "failed": returns.failed and _line(returns.failed),
        "new": new and {"drawn": new.drawn, "found": len(new.won) + len(new.lost), "plies": NEW_PLIES},
        "won": returns.won and {"position": str(returns.won), "player": returns.won.mover},
        "start": start and {"plies": start.plies, "winner": start.winner},
    }


# Chances -------------------------------------------------------------------------------------------------------------


def chance_data(report: ChanceReport) -> Data:
    """Returns what a table of winning chances says."""
    extra, choices = report.header.extra, report.choices
    return {
        **common_data(report),
        "chance": round(extra["start"]["chance"], 7),
        "error": extra["error"],
        "actions": round(extra["start"]["actions"], 2),
        "tiers": [
            {
                "name": tier["name"],
                "entries": tier["entries"],
                "actions": round(tier["most_turns"] - 1, 1),
                "error": tier["error"],
            }
            for tier in extra["tiers"]
        ],
        "parts": report.parts,
        "rolls": _rolls(report),
        "cost": {
            "size": choices.size,
            "lost": choices.lost,
            "forced": choices.forced,
            "second": round(choices.second, 6),
            "other": round(choices.other, 6),
            "costly": choices.costly,
            "examples": [
                {
                    "position": str(choice.position),
                    "player": choice.position.mover,
                    "values": [[text, round(value.chance, 6)] for text, value in choice.values.items()],
                }
                for choice in choices.examples
            ],
        },
    }


def _rolls(report: ChanceReport) -> list[Data]:
    """Returns the values of all actions after each first roll; rolls that come to the same stand together."""
    start = report.game.start
    found: list[Data] = []
    for roll in sorted(start.actions()):
        values = ordered_values(report.tables, start.play(roll))
        told = [[text, round(value.chance, 6)] for text, value in values.items()]
        alike = next((each for each in found if each["values"] == told), None)
        if alike:
            alike["rolls"].append(roll)
        else:
            found.append({"rolls": [roll], "values": told})
    return found
