"""``damier restore``: puts a backup in the place of the database of matches."""

import argparse
from pathlib import Path

from damier.cli.arguments import Parser, add_database, chosen_database_file
from damier.cli.output import print_json
from damier.core.messages import counted, message

EXAMPLES = """
damier backup saved.sqlite
damier restore saved.sqlite
"""


def add_arguments(parser: Parser) -> None:
    """Adds the backup and the database."""
    parser.add_argument("file", metavar="FILE", help="a backup, as 'damier backup' writes it")
    add_database(parser)


def run(arguments: argparse.Namespace) -> None:
    """Restores a backup and prints where the replaced database is kept."""
    from damier.server.store.backup import restore

    copy = restore(Path(arguments.file), chosen_database_file(arguments))
    if arguments.json:
        replaced = str(copy.replaced) if copy.replaced else None
        print_json({"file": str(copy.file), "bytes": copy.bytes, "matches": copy.matches, "replaced": replaced})
        return
    restored = message(
        "The database {file} is restored: {matches}.",
        file=str(copy.file),
        matches=counted("{count} match", "{count} matches", count=copy.matches),
    )
    print(restored.render(arguments.lang))
    if copy.replaced:
        print(message("The one that it replaces is kept as {file}.", file=str(copy.replaced)).render(arguments.lang))
