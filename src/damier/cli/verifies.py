"""The command that derives the exact values of a table a second time: verify."""

import argparse

from damier.cli.output import chosen_game, print_json, progress
from damier.cli.solves import MOST_THREADS
from damier.core.messages import message
from damier.core.ranges import check_whole
from damier.solve.verify.outcomes import verify as verify_table


def verify(chosen: argparse.Namespace) -> None:
    """Makes sure that every entry of a game's table follows from those of the positions after it."""
    game = chosen_game(chosen)
    tables = game.tables
    check_whole("threads", chosen.threads, 1, MOST_THREADS)
    with progress(game.title) as show:
        found = verify_table(tables, chosen.threads, show)
    if chosen.json:
        print_json(
            {
                "game": game.name,
                "options": game.options,
                "file": str(tables.path),
                "entries": found.entries,
                "sha256": tables.file.header.sha256,
                "verified": True,
                "error": found.error,
                "seconds": round(found.seconds, 1),
                "cpu_seconds": round(found.cpu_seconds, 1),
            }
        )
        return
    sentence = message(
        "All {entries} entries of {file} follow from their successors ({seconds} s, {cpu} s of CPU).",
        entries=f"{found.entries:,}",
        file=str(tables.path),
        seconds=f"{found.seconds:.0f}",
        cpu=f"{found.cpu_seconds:.0f}",
    )
    print(sentence.render(chosen.lang))
    if found.error is not None:
        bound = message("No chance in it is wrong by more than {error}, rounding included.", error=f"{found.error:.7f}")
        print(bound.render(chosen.lang))
