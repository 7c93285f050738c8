"""``damier export``: writes the whole store as JSON lines."""

import argparse
import sys
from pathlib import Path

from damier.cli.arguments import Parser, add_database, chosen_database
from damier.cli.output import print_json, progress
from damier.core.messages import counted, message

EXAMPLES = """
damier export saved.jsonl
damier export saved-again.jsonl --json
"""


def add_arguments(parser: Parser) -> None:
    """Adds the file to write and the database."""
    parser.description = (
        "Write the whole store as JSON lines, also while a server uses it. The file holds secrets, such as the keys\n"
        "that sign cookies, and is made for its owner alone: keep it as you keep the database."
    )
    parser.add_argument("file", metavar="FILE", help="the file to write ('-' for standard output); never overwritten")
    add_database(parser)


def run(arguments: argparse.Namespace) -> None:
    """Writes the export and prints how much it holds."""
    from damier.server.store.backup import written
    from damier.server.store.transfer import export_store

    database = chosen_database(arguments)
    with progress(database.name, lang=arguments.lang) as show:
        if arguments.file == "-":
            sys.stdout.flush()
            export_store(database, sys.stdout.buffer.write, show)
            sys.stdout.buffer.flush()
            return
        file = Path(arguments.file)
        with written(file) as stream:
            counts = export_store(database, stream.write, show)
    if arguments.json:
        print_json({"file": str(file), "bytes": file.stat().st_size, "rows": counts})
        return
    sentence = message(
        "The export is {file}: {matches}, {rows}.",
        file=str(file),
        matches=counted("{count} match", "{count} matches", count=counts["matches"]),
        rows=counted("{count} row", "{count} rows", count=sum(counts.values())),
    )
    print(sentence.render(arguments.lang))
