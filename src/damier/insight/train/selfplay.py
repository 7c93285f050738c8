"""Games that the engine plays against itself, as arrays in a file, for learners.

There is a row for each position in which a player acted: what that player saw, the legal actions, the action, the
winning chance by search, how the game ended for that player and, if asked for, the exact value. Games begin with
random actions, and some later ones are random, too, so that they differ. Game i depends on the seed and on i alone: a
file that has some of the games is gone on with, and is in the end the same as if it had been made at once, on whatever
nodes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from damier.core.ranges import check_whole
from damier.engine.engine import Engine
from damier.engine.limit import Limit
from damier.insight.train.game_file import GameFile
from damier.insight.train.rows_file import Rows
from damier.insight.train.task_runner import task_runner

if TYPE_CHECKING:
    from damier.cluster.nodes import Nodes
    from damier.core.game import Game
    from damier.core.record import Record
    from damier.search.spaces import Spaces

_COLUMNS = ("game", "observation", "mask", "action", "mover", "chance", "is_random", "reward")
_EXACT = ("exact_chance", "exact_plies")
_MOST_ACTIONS = 1_000_000
_MEMORY = 4  # MB of the transposition table: searches are short


@dataclass(frozen=True)
class SelfPlay:
    """How games are played and what is stored; files of other settings are not gone on with."""

    nodes: int = 500
    """Positions that the engine searches before an action."""

    seed: int = 0
    opening: int = 6
    """Games begin with as many random actions at most."""

    slip: float = 0.05
    """Share of later actions that are random."""

    max_actions: int = 1000
    """A game is cut off here, rolls included, and counts as a draw."""

    exact: bool = False
    """Whether rows have exact values, from the game's table."""

    def __post_init__(self) -> None:
        Limit(nodes=self.nodes)
        check_whole("opening", self.opening, 0, _MOST_ACTIONS)
        check_whole("max_actions", self.max_actions, 1, _MOST_ACTIONS)


def play_file(
    game: Game,
    games: int,
    file: Path,
    how: SelfPlay,
    progress: Callable[[float], None] | None = None,
    cluster: Nodes | None = None,
    jobs: int = 1,
) -> tuple[int, Rows]:
    """Adds games to a file until it has `games` of them; returns how many it had before, and its arrays.

    The ending of the file's name is its format: see ``rows_file.py``. The nodes of a cluster play, if there is one,
    else `jobs` processes; exact values are looked up here.
    """
    columns = (*_COLUMNS, *_EXACT) if how.exact else _COLUMNS
    stored = GameFile(file, {"game": game.name, "options": game.options, **asdict(how)}, columns)
    if how.exact:
        game.tables.probe_value(game.start)  # raises what is wrong with the table
    with task_runner(jobs, cluster) as runner:

        def play(ranges: Iterable[tuple[int, int]]) -> Generator[list[Rows], None, None]:
            for part in runner.call(_play_range, ((game, how, *each) for each in ranges)):
                yield [_with_exact(game, rows) if how.exact else _without_states(rows) for rows in part]

        return stored.extend(games, play, runner.at_once, progress)


def _play_range(game: Game, how: SelfPlay, first: int, end: int) -> list[Rows]:
    """Plays the games from number `first` to the one before `end`."""
    engine = Engine(game, memory=_MEMORY)
    engine.warm_up()
    try:
        return [
            _rows(number, _played(engine, how, random.Random(f"{how.seed} {number}")), game.spaces)
            for number in range(first, end)
        ]
    finally:
        engine.close()


def _played(engine: Engine, how: SelfPlay, rng: random.Random) -> list[tuple[Any, ...]]:
    """Plays a game; returns state, observation, mask, action, mover, chance, whether random, and reward of each row."""
    game = engine.game
    spaces, record, rows = game.spaces, game.record(), list[tuple[Any, ...]]()
    opening = rng.randint(0, how.opening)
    engine.new_game()
    while record.result is None and record.count < how.max_actions:
        if record.mover == "chance":
            record.play(rng.choice(record.actions()))
            continue
        mover = game.players.index(record.mover)
        *_, last = engine.analyse(record, Limit(nodes=how.nodes), lines=1)
        is_random = record.count < opening or rng.random() < how.slip
        text = rng.choice(record.actions()) if is_random else last.best.actions[0]
        seen = record.position.state, spaces.observe(record), np.packbits(spaces.mask(record))
        rows.append((*seen, spaces.action_number(text), mover, last.best.value.chances[mover], is_random))
        record.play(text)
    rewards = _rewards(record)
    return [(*row, rewards[row[4]]) for row in rows]


def _rewards(record: Record) -> list[float]:
    """Returns what each player gets: 1 for winning, the others share a loss of 1; 0 if nobody has won."""
    players, winner = record.game.players, record.result.winner if record.result else None
    if winner is None:
        return [0.0] * len(players)
    return [1.0 if player == winner else -1 / (len(players) - 1) for player in players]


def _rows(number: int, played: list[tuple[Any, ...]], spaces: Spaces) -> Rows:
    """Returns the positions of a game as arrays, with their states."""
    states, seen, masks, actions, movers, chances, is_random, rewards = (
        zip(*played, strict=True) if played else [()] * 8
    )
    return {
        "state": np.array(states, np.int64).reshape(-1, 3),
        "game": np.full(len(played), number, np.int32),
        "observation": np.array(seen, np.uint8).reshape(-1, *spaces.shape),
        "mask": np.array(masks, np.uint8).reshape(-1, -(-spaces.action_count // 8)),
        "action": np.array(actions, np.int16),
        "mover": np.array(movers, np.int8),
        "chance": np.array(chances, np.float32),
        "is_random": np.array(is_random, np.bool_),
        "reward": np.array(rewards, np.float32),
    }


def _without_states(rows: Rows) -> Rows:
    return {name: array for name, array in rows.items() if name != "state"}


def _with_exact(game: Game, rows: Rows) -> Rows:
    """Returns rows with the exact values of their states instead of the states."""
    values = game.tables.probe_positions(rows["state"])
    return _without_states(rows) | dict(zip(_EXACT, (values.chances.astype(np.float32), values.plies), strict=True))
