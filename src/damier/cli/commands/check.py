"""``damier check``: looks for damage in the database of matches."""

import argparse

from damier.cli.arguments import Parser, add_database, chosen_database_file
from damier.cli.output import print_json, progress
from damier.core.errors import BadArgument
from damier.core.messages import counted, message, shown

EXAMPLES = """
damier check
damier check --json
"""


def add_arguments(parser: Parser) -> None:
    """Adds the database."""
    add_database(parser)


def run(arguments: argparse.Namespace) -> None:
    """Checks the file and every match, and lists what is damaged; raises `BadArgument` if anything is."""
    from damier.server.store.inspection import inspect

    database = chosen_database_file(arguments)
    with progress(str(database)) as show:
        found = inspect(database, show)
    if arguments.json:
        print_json(
            {
                "file": str(database),
                "matches": found.matches,
                "events": found.events,
                "problems": found.problems,
                "damaged": [{"number": number, "why": why} for number, why in found.damaged.items()],
            }
        )
    else:
        for problem in found.problems:
            print(problem)
        for number, why in found.damaged.items():
            print(f"{number}: {why}")
    counts = {
        "matches": counted("{count} match", "{count} matches", count=found.matches),
        "events": counted("{count} event", "{count} events", count=found.events),
    }
    if not found.is_whole:
        damaged = counted("{count} match", "{count} matches", count=len(found.damaged))
        raise BadArgument(
            message(
                "The database {file} is damaged: {damaged} of {matches} cannot be read. Go back to a backup with "
                "{restore}.",
                file=shown(str(database)),
                damaged=damaged,
                matches=found.matches,
                restore="damier restore",
            )
        )
    if not arguments.json:
        print(
            message("The database {file} is whole: {matches}, {events}.", file=str(database), **counts).render(
                arguments.lang
            )
        )
