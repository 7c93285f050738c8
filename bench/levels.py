"""Measures each level against the one below, or calibrates new levels.

    python -m bench.levels GAME [-o NAME=VALUE ...] [--games 200] [--seconds 0.1] [--jobs 2]
    python -m bench.levels GAME --find [--games 60]

Without --find it plays level k + 1 against level k for every k and prints the table of ``docs/engine.md``. With --find
it calibrates the levels below full strength: players of increasing skill, one number, play their neighbours; the levels
are placed on this ladder at equal distances in Elo and printed as the LEVELS of ``games/<name>/levels.py``. Full
strength has --seconds a turn.
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice, pairwise

import damier
from damier.core.definition import Strength
from damier.engine.arena.elo import elo_of_score, estimate
from damier.engine.arena.one_game import play_game
from damier.engine.arena.openings import opening_turns, openings
from damier.engine.judge import EngineJudge
from damier.engine.levels import FULL_STRENGTH, LEVELS, LevelPlayer
from damier.engine.limit import Limit
from damier.engine.player import Player

MAX_TURNS = 120  # of a game; a longer one is a draw
BELOW_FULL = len(LEVELS) - 1  # levels
STEPS = 10  # of the ladder
MOST_SCORE = 0.96  # better scores count as this one


def strength_of(skill: float) -> Strength:
    """Returns the strength of a skill from 0, almost none, to 1, almost full."""
    nodes = round(12 * 10 ** (4.5 * skill))
    overlooked, margin = 0.75 * max(0.0, 1 - 1.15 * skill), 0.35 * max(0.0, 1 - 1.3 * skill) ** 2
    return Strength(nodes, round(overlooked, 3), round(margin, 3))


def player_of(game: damier.Game, who: Strength | int, seed: int) -> Player:
    """Returns the player of a level, or of a strength."""
    player = LevelPlayer(game, who, seed) if isinstance(who, int) else LevelPlayer(game, LEVELS[0], seed, who)
    player.warm_up()
    return player


def play_pair(
    game: damier.Game,
    a: Strength | int,
    b: Strength | int,
    seconds: float,
    number_and_opening: tuple[int, tuple[str, ...]],
) -> float:
    """Plays an opening with both sides and returns the score of `a`, 0 to 1."""
    number, opening = number_and_opening
    points, players = 0.0, len(game.players)
    for side in (0, 1):
        seats = [
            player_of(game, a if (seat + side) % 2 == 0 else b, 1000 * number + 10 * seat + side)
            for seat in range(players)
        ]
        mine = [name for seat, name in enumerate(game.players) if (seat + side) % 2 == 0]
        played = play_game(game, seats, Limit(seconds=seconds), opening=opening, dice=number, max_turns=MAX_TURNS)
        points += played.points(mine)
        for seat in seats:
            seat.close()
    return points / 2


def scores(
    pool: ProcessPoolExecutor,
    game: damier.Game,
    a: Strength | int,
    b: Strength | int,
    games: int,
    seconds: float,
    seed: int,
) -> list[float]:
    """Returns the pair scores of `a` against `b`."""
    begins = islice(openings(game, opening_turns(game), seed, EngineJudge(game)), games // 2)
    return list(pool.map(partial(play_pair, game, a, b, seconds), enumerate(begins)))


def find(pool: ProcessPoolExecutor, game: damier.Game, games: int, seconds: float) -> list[Strength]:
    """Returns strengths of the lower levels at equal distances in Elo between the least skill and full strength."""
    skills = [number / STEPS for number in range(STEPS + 1)]
    ladder: list[Strength | int] = [*(strength_of(skill) for skill in skills), FULL_STRENGTH]
    heights = [0.0]
    for number, (lower, upper) in enumerate(pairwise(ladder)):
        pairs = scores(pool, game, upper, lower, games, seconds, 100 * number)
        step = elo_of_score(min(MOST_SCORE, max(0.5, sum(pairs) / len(pairs))))
        heights.append(heights[-1] + step)
        print(f"  {upper} over {lower}: {step:+.0f}", flush=True)
    print(f"  {heights[-1]:.0f} Elo in all, {heights[-1] / BELOW_FULL:.0f} from level to level", flush=True)
    return [strength_of(skill_at(heights[-1] * level / BELOW_FULL, skills, heights)) for level in range(BELOW_FULL)]


def skill_at(height: float, skills: list[float], heights: list[float]) -> float:
    """Returns the skill at which the ladder reaches a height in Elo."""
    for i in range(len(skills) - 1):
        if heights[i + 1] >= height and heights[i + 1] > heights[i]:
            return skills[i] + (skills[i + 1] - skills[i]) * (height - heights[i]) / (heights[i + 1] - heights[i])
    return skills[-1]


def main() -> None:
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("-o", dest="options", action="append", default=[])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--find", action="store_true")
    parser.add_argument(
        "--levels",
        type=int,
        nargs=2,
        default=(LEVELS[0], LEVELS[-1]),
        help="the lowest and the highest level to measure",
    )
    chosen = parser.parse_args()
    game = damier.load(chosen.game, **dict(option.split("=", 1) for option in chosen.options))
    with ProcessPoolExecutor(chosen.jobs) as pool:
        if chosen.find:
            for strength in find(pool, game, chosen.games, chosen.seconds):
                print(f"    Strength({strength.nodes}, {strength.overlooked}, {strength.margin}),")
            return
        for level in range(chosen.levels[0], chosen.levels[1]):
            pairs = scores(pool, game, level + 1, level, chosen.games, chosen.seconds, 7 * level)
            result = estimate(pairs)
            print(
                f"| {level + 1} against {level} | {100 * result.score:.1f} % "
                f"| {result.elo:+.0f} ({result.low:+.0f} to {result.high:+.0f}) | {chosen.games} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
