"""Keeps the facts and the pages of solved games: ``games/<name>/solutions/*.json`` and ``docs/solutions``.

python -m tools.solutions                    write the pages and their pictures from the facts
python -m tools.solutions --check            fail if a page or picture is not up to date
python -m tools.solutions --gather [NAME]    gather the facts from the tables in the user's data folder, verify the
                                             tables, and write the facts, of all games or of one file
    --verified=FILE     take what ``damier verify --json`` has printed into FILE instead of verifying these tables again
    --unverified        do not verify; the page in the browser says so
python -m tools.solutions --confirm [NAME]   gather the facts again, from tables that are there, and fail if they are
                                             others than those kept; nothing is written or verified
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import damier
from damier.games import definition
from damier.insight.report.facts import (
    ChanceSolution,
    OutcomeSolution,
    UnsolvedOptions,
    VerificationFacts,
    read_solution,
    solution_text,
)
from damier.insight.report.page import Report, report_name
from damier.insight.report.report import make_report
from damier.solve.build.solver import needs
from damier.solve.numbering import NotSolvable
from damier.solve.tables import Tables
from damier.solve.verify.verifier import verify

PAGES = Path(__file__).parent.parent / "docs" / "solutions"

SOLVED: list[tuple[str, dict[str, int]]] = [
    ("chefa", {}),
    ("badia", {}),
    ("omba", {}),
    ("renfa", {"bombs": 5}),
    ("renfa", {"bombs": 5, "last": 0}),
    ("renfa", {"size": 6, "bombs": 3}),
    ("renfa", {"size": 6, "bombs": 4}),
    ("renfa", {}),
    ("renfa", {"last": 0}),
    ("renfa", {"bombs": 7}),
]
OPEN: dict[str, list[dict[str, int]]] = {
    "renfa": [{"bombs": 8}, {"size": 6, "bombs": 5}],
    "omba": [{"players": 3}, {"players": 4}],
}
"""Options for which a game has not been solved, listed beside its solutions."""


NOT_OF_THE_TABLE = "open", "verified", "table.solver"
"""Facts that do not follow from the entries: what else is not solved, that they were verified, and who wrote them."""


def silent(_share: float, _note: str = "") -> None:
    """Shows no progress."""


# Pages from facts ----------------------------------------------------------------------------------------------------


def reports() -> list[Report]:
    """Returns the reports on all solved games, from their facts."""
    found = []
    for name in damier.games():
        for file in sorted((definition(name).folder / "solutions").glob("*.json")):
            facts = read_solution(file)
            if isinstance(facts, OutcomeSolution | ChanceSolution):
                found.append(Report(damier.load(name, **facts.options), facts))
    return found


def pages() -> dict[Path, str]:
    """Returns all pages and pictures by their files."""
    return {PAGES / path: content for report in reports() for path, content in report.files().items()}


def outdated(files: dict[Path, str]) -> list[str]:
    """Returns the names of files that differ from what they should be, or should not be there."""
    wrong = [path.name for path, content in files.items() if not path.exists() or path.read_text("utf-8") != content]
    present = [*PAGES.glob("*.md"), *PAGES.glob("img/*.svg")]
    return wrong + [path.name for path in present if path not in files]


# Facts from tables ---------------------------------------------------------------------------------------------------


def gather(names: list[str], verified_before: list[dict[str, Any]], *, verifies: bool) -> None:
    """Writes the facts of the named solutions, or of all; `verified_before` is what ``damier verify`` has printed."""
    for game, options in SOLVED:
        tables = damier.load(game, **options).tables
        name = report_name(tables.game)
        if not names or name in names:
            print(name, flush=True)
            verified = verification(tables, verified_before) if verifies else None
            unsolved = [unsolved_options(game, each) for each in OPEN.get(game, [])]
            facts = make_report(tables, silent).facts.model_copy(update={"open": unsolved, "verified": verified})
            file = tables.game.definition.folder / "solutions" / f"{name}.json"
            file.write_text(solution_text(facts), encoding="utf-8")


def confirm(names: list[str]) -> int:
    """Gathers the facts of the named solutions, or of all, again; prints what differs and returns how many do."""
    wrong = 0
    for game, options in SOLVED:
        tables = damier.load(game, **options).tables
        name = report_name(tables.game)
        if not names or name in names:
            kept = read_solution(tables.game.definition.folder / "solutions" / f"{name}.json")
            found = differing(kept.model_dump(), make_report(tables, silent).facts.model_dump())
            print(f"{name}:", ", ".join(found) or "confirmed", flush=True)
            wrong += bool(found)
    return wrong


def differing(kept: Any, found: Any, name: str = "") -> list[str]:
    """Returns the names of the facts that differ, of those that come from a table; lists differ as a whole."""
    if isinstance(kept, dict) and isinstance(found, dict):
        parts = (differing(kept.get(key), found.get(key), f"{name}.{key}".lstrip(".")) for key in {**kept, **found})
        return [each for part in parts for each in part]
    return [] if kept == found or name in NOT_OF_THE_TABLE else [name]


def unsolved_options(game: str, options: dict[str, int]) -> UnsolvedOptions:
    """Returns how large a table would be that has not been built."""
    try:
        need = needs(damier.load(game, **options).tables)
    except NotSolvable:
        return UnsolvedOptions(options=options, entries=None)
    return UnsolvedOptions(options=options, entries=need.entries, memory=need.memory)


def verification(tables: Tables, before: list[dict[str, Any]]) -> VerificationFacts:
    """Derives every entry a second time, unless that was done `before`; raises `WrongEntry` where one differs."""
    for each in before:
        if each["sha256"] == tables.file.header.sha256 and each["verified"] is True:
            return VerificationFacts(entries=each["entries"], error=each["error"])
    found = verify(tables, os.cpu_count() or 1, silent)
    return VerificationFacts(entries=found.entries, error=found.error)


def main(arguments: list[str]) -> int:
    """Gathers facts, writes the pages, or checks them."""
    if "--gather" in arguments:
        given = [each.removeprefix("--verified=") for each in arguments if each.startswith("--verified=")]
        before = [json.loads(Path(file).read_text("utf-8")) for file in given]
        names = [name for name in arguments if not name.startswith("-")]
        gather(names, before, verifies="--unverified" not in arguments)
    if "--confirm" in arguments:
        return 1 if confirm([name for name in arguments if not name.startswith("-")]) else 0
    if "--check" in arguments:
        wrong = outdated(pages())
        print("\n".join(f"{name} is not up to date: run python -m tools.solutions" for name in wrong) or "up to date")
        return 1 if wrong else 0
    for report in reports():
        print(report.write(PAGES).name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
