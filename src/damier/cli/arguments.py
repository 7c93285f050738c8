"""Arguments that commands share: how they are declared, and the game and record they describe."""

import argparse
import os
import re
from pathlib import Path
from typing import NoReturn

from damier import Game, Record, load
from damier.cli.examples import fill_in
from damier.core.errors import BadArgument
from damier.core.logs import FORMATS, LEVELS
from damier.core.messages import message, plain, shown

MOST_THREADS = 256

_LONGEST_PROBLEM = 240  # characters


class Parser(argparse.ArgumentParser):
    """A parser that raises `BadArgument` and whose help ends with examples."""

    examples = ""
    """Command lines, one per line, with the placeholders of `fill_in`."""

    def error(self, problem: str) -> NoReturn:
        """Raises the problem as one sentence."""
        short = plain(problem, _LONGEST_PROBLEM)
        raise BadArgument(
            message("{problem}; see {command} --help.", problem=short[:1].upper() + short[1:], command=self.prog)
        )

    def format_help(self) -> str:
        """Returns the help text; the examples are filled in only here, because that loads a game."""
        if self.examples:
            lines = fill_in(self.examples).strip().splitlines()
            self.epilog = "examples:\n" + "\n".join(f"  {line}" for line in lines)
        return super().format_help()


def add_game(parser: Parser, *, is_needed: bool = True) -> None:
    """Adds the name of a game and its options."""
    count = None if is_needed else "?"
    parser.add_argument("game", metavar="GAME", nargs=count, help="a name that 'damier games' lists")
    parser.add_argument(
        "-o",
        "--option",
        dest="options",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="an option of the game; can be repeated",
    )


def add_position(parser: Parser) -> None:
    """Adds a position."""
    parser.add_argument("--position", metavar="P", help="a position string (default: the start)")


def add_actions(parser: Parser) -> None:
    """Adds actions to play first."""
    parser.add_argument(
        "--actions", metavar="A", nargs="+", default=[], help="actions to play first; a whole turn may be joined with +"
    )


def add_server(parser: Parser, what: str) -> None:
    """Adds the address of a server; `what` says what it is for."""
    parser.add_argument("--from", dest="server", metavar="URL", help=what)


def add_record_file(parser: Parser) -> None:
    """Adds a file of recorded games."""
    parser.add_argument("file", metavar="FILE", help="recorded games as text or JSON ('-' for standard input)")


def add_theme(parser: Parser) -> None:
    """Adds the colour theme of a picture."""
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="colours of the picture")


def add_limit(parser: Parser, what: str, default: str = "") -> None:
    """Adds the limits of `what`, such as a search, in seconds and in nodes."""
    parser.add_argument("--seconds", metavar="S", type=seconds, help=f"time limit of {what}{default}")
    parser.add_argument("--nodes", metavar="N", type=whole_number, help=f"node limit of {what}")


def add_depth(parser: Parser, what: str) -> None:
    """Adds the depth limit of `what`."""
    parser.add_argument("--depth", metavar="D", type=whole_number, help=f"depth limit of {what}, in actions")


def add_threads(parser: Parser) -> None:
    """Adds the number of threads, by default one per core."""
    cores = os.cpu_count() or 1
    parser.add_argument(
        "--threads", metavar="N", type=whole_number, default=cores, help=f"how many threads (default: {cores})"
    )


def add_database(parser: Parser) -> None:
    """Adds the file of the database of matches."""
    parser.add_argument("--database", metavar="FILE", help="the database (default: the one that 'damier serve' uses)")


def add_logging(parser: Parser, default: str | None = None) -> None:
    """Adds the level and the format of the log on stderr."""
    parser.add_argument(
        "--log-level", choices=LEVELS, default=default or LEVELS[2], help=f"log to stderr (default: {LEVELS[2]})"
    )
    parser.add_argument(
        "--log-format", choices=FORMATS, default=default or FORMATS[0], help="text or JSON lines (default: text)"
    )


def whole_number(text: str) -> int:
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


def chosen_game(arguments: argparse.Namespace) -> Game:
    """Returns the game with its options."""
    options: dict[str, object] = {}
    for text in arguments.options:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadArgument(message("An option is written NAME=VALUE, not {text}.", text=shown(text)))
        if name in options:
            raise BadArgument(message("The option {name} is given twice.", name=shown(name)))
        options[name] = value
    return load(arguments.game, **options)


def chosen_database(arguments: argparse.Namespace) -> Path:
    """Returns the file of the database of matches: the one given, else the server's."""
    from damier.server.settings import ServerSettings

    return ServerSettings.read({"database": arguments.database}).database_file


def chosen_record(arguments: argparse.Namespace, game: Game) -> Record:
    """Returns a record that starts at the given position and has the given actions played."""
    record = game.record(arguments.position)
    for turn in arguments.actions:
        record.play_turn(turn)
    return record
