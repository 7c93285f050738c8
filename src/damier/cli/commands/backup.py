"""``damier backup``: copies the database of matches."""

import argparse
from pathlib import Path

from damier.cli.arguments import Parser, add_database, chosen_database_file
from damier.cli.output import print_json
from damier.core.messages import Number, counted, message

EXAMPLES = """
damier backup
damier backup before-update.sqlite --json
"""


def add_arguments(parser: Parser) -> None:
    """Adds the database and the file to write."""
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="the copy (default: a name with the date, beside the database)"
    )
    add_database(parser)


def run(arguments: argparse.Namespace) -> None:
    """Copies the database, verifies the copy, and prints where it is."""
    from damier.server.store.backup import back_up

    copy = back_up(chosen_database_file(arguments), Path(arguments.file) if arguments.file else None)
    if arguments.json:
        print_json({"file": str(copy.file), "bytes": copy.bytes, "matches": copy.matches})
        return
    sentence = message(
        "The backup is {file}: {matches}, {size} kB.",
        file=str(copy.file),
        matches=counted("{count} match", "{count} matches", count=copy.matches),
        size=Number(copy.bytes / 1000, ",.0f"),
    )
    print(sentence.render(arguments.lang))
