"""``damier perft``: counts action sequences."""

import argparse
import time
from typing import Any

from damier.cli.arguments import Parser, add_game, add_position, chosen_game, whole_number
from damier.cli.output import print_json, progress
from damier.search import batch

EXAMPLES = """
damier perft {game} 4
damier perft {game} 2 --divide
damier perft {game} 3 --position "{position}" --json
"""


def add_arguments(parser: Parser) -> None:
    """Adds the game, the depth and the position to count from."""
    add_game(parser)
    parser.add_argument("depth", metavar="DEPTH", type=whole_number, help="how many actions")
    add_position(parser)
    parser.add_argument("--divide", action="store_true", help="print the count for each first action too")


def run(arguments: argparse.Namespace) -> None:
    """Counts the action sequences of exactly `depth` actions."""
    game = chosen_game(arguments)
    position = game.position(arguments.position)
    began = time.perf_counter()
    with progress(f"perft {arguments.depth}") as show:
        if arguments.divide:
            divided = batch.perft_divided(game, position, arguments.depth, show)
            count = sum(divided.values())
        else:
            divided, count = None, batch.perft(game, position, arguments.depth, show)
    seconds = time.perf_counter() - began
    if arguments.json:
        data: dict[str, Any] = {"game": game.name, "options": game.options, "position": str(position)}
        data.update(depth=arguments.depth, count=count, seconds=round(seconds, 3))
        print_json(data if divided is None else {**data, "divided": divided})
        return
    for action, part in (divided or {}).items():
        print(f"{action} {part}")
    print(count)
