"""``damier playouts``: plays random games."""

import argparse
import time
from typing import Any

from damier.cli.arguments import (
    Parser,
    add_cluster,
    add_game,
    add_position,
    chosen_game,
    chosen_workers,
    whole_number,
)
from damier.cli.output import games_text, print_json, progress
from damier.core.messages import Message, Number, counted, message
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
    parser.add_argument("--threads", type=whole_number, help="how many threads (default: 1; with --cluster, all cores)")
    add_cluster(parser)
    parser.add_argument("--max-actions", type=whole_number, default=10_000, help="cut a game off here (default: 10000)")


def run(arguments: argparse.Namespace) -> None:
    """Plays random games and prints who won, how long the games were and how fast they were played."""
    game = chosen_game(arguments)
    position = game.position(arguments.position)
    count = arguments.n
    threads = 1 if arguments.threads is None else arguments.threads
    batch.warm_up(game)  # so that compiling is not timed
    with (
        chosen_workers(arguments, arguments.threads) as cluster,
        progress(games_text(count, arguments.lang), count, arguments.lang) as show,
    ):
        began = time.perf_counter()
        setting = arguments.seed, position, arguments.max_actions, threads
        games = batch.playouts(game, count, *setting, show, cluster)
        seconds = time.perf_counter() - began
    summary = games.summary(game.players)
    rate = round(summary["actions"] / seconds) if count else 0
    if arguments.json:
        head = {"game": game.name, "options": game.options, "position": str(position), "games": count}
        timing = {"seconds": round(seconds, 4), "actions_per_second": rate}
        print_json({**head, "seed": arguments.seed, "threads": threads, **summary, **timing})
        return
    for line in _lines(summary, count, seconds, rate):
        print(line.render(arguments.lang))


def _lines(summary: dict[str, Any], count: int, seconds: float, rate: int) -> list[Message]:
    """Returns how often each player won, how long the games were and how fast they were played."""
    lines = []
    for who, won in summary["results"].items():
        share = message("{percent} %", percent=Number(100 * won / max(count, 1), "6.2f"))
        lines.append(Message("{row} {share}", {"row": f"{who:6} {won:10}", "share": share}))
    if lengths := summary["lengths"]:
        shown: dict[str, object] = dict(lengths)
        lines.append(message("actions a game: mean {mean}, min {min}, max {max}", **shown))
    return [
        *lines,
        message(
            "{actions} in {seconds} s: {rate} M actions/s",
            actions=counted("{count} action", "{count} actions", count=summary["actions"]),
            seconds=Number(seconds, ".2f"),
            rate=Number(rate / 1e6, ".2f"),
        ),
    ]
