"""``damier engine``: serves the engine to another program."""

import argparse
import sys

from damier.cli.arguments import Parser, add_game, chosen_game
from damier.core.errors import BadArgument
from damier.core.messages import message

EXAMPLES = """
damier engine {game}
damier engine {game} --protocol gtp
damier match {game} --a full --b "ugi:damier engine {game}" --games 2 --nodes 100 --max-turns 50
"""

HAS_JSON = False  # the protocol decides what is printed


def add_arguments(parser: Parser) -> None:
    """Adds the game and the protocol."""
    add_game(parser)
    parser.add_argument("--protocol", choices=("ugi", "gtp"), default="ugi", help="the protocol (default: ugi)")


def run(arguments: argparse.Namespace) -> None:
    """Serves the engine until the other program quits or closes the stream."""
    game = chosen_game(arguments)
    if sys.stdin is None:  # closed by the caller
        raise BadArgument(message("There is no standard input to read."))
    if arguments.protocol == "gtp":
        from damier.engine.protocols.gtp import run_gtp

        run_gtp(game)
    else:
        from damier.engine.protocols.ugi import run_ugi

        run_ugi(game)
