"""``damier train``: trains the network that judges positions."""

import argparse
from pathlib import Path

from damier.cli.arguments import Parser, add_game, add_jobs, chosen_game, chosen_jobs, whole_number
from damier.cli.files import check_folder
from damier.cli.output import print_json, progress
from damier.core.messages import counted, message
from damier.core.ranges import check_whole
from damier.engine.limit import Limit
from damier.engine.methods.evaluation import HAND_MADE, check_evaluation

EXAMPLES = """
damier train {learner} --games 4 --nodes 50 --epochs 2 --out network.bin
"""


def add_arguments(parser: Parser) -> None:
    """Adds the games to play, the epochs and the file."""
    add_game(parser)
    parser.add_argument("--out", metavar="FILE", required=True, help="the network; its log gets the ending .json")
    parser.add_argument(
        "--games",
        metavar="N",
        type=whole_number,
        default=5000,
        help="games of self-play for each set of options that the network serves (default: 5000)",
    )
    parser.add_argument(
        "--nodes", metavar="N", type=whole_number, default=1000, help="node limit of an action (default: 1000)"
    )
    parser.add_argument(
        "--epochs", metavar="N", type=whole_number, default=12, help="how often each position is learned (default: 12)"
    )
    parser.add_argument(
        "--teacher",
        metavar="EVALUATION",
        default=HAND_MADE,
        help="what judges positions in these games: hand-made, learned or a FILE.bin of this command "
        "(default: hand-made)",
    )
    add_jobs(parser)
    parser.add_argument("--seed", type=whole_number, default=0, help="same seed, same games (default: 0)")
    parser.add_argument(
        "--more",
        metavar="FOLDER",
        action="append",
        default=[],
        help="learn from the games in the folder of another training, too; can be repeated",
    )
    parser.add_argument(
        "--folder", metavar="FOLDER", help="keeps the games and what is learned so far (default: FILE.training)"
    )


def run(arguments: argparse.Namespace) -> None:
    """Plays games, trains and writes the network; a run that was interrupted is gone on with by the same command."""
    from damier.insight.train.game_file import MOST_GAMES
    from damier.insight.train.school import check_file, check_trainable, losses, train_network

    game, file = chosen_game(arguments), Path(arguments.out)
    check_trainable(game)
    check_whole("games", arguments.games, 2, MOST_GAMES)
    jobs = chosen_jobs(arguments) or 1
    check_evaluation(game, arguments.teacher)
    Limit(nodes=arguments.nodes)  # refuses a bad number
    check_folder(arguments.out)
    check_file(file)
    from damier.insight.train.learn import Course
    from damier.insight.train.positions import Play

    folder = Path(arguments.folder or f"{arguments.out}.training")
    play = Play(nodes=arguments.nodes, seed=arguments.seed, teacher=arguments.teacher)
    course = Course(epochs=arguments.epochs, seed=arguments.seed)
    with progress(file.name, 0, arguments.lang) as show:
        more = [Path(each) for each in arguments.more]
        trained = train_network(game, arguments.games, folder, file, play, course, show, jobs, more)
    found = losses(trained.epochs)
    if arguments.json:
        head = {"game": game.name, "options": game.options, "file": arguments.out}
        print_json({**head, "games": trained.games, "positions": trained.positions, **found})
        return
    print(
        message(
            "{file}: {games}, {positions}; loss {loss}, for games that were held out {held_out}.",
            file=arguments.out,
            games=counted("{count} game", "{count} games", count=trained.games),
            positions=counted("{count} position", "{count} positions", count=trained.positions),
            loss=f"{found['loss']:.4f}",
            held_out=f"{found['held_out']:.4f}",
        ).render(arguments.lang)
    )
