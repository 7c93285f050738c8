"""``damier selfplay``: writes games of the engine against itself as arrays."""

import argparse
from pathlib import Path

from damier.cli.arguments import (
    Parser,
    add_cluster,
    add_game,
    add_jobs,
    chosen_game,
    chosen_jobs,
    chosen_workers,
    whole_number,
)
from damier.cli.files import check_folder
from damier.cli.output import games_text, print_json, progress
from damier.core.messages import counted, message

EXAMPLES = """
damier selfplay {game} --games 4 --nodes 50 --out games.npz
"""


def add_arguments(parser: Parser) -> None:
    """Adds the games to play and the file."""
    add_game(parser)
    parser.add_argument("--games", metavar="N", type=whole_number, required=True, help="how many games the file gets")
    parser.add_argument(
        "--out", metavar="FILE", required=True, help="FILE.npz or FILE.parquet; one that has games is gone on with"
    )
    parser.add_argument(
        "--nodes", metavar="N", type=whole_number, default=500, help="node limit of an action (default: 500)"
    )
    parser.add_argument("--seed", type=whole_number, default=0, help="same seed, same games (default: 0)")
    parser.add_argument("--max-actions", type=whole_number, default=1000, help="cut a game off here (default: 1000)")
    parser.add_argument(
        "--exact", action="store_true", help="also write exact values, from the table of 'damier solve'"
    )
    add_cluster(parser)
    add_jobs(parser, more="; with --cluster, all cores")


def run(arguments: argparse.Namespace) -> None:
    """Plays games and writes them; a run that was interrupted is gone on with by the same command."""
    from damier.insight.train.rows_file import rows_file
    from damier.insight.train.selfplay import SelfPlay, play_file

    game = chosen_game(arguments)
    how = SelfPlay(nodes=arguments.nodes, seed=arguments.seed, max_actions=arguments.max_actions, exact=arguments.exact)
    check_folder(arguments.out)
    rows_file(Path(arguments.out))  # refuses an ending before a cluster starts
    jobs = chosen_jobs(arguments)
    with (
        chosen_workers(arguments, jobs) as cluster,
        progress(games_text(arguments.games, arguments.lang), arguments.games, arguments.lang) as show,
    ):
        before, rows = play_file(game, arguments.games, Path(arguments.out), how, show, cluster, jobs or 1)
    games, positions = max(before, arguments.games), len(rows["action"])
    if arguments.json:
        head = {"game": game.name, "options": game.options, "file": arguments.out, "games": games, "before": before}
        print_json({**head, "positions": positions})
        return
    print(
        message(
            "{file}: {games}, {positions}.",
            file=arguments.out,
            games=counted("{count} game", "{count} games", count=games),
            positions=counted("{count} position", "{count} positions", count=positions),
        ).render(arguments.lang)
    )
