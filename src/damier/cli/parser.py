"""The parser of the command line; only the command that is named is imported."""

import argparse
import importlib
from collections.abc import Sequence

from damier import __version__
from damier.cli.arguments import Parser, add_logging
from damier.cli.commands import COMMANDS
from damier.core.messages import LANGUAGES


def chosen_language(words: Sequence[str]) -> str:
    """Returns the language that the command line names, even if something else is wrong with it."""
    for before, word in zip(["", *words], words, strict=False):
        lang = word if before == "--lang" else word.removeprefix("--lang=")
        if lang in LANGUAGES and (before == "--lang" or word.startswith("--lang=")):
            return lang
    return LANGUAGES[0]


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Returns the arguments; `run` is the function of the command, ``serve`` if none is named."""
    parser = Parser(
        prog="damier",
        description="Five abstract board games to play, learn, analyse and solve. Without a command, "
        "damier starts the server on a free local port and opens the browser.",
        epilog="'damier COMMAND --help' shows its arguments, with examples.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"damier {__version__}")
    add_logging(parser)
    commands = parser.add_subparsers(metavar="COMMAND", title="commands", dest="command")
    for name, summary in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=summary,
            description=summary,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        if name in words:
            _complete(command, name)
    arguments = parser.parse_args(words)
    return arguments if arguments.command else parse([*words, "serve"])


def _complete(parser: Parser, name: str) -> None:
    """Imports a command and adds its arguments to those of every command."""
    command = importlib.import_module(f"damier.cli.commands.{name}")
    command.add_arguments(parser)
    if getattr(command, "HAS_JSON", True):
        parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    parser.add_argument("--lang", choices=LANGUAGES, default=LANGUAGES[0], help="language of sentences (default: en)")
    add_logging(parser, default=argparse.SUPPRESS)  # which keeps what was given before the command
    parser.examples = command.EXAMPLES
    parser.set_defaults(run=command.run)
