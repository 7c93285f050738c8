"""``damier playouts``: plays random games."""

import argparse
import time

from damier.cli.arguments import Parser, add_game, add_position, chosen_game, whole_number
from damier.cli.output import print_json, progress
from damier.search import batch

EXAMPLES = """
damier playouts {game} 10000
damier playouts {game} 100000 --threads 2 --seed 7 --json
"""


def add_arguments(parser: Parser) -> None:
    """Adds the game, the number of games and how to play them."""
    add_game(parser)
    parser.add_argument("n", metavar="N", type=whole_number, help="how many games")
    add_position(parser)
    parser.add_argument("--seed", type=whole_number, default=0, help="same seed, same games (default: 0)")
    parser.add_argument("--threads", type=whole_number, default=1, help="how many threads (default: 1)")
    parser.add_argument("--max-actions", type=whole_number, default=10_000, help="cut a game off here (default: 10000)")


def run(arguments: argparse.Namespace) -> None:
    """Plays random games and prints who won, how long the games were and how fast they were played."""
    game = chosen_game(arguments)
    position = game.position(arguments.position)
    count = arguments.n
    batch.warm_up(game)  # so that compiling is not timed
    began = time.perf_counter()
    with progress(f"{count} games", "games", count) as show:
        games = batch.playouts(game, count, arguments.seed, position, arguments.max_actions, arguments.threads, show)
    seconds = time.perf_counter() - began
    summary = games.summary(game.players)
    rate = round(summary["actions"] / seconds) if count else 0
    if arguments.json:
        head = {"game": game.name, "options": game.options, "position": str(position), "games": count}
        timing = {"seconds": round(seconds, 4), "actions_per_second": rate}
        print_json({**head, "seed": arguments.seed, "threads": arguments.threads, **summary, **timing})
        return
    for who, games_won in summary["results"].items():
        print(f"{who:6} {games_won:10} {100 * games_won / max(count, 1):6.2f} %")
    if lengths := summary["lengths"]:
        print("actions a game: " + ", ".join(f"{name} {value}" for name, value in lengths.items()))
    print(f"{summary['actions']} actions in {seconds:.2f} s: {rate / 1e6:.2f} M actions/s")
