"""The command that writes what is known of a solved game: report."""

import argparse
from pathlib import Path

from damier.cli.output import chosen_game, print_json, progress
from damier.cli.solves import value_data
from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.insight.report.report import make_report
from damier.solve.file.reader import TableHeader


def report(chosen: argparse.Namespace) -> None:
    """Writes the page about a solved game, with its pictures, from the table."""
    game = chosen_game(chosen)
    tables = game.tables
    value = tables.probe_value(game.start)
    try:
        with progress(game.title) as show:
            page = make_report(tables, show)
        path = page.write(Path(chosen.folder))
    except OSError as error:
        raise BadArgument(
            message("The folder {folder} cannot be written: {why}.", folder=shown(chosen.folder), why=error.strerror)
        ) from None
    if not chosen.json:
        print(path)
        print(message("Value of the first position: {value}.", value=value.text()).render(chosen.lang))
        return
    told = {"page": str(path), **page.data(), "value": value_data(game, tables.player(game.start), value)}
    print_json({**told, **_header_data(tables.file.header)})


def _header_data(header: TableHeader) -> dict[str, object]:
    return {
        "entries": header.entries,
        "counts": header.counts,
        "longest": header.longest,
        "sha256": header.sha256,
    }
