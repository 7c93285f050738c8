"""Positions with what a short search says of them and how the game ended: what an evaluation network learns from.

The engine plays itself with few nodes an action, from random openings and with some random actions. Each position in
which the evaluation would be asked becomes a row: undecided, nothing wins at once, and no win has to be stopped. Beside
each stands one that some random actions lead to: search looks mostly at such positions. Game i depends on the seed and
on i alone, so a file that has some of the games is gone on with.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Generator, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from damier.core.kernel.network import network_bytes
from damier.core.record import Record
from damier.engine.limit import Limit
from damier.engine.methods.alphabeta_thread import AlphaBetaThread, algorithms, exercise, plain
from damier.engine.methods.evaluation import HAND_MADE, network_words, rules_for
from damier.engine.methods.kernel_loader import shared_loader
from damier.engine.methods.transposition import TranspositionTable
from damier.insight.train.game_file import GameFile
from damier.insight.train.rows_file import Rows
from damier.insight.train.task_runner import task_runner
from damier.search.alphabeta import PROVED, WIN

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.position import Position

_MEMORY = 4  # MB of the transposition table: searches are short
_MOST_DEPTH = 30
_ASIDE = (1, 4)  # random actions from a position of a game to one that only a search would look at
_NOBODY = -1

UNKNOWN = 2
"""The result of a position beside the game."""

KIND = "positions"
"""What the setting of a file calls its rows."""

COLUMNS = ("state", "value", "result", "game")
"""The arrays of a file."""


@dataclass(frozen=True)
class Play:
    """How games are played; files of other settings are not gone on with."""

    nodes: int = 1000
    """Positions that a search visits before an action."""

    seed: int = 0
    opening: int = 10
    """Games begin with as many random actions at most."""

    slip: float = 0.08
    """Share of later actions that are random."""

    max_actions: int = 300
    """A game is cut off here and counts as a draw."""

    teacher: str = HAND_MADE
    """What judges positions in these searches: the evaluation made by hand, the game's network or a file of one."""


def play_positions(
    game: Game,
    games: int,
    file: Path,
    how: Play,
    progress: Callable[[float], None] | None = None,
    jobs: int = 1,
) -> tuple[int, Rows]:
    """Adds games to a file until it has `games` of them; returns how many it had before, and its arrays.

    The arrays are `state` (three words), `value` (by search, for the player on move), `result` for that player (1, 0,
    -1 or UNKNOWN) and `game`.
    """
    stored = GameFile(file, setting_of(game, how), COLUMNS)
    with task_runner(jobs) as runner:

        def play(ranges: Iterable[tuple[int, int]]) -> Generator[list[Rows], None, None]:
            return runner.call(_played, ((game, how, *each) for each in ranges))

        return stored.extend(games, play, runner.at_once, progress)


def setting_of(game: Game, how: Play) -> dict[str, object]:
    """Returns what the rows of a file depend on; of a teacher that is a network, the checksum."""
    words = network_words(game, how.teacher)
    teacher = hashlib.sha256(network_bytes(words)).hexdigest() if words else HAND_MADE
    return {"kind": KIND, "game": game.name, "options": game.options, **asdict(how), "teacher": teacher}


def _played(game: Game, how: Play, first: int, end: int) -> list[Rows]:
    """Plays the games from number `first` to the one before `end`."""
    player = _Player(game, how)
    return [player.rows(number) for number in range(first, end)]


class _Player:
    """Plays games against itself."""

    def __init__(self, game: Game, how: Play) -> None:
        self._game, self._how = game, how
        self._kernels = shared_loader(game, algorithms(game), exercise).load()
        self._rules = rules_for(game, how.teacher, is_compiled=True)
        self._plain = plain(game)
        self._table = TranspositionTable(_MEMORY)

    def rows(self, number: int) -> Rows:
        """Returns the rows of a game."""
        how, game, rng = self._how, self._game, random.Random(f"{self._how.seed} {number}")
        record, opening = game.record(), rng.randint(0, how.opening)
        rows: list[tuple[tuple[int, int, int], int, int]] = []
        while record.result is None and record.count < how.max_actions:
            if record.count < opening or rng.random() < how.slip:
                record.play(rng.choice(record.actions()))
                continue
            value, action = self._search(record)
            if self._is_quiet(record.position):
                rows.append((record.position.state, value, game.players.index(record.mover)))
            aside = self._step_aside(record.position, rng)
            if aside:
                rows.append((aside.state, self._search(Record(aside))[0], _NOBODY))
            record.play(game.action_text(action))
        winner = record.result.winner if record.result else None
        won = None if winner is None else game.players.index(winner)
        return {
            "state": np.array([state for state, _, _ in rows], np.int64).reshape(-1, 3),
            "value": np.array([value for _, value, _ in rows], np.int32),
            "result": np.array([_result(mover, won) for _, _, mover in rows], np.int8),
            "game": np.full(len(rows), number, np.int32),
        }

    def _step_aside(self, position: Position, rng: random.Random) -> Position | None:
        """Returns the position after some random actions, None if the evaluation would not be asked about it."""
        for _ in range(rng.randint(*_ASIDE)):
            position = position.play(rng.choice(position.actions()))
            if position.result:
                return None
        return position if self._is_quiet(position) else None

    def _search(self, record: Record) -> tuple[int, int]:
        """Returns the value of a record's position and the best action."""
        nodes, codes = self._how.nodes, record.codes()
        entries = self._table.entries_for(Limit(nodes=nodes))
        thread = AlphaBetaThread(self._game, self._kernels, record, codes, entries, nodes)
        thread.rules = self._rules
        value, action = 0, codes[0]
        for depth in range(1, _MOST_DEPTH):
            thread.search(depth, 0, value)
            if thread.line:
                value, action = thread.value, thread.line[0]
            if thread.is_stopped or (abs(value) > PROVED and depth >= WIN - abs(value)):
                break
        return value, action

    def _is_quiet(self, position: Position) -> bool:
        """Tells whether search would ask the evaluation about a position at its horizon."""
        rules, state = self._game.rules, position.state
        return not self._plain.quick_win(rules, state) and not self._plain.has_threat(rules, state)


def _result(mover: int, won: int | None) -> int:
    if mover == _NOBODY:
        return UNKNOWN
    return 0 if won is None else 1 if mover == won else -1
