"""The command that fits an evaluation."""

import argparse
from collections.abc import Sequence
from typing import Any

from damier import Game
from damier.cli.output import chosen_game, print_json, progress
from damier.core.errors import BadArgument
from damier.core.messages import Message, message
from damier.core.ranges import check_whole
from damier.engine.limit import Limit

_MOST_GAMES = 10_000_000
_MOST_JOBS = 256
_GAMES_A_ROUND = 600  # of tuning by matches, about


def fit(chosen: argparse.Namespace) -> None:
    """Fits the weights of a game's evaluation and prints them beside those that it has."""
    game = chosen_game(chosen)
    if chosen.by == "matches" and len(game.players) != 2:
        raise BadArgument(message("Weights are tuned by matches only for two players."))
    if not hasattr(game.definition.evaluate, "terms"):
        raise BadArgument(message("The evaluation of {game} has no terms to fit.", game=game.title))
    check_whole("games", chosen.games, 1, _MOST_GAMES)
    check_whole("jobs", chosen.jobs, 1, _MOST_JOBS)
    Limit(nodes=chosen.nodes)  # refuses a number that is none
    weights, found, summary = (_tuned if chosen.by == "matches" else _fitted)(game, chosen)
    evaluate = game.definition.evaluate
    names = _term_names(getattr(evaluate, "TERMS", ()), len(weights))
    terms = list(zip(names, evaluate.WEIGHTS, weights, strict=False))
    if chosen.json:
        head = {"game": game.name, "options": game.options, "by": chosen.by, "nodes": chosen.nodes, "seed": chosen.seed}
        print_json({**head, **found, "terms": [{"name": name, "old": old, "new": new} for name, old, new in terms]})
        return
    width = max(len(name) for name, _, _ in terms)
    for name, old, new in terms:
        print(f"{name:{width}} {old:7} {new:7}")
    print(summary.render(chosen.lang))
    print(f"WEIGHTS = {list(weights)}")


def _fitted(game: Game, chosen: argparse.Namespace) -> tuple[tuple[int, ...], dict[str, Any], Message]:
    """Returns weights fitted to results, with figures and a sentence about the fit."""
    from damier.insight.train.fit import fit as fit_weights

    with progress(f"{chosen.games} games", "games", chosen.games) as show:
        found = fit_weights(game, chosen.games, chosen.nodes, chosen.seed, show)
    summary = message(
        "{games} games, {positions} positions: loss {before} before, {after} after; knowing nothing, 0.6931.",
        games=found.games,
        positions=found.rows,
        before=f"{found.loss_before:.4f}",
        after=f"{found.loss:.4f}",
    )
    figures = {"games": found.games, "positions": found.rows, "loss_before": found.loss_before, "loss": found.loss}
    return found.weights, figures, summary


def _tuned(game: Game, chosen: argparse.Namespace) -> tuple[tuple[int, ...], dict[str, Any], Message]:
    """Returns weights tuned by matches, with figures and a sentence about them; Ctrl-C ends it with what it has."""
    from damier.insight.train.tune import Tuning, tune

    rounds = max(1, round(chosen.games / _GAMES_A_ROUND))
    pairs = max(1, chosen.games // (2 * rounds))
    so_far: list[Tuning] = []
    try:
        with progress(f"{chosen.games} games", "games", chosen.games) as show:
            so_far.extend(tune(game, rounds, pairs, chosen.nodes, chosen.seed, chosen.jobs, show))
    except KeyboardInterrupt:
        if not so_far:
            raise
    found = so_far[-1]
    summary = message(
        "{games} games in {rounds} rounds: weights went with scores by {slope} in the last, by chance {noise}.",
        games=found.games,
        rounds=found.rounds,
        slope=f"{found.slope:.4f}",
        noise=f"{found.noise:.4f}",
    )
    figures = {"games": found.games, "rounds": found.rounds, "slope": found.slope, "noise": found.noise}
    return found.weights, figures, summary


def _term_names(names: Sequence[str], count: int) -> list[str]:
    """Returns a name for each weight; where there are several sets of weights, the names come again with a number."""
    if not names:
        return [str(number + 1) for number in range(count)]
    sets = [number // len(names) + 1 for number in range(count)]
    return [names[i % len(names)] + (f" ({number})" if number > 1 else "") for i, number in enumerate(sets)]
