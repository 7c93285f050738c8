"""The commands with their arguments and help texts; nothing here needs more than the standard library."""

import argparse
import re
from collections.abc import Callable, Sequence
from typing import NoReturn

from damier import __version__
from damier.core.errors import BadArgument
from damier.core.messages import LANGUAGES, message, plain

_LONGEST = 240  # characters of a complaint


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one sentence."""

    def error(self, problem: str) -> NoReturn:
        short = plain(problem, _LONGEST)
        raise BadArgument(
            message("{problem}; see {command} --help.", problem=short[:1].upper() + short[1:], command=self.prog)
        )


def chosen_language(arguments: Sequence[str]) -> str:
    """Returns the language that arguments name, even if something else is wrong with them."""
    for before, word in zip(["", *arguments], arguments, strict=False):
        lang = word if before == "--lang" else word.removeprefix("--lang=")
        if lang in LANGUAGES and (before == "--lang" or word.startswith("--lang=")):
            return lang
    return LANGUAGES[0]


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Returns the chosen command, as `run`, with its arguments."""
    parser = _Parser(
        prog="damier",
        description="Five abstract board games: play them, learn them, know how they end.",
        epilog="'damier COMMAND --help' tells more, with examples.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"damier {__version__}")
    parser.set_defaults(run=_command("welcome", "welcome"), lang="en", json=False)
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")
    for add in (_games, _rules, _moves, _show, _perft, _playouts, _replay, _bench):
        add(commands)
    return parser.parse_args(arguments)


def _command(module: str, function: str) -> Callable[[argparse.Namespace], None]:
    """Returns a function that imports the command's module only when it runs."""

    def run(chosen: argparse.Namespace) -> None:
        import importlib

        getattr(importlib.import_module(f"damier.cli.{module}"), function)(chosen)

    return run


def _add(
    commands: "argparse._SubParsersAction[_Parser]", name: str, summary: str, examples: str, module: str
) -> _Parser:
    parser = commands.add_parser(
        name,
        help=summary,
        description=summary,
        epilog="examples:\n" + "\n".join(f"  {line.strip()}" for line in examples.strip().splitlines()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of sentences (default: en)")
    parser.set_defaults(run=_command(module, name))
    return parser


def _add_game(parser: _Parser) -> None:
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


def _add_position(parser: _Parser) -> None:
    parser.add_argument("--position", metavar="P", help="a position string (default: the start)")


def _add_actions(parser: _Parser) -> None:
    parser.add_argument(
        "--actions", metavar="A", nargs="+", default=[], help="actions to play first; a whole turn may be joined with +"
    )


def _games(commands: "argparse._SubParsersAction[_Parser]") -> None:
    _add(commands, "games", "List the games with their options.", "damier games\ndamier games --json", "boards")


def _rules(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = _add(commands, "rules", "Show the rules of a game.", "damier rules GAME --lang fr", "pages")
    _add_game(parser)


def _moves(commands: "argparse._SubParsersAction[_Parser]") -> None:
    examples = """
        damier moves GAME
        damier moves GAME --actions a1 e5 --json
        damier moves GAME --position "B3W/5/1B1WW/5/B1W1B b 0,0 -"
    """
    parser = _add(commands, "moves", "List the legal actions of a position, one a line.", examples, "boards")
    _add_game(parser)
    _add_position(parser)
    _add_actions(parser)


def _show(commands: "argparse._SubParsersAction[_Parser]") -> None:
    examples = """
        damier show GAME --actions a1 e5
        damier show GAME --position "B3W/5/1B1WW/5/B1W1B b 0,0 -" --svg board.svg --theme dark
    """
    parser = _add(commands, "show", "Show a board in the terminal, or write it as a picture.", examples, "boards")
    _add_game(parser)
    _add_position(parser)
    _add_actions(parser)
    parser.add_argument("--svg", metavar="FILE", help="write an SVG picture to FILE ('-' for standard output)")
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="colours of the picture")
    parser.add_argument("--flip", action="store_true", help="turn the board round")


def _perft(commands: "argparse._SubParsersAction[_Parser]") -> None:
    examples = "damier perft GAME 5\ndamier perft GAME 3 --divide"
    parser = _add(commands, "perft", "Count the action sequences of exactly DEPTH actions.", examples, "batches")
    _add_game(parser)
    parser.add_argument("depth", metavar="DEPTH", type=_number, help="how many actions")
    _add_position(parser)
    parser.add_argument("--divide", action="store_true", help="the count for each first action too")


def _playouts(commands: "argparse._SubParsersAction[_Parser]") -> None:
    examples = "damier playouts GAME 10000\ndamier playouts GAME 1000000 --threads 2 --seed 7 --json"
    parser = _add(commands, "playouts", "Play N random games and tell how they end.", examples, "batches")
    _add_game(parser)
    parser.add_argument("n", metavar="N", type=_number, help="how many games")
    _add_position(parser)
    parser.add_argument("--seed", type=_number, default=0, help="same seed, same games (default: 0)")
    parser.add_argument("--threads", type=_number, default=1, help="how many threads (default: 1)")
    parser.add_argument("--max-actions", type=_number, default=10_000, help="cut a game off here (default: 10000)")


def _replay(commands: "argparse._SubParsersAction[_Parser]") -> None:
    examples = "damier replay game.txt\ndamier replay game.txt --turn 12\ndamier replay games.txt --json"
    parser = _add(commands, "replay", "Play recorded games through and show how they went.", examples, "records")
    parser.add_argument("file", metavar="FILE", help="records as text or JSON ('-' for standard input)")
    parser.add_argument("--turn", metavar="N", type=_number, help="show the board after turn N instead of the last")
    parser.add_argument("--boards", action="store_true", help="show the board after every turn")


def _bench(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = _add(commands, "bench", "Measure the speed of this machine and print ratios.", "damier bench", "batches")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions: noisier, done in a minute")


def _number(text: str) -> int:
    if not re.fullmatch("-?[0-9]+", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"a whole number is needed, not {text[:40]!r}")
    if len(text) > 20:
        raise argparse.ArgumentTypeError(f"the number {text[:40]} is too large")
    return int(text)
