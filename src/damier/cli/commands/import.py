"""``damier import``: fills an empty database with an export."""

import argparse
import contextlib
import sys
from pathlib import Path

from damier.cli.arguments import Parser, add_database, chosen_database
from damier.cli.files import reading
from damier.cli.output import print_json, progress
from damier.core.errors import BadArgument
from damier.core.messages import counted, message

EXAMPLES = """
damier export moved.jsonl
damier import moved.jsonl --database moved.sqlite
"""


def add_arguments(parser: Parser) -> None:
    """Adds the export and the database."""
    parser.add_argument("file", metavar="FILE", help="a file that 'damier export' wrote ('-' for standard input)")
    add_database(parser)


def run(arguments: argparse.Namespace) -> None:
    """Imports everything or nothing, and prints how much there was."""
    from damier.server.store.transfer import import_store

    database = chosen_database(arguments)
    with contextlib.ExitStack() as closing:
        if arguments.file != "-":
            with reading(arguments.file):
                source = closing.enter_context(Path(arguments.file).open("rb"))
        elif sys.stdin is None:  # closed by the caller
            raise BadArgument(message("There is no standard input to read."))
        else:
            source = sys.stdin.buffer  # type: ignore[assignment]  # read in the same way
        show = closing.enter_context(progress(database.name, lang=arguments.lang))
        counts = import_store(database, source, arguments.file, show)
    if arguments.json:
        print_json({"database": database.name, "rows": counts})
        return
    sentence = message(
        "The database {file} is filled: {matches}, {rows}.",
        file=database.name,
        matches=counted("{count} match", "{count} matches", count=counts["matches"]),
        rows=counted("{count} row", "{count} rows", count=sum(counts.values())),
    )
    print(sentence.render(arguments.lang))
