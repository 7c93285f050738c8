"""``damier verify``: derives every entry of a table a second time."""

import argparse

from damier.cli.arguments import (
    Parser,
    add_game,
    add_nodes,
    add_threads,
    chosen_cluster,
    chosen_game,
    chosen_threads,
)
from damier.cli.output import print_json, progress
from damier.core.messages import Number, message

EXAMPLES = """
damier verify {small}
damier verify {small} --threads 2 --json
"""


def add_arguments(parser: Parser) -> None:
    """Adds the game, the number of threads and the cluster."""
    add_game(parser)
    add_threads(parser)
    add_nodes(parser)


def run(arguments: argparse.Namespace) -> None:
    """Checks that every entry of a game's table follows from those of its successors."""
    from damier.solve.verify.verifier import verify

    game = chosen_game(arguments)
    tables = game.tables
    threads, cluster = chosen_threads(arguments), chosen_cluster(arguments)
    with progress(game.title) as show:
        if cluster:
            from damier.solve.cluster.solver import verify_on_cluster

            found = verify_on_cluster(tables, cluster, show)
        else:
            found = verify(tables, threads, show)
    if arguments.json:
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
        entries=Number(found.entries),
        file=str(tables.path),
        seconds=Number(found.seconds, ".0f"),
        cpu=Number(found.cpu_seconds, ".0f"),
    )
    print(sentence.render(arguments.lang))
    if found.error is not None:
        error = Number(found.error, ".7f")
        bound = message("No chance in it is wrong by more than {error}, rounding included.", error=error)
        print(bound.render(arguments.lang))
