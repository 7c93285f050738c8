"""What the arguments of commands have in common: complaints, help with examples, games, positions, numbers."""

import argparse
import re
from collections.abc import Callable
from typing import NoReturn

from damier.core.errors import BadArgument
from damier.core.messages import LANGUAGES, message, plain

_LONGEST = 240  # characters of a complaint


class Parser(argparse.ArgumentParser):
    """A parser whose complaint is one sentence."""

    def error(self, problem: str) -> NoReturn:
        """Raises the complaint."""
        short = plain(problem, _LONGEST)
        raise BadArgument(
            message("{problem}; see {command} --help.", problem=short[:1].upper() + short[1:], command=self.prog)
        )


Commands = argparse._SubParsersAction  # of `Parser`; argparse has no public name for it


def command(module: str, function: str) -> Callable[[argparse.Namespace], None]:
    """Returns a function that imports the command's module only when it runs."""

    def run(chosen: argparse.Namespace) -> None:
        import importlib

        getattr(importlib.import_module(f"damier.cli.{module}"), function)(chosen)

    return run


def add_command(
    commands: "Commands[Parser]", name: str, summary: str, examples: str, module: str, *, has_json: bool = True
) -> Parser:
    """Adds a command, run by the function of its name in a module, and returns its parser."""
    parser = commands.add_parser(
        name,
        help=summary,
        description=summary,
        epilog="examples:\n" + "\n".join(f"  {line.strip()}" for line in examples.strip().splitlines()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    if has_json:
        parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of sentences (default: en)")
    parser.set_defaults(run=command(module, name))
    return parser


def add_game(parser: Parser) -> None:
    """Adds the name of a game and its options."""
    parser.add_argument("game", metavar="GAME", help="one of the names that 'damier games' lists")
    parser.add_argument(
        "-o",
        "--option",
        dest="options",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="an option of the game; may be given several times",
    )


def add_position(parser: Parser) -> None:
    """Adds a position."""
    parser.add_argument("--position", metavar="P", help="a position string (default: the start)")


def add_actions(parser: Parser) -> None:
    """Adds actions to play first."""
    parser.add_argument(
        "--actions", metavar="A", nargs="+", default=[], help="actions to play first; a whole turn may be joined with +"
    )


def add_theme(parser: Parser) -> None:
    """Adds the colours of a picture."""
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="colours of the picture")


def number(text: str) -> int:
    """Returns a whole number."""
    if not re.fullmatch("-?[0-9]+", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"a whole number is needed, not {text[:40]!r}")
    if len(text) > 20:
        raise argparse.ArgumentTypeError(f"the number {text[:40]} is too large")
    return int(text)


def seconds(text: str) -> float:
    """Returns a number of seconds, which may have a fraction."""
    if not re.fullmatch("-?([0-9]{1,20}([.][0-9]{0,20})?|[.][0-9]{1,20})", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"a number of seconds such as 0.5 is needed, not {text[:40]!r}")
    return float(text)
