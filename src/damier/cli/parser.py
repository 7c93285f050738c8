"""The commands with their arguments and help texts; nothing here needs more than the standard library."""

import argparse
from collections.abc import Sequence

from damier import __version__
from damier.cli.arguments import (
    Commands,
    Parser,
    add_actions,
    add_command,
    add_game,
    add_position,
    add_theme,
    command,
    number,
)
from damier.cli.engine_parser import add_engine_commands
from damier.cli.solve_parser import add_solve_commands
from damier.core.messages import LANGUAGES


def chosen_language(arguments: Sequence[str]) -> str:
    """Returns the language that arguments name, even if something else is wrong with them."""
    for before, word in zip(["", *arguments], arguments, strict=False):
        lang = word if before == "--lang" else word.removeprefix("--lang=")
        if lang in LANGUAGES and (before == "--lang" or word.startswith("--lang=")):
            return lang
    return LANGUAGES[0]


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Returns the chosen command, as `run`, with its arguments."""
    parser = Parser(
        prog="damier",
        description="Five abstract board games: play them, learn them, know how they end.",
        epilog="'damier COMMAND --help' tells more, with examples.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"damier {__version__}")
    parser.set_defaults(run=command("serves", "serve"), lang="en", json=False)
    parser.set_defaults(host=None, port=None, database=None, workers=None, browser=True)
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")
    for add in (
        _games,
        _rules,
        _moves,
        _show,
        _perft,
        _playouts,
        _replay,
        add_engine_commands,
        add_solve_commands,
        _puzzles,
        _serve,
        _bench,
    ):
        add(commands)
    return parser.parse_args(arguments)


def _games(commands: "Commands[Parser]") -> None:
    add_command(commands, "games", "List the games with their options.", "damier games\ndamier games --json", "boards")


def _rules(commands: "Commands[Parser]") -> None:
    parser = add_command(commands, "rules", "Show the rules of a game.", "damier rules GAME --lang fr", "pages")
    add_game(parser)


def _moves(commands: "Commands[Parser]") -> None:
    examples = """
        damier moves GAME
        damier moves GAME --actions a1 e5 --json
        damier moves GAME --position "B3W/5/1B1WW/5/B1W1B b 0,0 -"
    """
    parser = add_command(commands, "moves", "List the legal actions of a position, one a line.", examples, "boards")
    add_game(parser)
    add_position(parser)
    add_actions(parser)


def _show(commands: "Commands[Parser]") -> None:
    examples = """
        damier show GAME --actions a1 e5
        damier show GAME --position "B3W/5/1B1WW/5/B1W1B b 0,0 -" --svg board.svg --theme dark
    """
    parser = add_command(
        commands, "show", "Show a board in the terminal, or write it as a picture.", examples, "boards"
    )
    add_game(parser)
    add_position(parser)
    add_actions(parser)
    parser.add_argument("--svg", metavar="FILE", help="write an SVG picture to FILE ('-' for standard output)")
    add_theme(parser)
    parser.add_argument("--flip", action="store_true", help="turn the board round")


def _perft(commands: "Commands[Parser]") -> None:
    examples = "damier perft GAME 5\ndamier perft GAME 3 --divide"
    parser = add_command(commands, "perft", "Count the action sequences of exactly DEPTH actions.", examples, "batches")
    add_game(parser)
    parser.add_argument("depth", metavar="DEPTH", type=number, help="how many actions")
    add_position(parser)
    parser.add_argument("--divide", action="store_true", help="the count for each first action too")


def _playouts(commands: "Commands[Parser]") -> None:
    examples = "damier playouts GAME 10000\ndamier playouts GAME 1000000 --threads 2 --seed 7 --json"
    parser = add_command(commands, "playouts", "Play N random games and tell how they end.", examples, "batches")
    add_game(parser)
    parser.add_argument("n", metavar="N", type=number, help="how many games")
    add_position(parser)
    parser.add_argument("--seed", type=number, default=0, help="same seed, same games (default: 0)")
    parser.add_argument("--threads", type=number, default=1, help="how many threads (default: 1)")
    parser.add_argument("--max-actions", type=number, default=10_000, help="cut a game off here (default: 10000)")


def _replay(commands: "Commands[Parser]") -> None:
    examples = "damier replay game.txt\ndamier replay game.txt --turn 12\ndamier replay games.txt --json"
    parser = add_command(commands, "replay", "Play recorded games through and show how they went.", examples, "records")
    parser.add_argument("file", metavar="FILE", help="records as text or JSON ('-' for standard input)")
    parser.add_argument("--turn", metavar="N", type=number, help="show the board after turn N instead of the last")
    parser.add_argument("--boards", action="store_true", help="show the board after every turn")


def _puzzles(commands: "Commands[Parser]") -> None:
    examples = """
        damier puzzles GAME
        damier puzzles GAME --difficulty 3 --count 5 --answers
        damier puzzles GAME --theme only_draw --json
        damier puzzles GAME -o bombs=5 --make --count 20 --seed 7 --out puzzles.json
        damier puzzles GAME --file puzzles.json
    """
    summary = "List puzzles with exactly one right answer, or make new ones from a table or by search."
    parser = add_command(commands, "puzzles", summary, examples, "puzzles")
    add_game(parser)
    parser.add_argument("--count", metavar="N", type=number, help="at most so many (default: all, or 100 to make)")
    parser.add_argument("--theme", metavar="T", help="only those of a theme, such as win or only_draw")
    parser.add_argument("--difficulty", metavar="D", type=number, help="only those of a difficulty, 1 to 5")
    parser.add_argument("--answers", action="store_true", help="show the answers with the lines that follow")
    parser.add_argument("--make", action="store_true", help="make new ones instead of listing those there are")
    parser.add_argument("--seed", type=number, default=0, help="of --make: same seed, same puzzles (default: 0)")
    parser.add_argument("--file", metavar="FILE", help="list the puzzles of a file that --out has written")
    parser.add_argument("--out", metavar="FILE", help="write the puzzles to a file; Ctrl-C keeps what was found")


def _serve(commands: "Commands[Parser]") -> None:
    examples = "damier serve\ndamier serve --port 8000 --host 0.0.0.0 --no-browser"
    parser = add_command(commands, "serve", "Play in the browser: alone, together, with a friend.", examples, "serves")
    parser.add_argument("--host", help="the address to listen on (default: 127.0.0.1, this machine only)")
    parser.add_argument("--port", type=number, help="the port (default: a free one)")
    parser.add_argument("--database", metavar="FILE", help="where matches are kept (default: the user's data folder)")
    parser.add_argument("--workers", type=number, help="processes in which engines run (default: 2)")
    parser.add_argument("--seconds", type=float, help="what the computer may think at full strength (default: 1)")
    parser.add_argument("--requests-per-second", metavar="N", type=number, help="of one visitor (default: 20)")
    parser.add_argument("--matches-per-hour", metavar="N", type=number, help="of one visitor (default: 120)")
    parser.add_argument("--origin", metavar="URL", help="the address visitors see, if a proxy stands before the server")
    parser.add_argument("--no-browser", dest="browser", action="store_false", help="do not open the browser")


def _bench(commands: "Commands[Parser]") -> None:
    summary = "Measure the speed of this machine and print ratios."
    parser = add_command(commands, "bench", summary, "damier bench", "batches")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions: noisier, done in a minute")
