"""Games that the engine plays against itself, as arrays in a file, for learners.

There is a row for each position in which a player acted: what that player saw, the legal actions, the action, the
winning chance by search, and how the game ended for that player. Games begin with random actions, and some later ones
are random, too, so that they differ. Game i depends on the seed and on i alone: a file that has some of the games is
gone on with, and has in the end the same arrays as if it had been made at once.
"""

from __future__ import annotations

import json
import os
import random
import time
import zipfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.core.ranges import check_whole
from damier.engine.engine import Engine
from damier.engine.limit import Limit

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.record import Record

Rows = dict[str, Any]
"""Arrays of one length, by name."""

FORMAT = 1
_MOST_GAMES = 10_000_000
_MOST_ACTIONS = 1_000_000
_MEMORY = 4  # MB of the transposition table: searches are short
_SAVE_AFTER = 60.0  # seconds of play that may be lost


@dataclass(frozen=True)
class SelfPlay:
    """How games are played; files of other settings are not gone on with."""

    nodes: int = 500
    """Positions that the engine searches before an action."""

    seed: int = 0
    opening: int = 6
    """Games begin with as many random actions at most."""

    slip: float = 0.05
    """Share of later actions that are random."""

    max_actions: int = 1000
    """A game is cut off here, rolls included, and counts as a draw."""

    def __post_init__(self) -> None:
        Limit(nodes=self.nodes)
        check_whole("opening", self.opening, 0, _MOST_ACTIONS)
        check_whole("max_actions", self.max_actions, 1, _MOST_ACTIONS)


def play_file(
    game: Game, games: int, file: Path, how: SelfPlay, progress: Callable[[float], None] | None = None
) -> tuple[int, Rows]:
    """Adds games to a file until it has `games` of them; returns how many it had before, and its arrays."""
    check_whole("games", games, 1, _MOST_GAMES)
    setting = json.dumps({"format": FORMAT, "game": game.name, "options": game.options, **asdict(how)})
    before, parts = _read(file, setting)
    spaces = game.spaces
    engine = Engine(game, memory=_MEMORY)
    engine.warm_up()
    done, saved = before, time.monotonic()
    try:
        for number in range(before, games):
            parts.append(_rows(number, _played(engine, how, random.Random(f"{how.seed} {number}")), spaces.shape))
            done = number + 1
            if progress:
                progress(done / games)
            if time.monotonic() - saved > _SAVE_AFTER:
                parts = [_save(file, setting, done, parts)]
                saved = time.monotonic()
    finally:  # Ctrl-C, too
        engine.close()
        if done > before:
            parts = [_save(file, setting, done, parts)]
    return before, parts[0]


def _played(engine: Engine, how: SelfPlay, rng: random.Random) -> list[tuple[Any, ...]]:
    """Plays a game; returns observation, mask, action, mover, chance, whether random, and reward, for each position."""
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
        seen = spaces.observe(record), np.packbits(spaces.mask(record))
        rows.append((*seen, spaces.action_number(text), mover, last.best.value.chances[mover], is_random))
        record.play(text)
    rewards = _rewards(record)
    return [(*row, rewards[row[3]]) for row in rows]


def _rewards(record: Record) -> list[float]:
    """Returns what each player gets: 1 for winning, the others share a loss of 1; 0 if nobody has won."""
    players, winner = record.game.players, record.result.winner if record.result else None
    if winner is None:
        return [0.0] * len(players)
    return [1.0 if player == winner else -1 / (len(players) - 1) for player in players]


def _rows(number: int, played: list[tuple[Any, ...]], shape: tuple[int, int, int]) -> Rows:
    """Returns the positions of a game as arrays."""
    seen, masks, actions, movers, chances, is_random, rewards = zip(*played, strict=True) if played else [()] * 7
    return {
        "game": np.full(len(played), number, np.int32),
        "observation": np.array(seen, np.uint8).reshape(-1, *shape),
        "mask": np.array(masks, np.uint8).reshape(len(played), -1),
        "action": np.array(actions, np.int16),
        "mover": np.array(movers, np.int8),
        "chance": np.array(chances, np.float32),
        "is_random": np.array(is_random, np.bool_),
        "reward": np.array(rewards, np.float32),
    }


def _save(file: Path, setting: str, games: int, parts: list[Rows]) -> Rows:
    """Writes all rows to the file, which then has them all or is as it was; returns them."""
    rows: Rows = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    unfinished = file.with_name(f"{file.name}.unfinished")
    try:
        with unfinished.open("wb") as stream:
            np.savez_compressed(stream, setting=np.array(setting), games=np.array(games), **rows)
        os.replace(unfinished, file)
    except OSError as error:
        raise BadArgument(
            message("The file {file} cannot be written: {why}.", file=shown(str(file)), why=error.strerror)
        ) from None
    return rows


def _read(file: Path, setting: str) -> tuple[int, list[Rows]]:
    """Returns how many games a file has, and their rows; none if there is no file."""
    if not file.exists():
        return 0, []
    try:
        with np.load(file) as stored:
            rows = {name: stored[name] for name in stored.files}
        before, found = int(rows.pop("games")), str(rows.pop("setting"))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise BadArgument(
            message("The file {file} is not one of self-play: name another one.", file=shown(str(file)))
        ) from None
    if found != setting:
        raise BadArgument(
            message("The file {file} has games of other settings: name another one.", file=shown(str(file)))
        )
    return before, [rows]
