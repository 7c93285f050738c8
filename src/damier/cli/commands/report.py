"""``damier report``: writes a page about a solved game."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from damier.cli.arguments import Parser, add_game, chosen_game
from damier.cli.output import print_json, progress, value_data
from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.solve.returns.repetition import by_table

if TYPE_CHECKING:
    from damier.solve.file.header import TableHeader


EXAMPLES = """
damier report {small} --folder pages
damier report {small} --folder pages --json
"""


def add_arguments(parser: Parser) -> None:
    """Adds the game and the folder to write to."""
    add_game(parser)
    parser.add_argument(
        "--folder", metavar="DIR", default="docs/solutions", help="where to write it (default: docs/solutions)"
    )


def run(arguments: argparse.Namespace) -> None:
    """Writes the page about a solved game, with its pictures, from the table."""
    from damier.insight.report.report import make_report

    game = chosen_game(arguments)
    tables = game.tables
    value = tables.probe_value(game.start)
    try:
        with progress(game.title) as show:
            page = make_report(tables, show)
        path = page.write(Path(arguments.folder))
    except OSError as error:
        raise BadArgument(
            message("The folder {folder} cannot be written: {why}.", folder=shown(arguments.folder), why=error.strerror)
        ) from None
    if not arguments.json:
        print(path)
        said = by_table(game, value.text())
        print(message("Value of the first position: {value}.", value=said).render(arguments.lang))
        return
    data = {"page": str(path), **page.data(), "value": value_data(game, tables.player(game.start), value)}
    print_json({**data, **_header_data(tables.file.header)})


def _header_data(header: TableHeader) -> dict[str, object]:
    return {
        "entries": header.entries,
        "counts": header.counts,
        "longest": header.longest,
        "sha256": header.sha256,
    }
