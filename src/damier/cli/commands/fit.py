"""``damier fit``: fits the weights of an evaluation."""

import argparse
import math
from collections.abc import Sequence
from typing import Any

from damier import Game
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
from damier.cli.output import games_text, print_json, progress
from damier.core.errors import BadArgument
from damier.core.messages import Message, Number, counted, message
from damier.core.ranges import check_whole
from damier.engine.limit import Limit

EXAMPLES = """
damier fit {game} --games 20 --nodes 50
damier fit {game} --by matches --games 4 --nodes 20 --jobs 2
"""

_MOST_GAMES = 10_000_000
_GAMES_PER_ROUND = 600  # of tuning by matches, about


def add_arguments(parser: Parser) -> None:
    """Adds the method of fitting and the games to play."""
    add_game(parser)
    parser.add_argument(
        "--by",
        choices=("results", "matches"),
        default="results",
        help="regression on results of self-play, or tuning by matches with changed weights (default: results)",
    )
    parser.add_argument("--games", metavar="N", type=whole_number, default=2000, help="how many games (default: 2000)")
    add_jobs(parser, more="; with --cluster, all cores")
    parser.add_argument(
        "--nodes", metavar="N", type=whole_number, default=500, help="node limit of a turn (default: 500)"
    )
    add_cluster(parser)
    parser.add_argument("--seed", type=whole_number, default=0, help="same seed, same games (default: 0)")


def run(arguments: argparse.Namespace) -> None:
    """Fits the weights of a game's evaluation and prints them beside the current ones."""
    game = chosen_game(arguments)
    if arguments.by == "matches" and len(game.players) != 2:
        raise BadArgument(message("Weights are tuned by matches only for two players."))
    if not hasattr(game.definition.evaluate, "terms"):
        raise BadArgument(message("The evaluation of {game} has no terms to fit.", game=game.title))
    check_whole("games", arguments.games, 1, _MOST_GAMES)
    chosen_jobs(arguments)  # refuses a bad number
    Limit(nodes=arguments.nodes)  # refuses a bad number
    weights, found, summary = (_tuned if arguments.by == "matches" else _fitted)(game, arguments)
    evaluate = game.definition.evaluate
    names = _term_names(getattr(evaluate, "TERMS", ()), len(weights))
    terms = list(zip(names, evaluate.WEIGHTS, weights, strict=False))
    if arguments.json:
        head = {
            "game": game.name,
            "options": game.options,
            "by": arguments.by,
            "nodes": arguments.nodes,
            "seed": arguments.seed,
        }
        print_json({**head, **found, "terms": [{"name": name, "old": old, "new": new} for name, old, new in terms]})
        return
    width = max(len(name) for name, _, _ in terms)
    for name, old, new in terms:
        print(f"{name:{width}} {old:7} {new:7}")
    print(summary.render(arguments.lang))
    print(f"WEIGHTS = {list(weights)}")


def _fitted(game: Game, arguments: argparse.Namespace) -> tuple[tuple[int, ...], dict[str, Any], Message]:
    """Returns weights fitted to results, with figures and a sentence about the fit."""
    from damier.insight.train.fit import fit as fit_weights

    with (
        chosen_workers(arguments, arguments.jobs) as cluster,
        progress(games_text(arguments.games, arguments.lang), arguments.games, arguments.lang) as show,
    ):
        found = fit_weights(game, arguments.games, arguments.nodes, arguments.seed, show, cluster)
    summary = message(
        "{games}, {positions}: loss {before} before, {after} after; knowing nothing, {nothing}.",
        games=counted("{count} game", "{count} games", count=found.games),
        positions=counted("{count} position", "{count} positions", count=found.rows),
        before=Number(found.loss_before, ".4f"),
        after=Number(found.loss, ".4f"),
        nothing=Number(math.log(2), ".4f"),
    )
    figures = {"games": found.games, "positions": found.rows, "loss_before": found.loss_before, "loss": found.loss}
    return found.weights, figures, summary


def _tuned(game: Game, arguments: argparse.Namespace) -> tuple[tuple[int, ...], dict[str, Any], Message]:
    """Returns weights tuned by matches, with figures and a sentence; Ctrl-C stops with the weights found so far."""
    from damier.insight.train.tune import Tuning, tune

    rounds = max(1, round(arguments.games / _GAMES_PER_ROUND))
    pairs = max(1, arguments.games // (2 * rounds))
    so_far: list[Tuning] = []
    try:
        with (
            chosen_workers(arguments, arguments.jobs) as cluster,
            progress(games_text(arguments.games, arguments.lang), arguments.games, arguments.lang) as show,
        ):
            given = arguments.nodes, arguments.seed, arguments.jobs or 1, show, cluster
            so_far.extend(tune(game, rounds, pairs, *given))
    except KeyboardInterrupt:
        if not so_far:
            raise
    found = so_far[-1]
    summary = message(
        "{games} in {rounds}; slope of scores on weights in the last round: {slope}, by chance {noise}.",
        games=counted("{count} game", "{count} games", count=found.games),
        rounds=counted("{count} round", "{count} rounds", count=found.rounds),
        slope=Number(found.slope, ".4f"),
        noise=Number(found.noise, ".4f"),
    )
    figures = {"games": found.games, "rounds": found.rounds, "slope": found.slope, "noise": found.noise}
    return found.weights, figures, summary


def _term_names(names: Sequence[str], count: int) -> list[str]:
    """Returns a name for each weight; names of further sets of weights get a number."""
    if not names:
        return [str(number + 1) for number in range(count)]
    sets = [number // len(names) + 1 for number in range(count)]
    return [names[i % len(names)] + (f" ({number})" if number > 1 else "") for i, number in enumerate(sets)]
