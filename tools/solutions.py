"""Writes what the pages say of solved games: the facts of `damier report`, and whether `damier verify` was run on them.

python -m tools.solutions              all of them, from the tables in the user's data folder
python -m tools.solutions NAME         one, by the name of its file

A table that takes too long to verify is named in `NOT_VERIFIED`; its page says so.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import damier
from damier.games import definition
from damier.insight.report.outcome_report import make_report
from damier.insight.report.page import report_name
from damier.solve.build.solver import needs
from damier.solve.numbering import NotSolvable
from damier.solve.tables import Tables
from damier.solve.verify.outcomes import verify

SOLVED: list[tuple[str, dict[str, int]]] = [
    ("chefa", {}),
    ("badia", {}),
    ("omba", {}),
    ("renfa", {"bombs": 5}),
    ("renfa", {}),
]
NOT_VERIFIED = ("renfa",)
OPEN: dict[str, list[dict[str, int]]] = {
    "renfa": [{"bombs": 7}, {"bombs": 8}, {"size": 6}],
    "omba": [{"players": 3}, {"players": 4}],
}
"""Options with which a game has not been solved, beside its solutions."""


def silent(_share: float, _note: str = "") -> None:
    """Shows no progress."""


def main(names: list[str]) -> None:
    """Writes the files of some games."""
    for game, options in SOLVED:
        tables = damier.load(game, **options).tables
        name = report_name(tables)
        if not names or name in names:
            print(name, flush=True)
            write(name, {**solved_data(tables), "verified": None if name in NOT_VERIFIED else verified_data(tables)})


def solved_data(tables: Tables) -> dict[str, Any]:
    """Returns what a report says, and what is open beside it."""
    data = make_report(tables, silent).data()
    game = tables.game
    return {**data, "open": [open_data(game.name, options) for options in OPEN.get(game.name, [])]}


def open_data(game: str, options: dict[str, int]) -> dict[str, Any]:
    """Returns how large a table would be that has not been built; None where no table is planned."""
    try:
        need = needs(damier.load(game, **options).tables)
    except NotSolvable:
        return {"options": options, "entries": None}
    return {"options": options, "entries": need.entries, "memory": need.memory}


def verified_data(tables: Tables) -> dict[str, Any]:
    """Returns what a second derivation of every entry has found; raises `WrongEntry` where one does not follow."""
    found = verify(tables, os.cpu_count() or 1, silent)
    return {"entries": found.entries, "error": found.error}


def write(name: str, data: dict[str, Any]) -> None:
    """Writes one file, a line for each fact."""
    facts = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in data.items()]
    folder = definition(str(data["game"])).folder / "solutions"
    (folder / f"{name}.json").write_text("{\n" + ",\n".join(facts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
