"""A bandit of openings: which first action is best, judged by random games, with most games where they matter.

    python examples/openings.py --game chefa --games 20000
    damier solve chefa        # once: then exact values stand beside the estimates

Every first action is an arm of a bandit; those that a symmetry of the board makes equal are one arm. A pull plays some
random games after the action, and pays the share that its player has scored. UCB1 pulls the arm whose mean, plus a
bonus for arms that were pulled seldom, is greatest, so that few games are spent on bad openings.
"""

import argparse
import contextlib
import math
import sys
import time
from typing import NamedTuple

import damier
from damier.solve.numbering import NotSolvable
from damier.solve.tables import TableMissing

GAMES = 20  # of a pull
BONUS = 0.5  # weight of UCB1's bonus: scores are means of GAMES games, and so less uncertain than single ones


class Arm(NamedTuple):
    """What a bandit knows of a first action."""

    action: str
    pulls: int
    mean: float
    """The mean score of random games after the action: a win is 1, a draw 1/2."""


def distinct_actions(game: damier.Game, start: damier.Position) -> list[str]:
    """Returns the legal actions, of those that symmetries of the position make equal only the first."""
    spaces = game.spaces
    planes, here = spaces.observe(start), [spaces.action_number(text) for text in start.actions()]
    same = [each for each in spaces.symmetries if (each.turn_planes(planes) == planes).all() and not each.swaps_players]
    found: dict[int, str] = {}
    for number in here:
        found.setdefault(min((int(each.actions[number]) for each in same), default=number), spaces.action_text(number))
    return list(found.values())


def pull(game: damier.Game, start: damier.Position, action: str, seed: int) -> float:
    """Returns the score of the player on move in random games after an action."""
    results = game.playouts(GAMES, seed=seed, position=start.play(action)).results
    player = game.players.index(start.mover)
    return float((results == player).mean() + 0.5 * (results < 0).mean())


def bandit(
    game: damier.Game,
    start: damier.Position,
    games: int,
    seed: int = 0,
    seconds: float | None = None,
    bonus: float = BONUS,
) -> list[Arm]:
    """Plays so many random games by UCB1; returns the arms, those with most pulls first."""
    game.playouts(2000)  # a large job loads the compiled code, which small ones then use, too
    actions = distinct_actions(game, start)
    pulls, totals, began = [0] * len(actions), [0.0] * len(actions), time.monotonic()
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C ends learning
        for count in range(max(games // GAMES, len(actions))):
            if seconds is not None and count >= len(actions) and time.monotonic() > began + seconds:
                break
            hopes = [
                total / n + bonus * math.sqrt(math.log(count) / n) if n else math.inf
                for n, total in zip(pulls, totals, strict=True)
            ]
            i = hopes.index(max(hopes))
            totals[i] += pull(game, start, actions[i], seed * 1_000_003 + count)
            pulls[i] += 1
    arms = [Arm(action, n, total / n) for action, n, total in zip(actions, pulls, totals, strict=True) if n]
    return sorted(arms, key=lambda arm: (-arm.pulls, arm.action))


def exact_values(game: damier.Game, start: damier.Position) -> dict[str, str] | str:
    """Returns the exact value of every action in words, or a sentence why there are none."""
    try:
        return {text: str(value.text()) for text, value in game.tables.action_values(start).items()}
    except (TableMissing, NotSolvable) as missing:
        return f"No exact values. {missing}"


def main(given: list[str] | None = None) -> list[Arm]:
    """Pulls arms, prints them beside exact values, and returns them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="chefa", help="a name that 'damier games' lists (default: chefa)")
    parser.add_argument("--option", metavar="NAME=VALUE", action="append", default=[], help="an option of the game")
    parser.add_argument("--position", help="a position string (default: the start)")
    parser.add_argument("--games", type=int, default=20_000, help="random games in all (default: 20000)")
    parser.add_argument("--seconds", type=float, help="stop after this time")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(given)
    if not all("=" in text for text in arguments.option):
        parser.error("an option is written NAME=VALUE")
    game = damier.load(arguments.game, **dict(text.split("=", 1) for text in arguments.option))
    start = game.position(arguments.position)
    if start.mover == "chance" or start.result:
        parser.error("nobody can act here: --position takes one in which a player is on move")
    arms = bandit(game, start, arguments.games, arguments.seed, arguments.seconds)
    exact = exact_values(game, start)
    print("action       pulls  score  exact")
    for arm in arms:
        value = exact.get(arm.action, "") if isinstance(exact, dict) else ""
        print(f"{arm.action:10} {arm.pulls:7}  {arm.mean:.3f}  {value}")
    if isinstance(exact, str):
        print(exact)
    return arms


if __name__ == "__main__":
    try:
        main()
    except damier.DamierError as error:
        sys.exit(str(error))
