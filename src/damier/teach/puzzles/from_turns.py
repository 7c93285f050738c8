"""Finds puzzles of games in which a turn is several actions, and proves them by exhaustive search without a table.

Three kinds: a turn that wins and needs all its actions; a turn after which the next one wins whatever the opponent
does; the only turn after which the opponent does not win at once. Turns that end in the same position count as one.
Measured: some tenths of a second to prove that no other turn wins within two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from damier.core.kernel.bind import bind
from damier.core.position import Position
from damier.engine.engine import Engine
from damier.engine.limit import Limit
from damier.teach.puzzles import forced_win
from damier.teach.puzzles.forced_win import FAILS, FORCES, STOPPED
from damier.teach.puzzles.from_table import LEAST_ACTIONS, UnratedPuzzle
from damier.teach.puzzles.puzzle import canonical
from damier.teach.puzzles.turns import turn_ends, turn_wins, way_text

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.kernel.contract import State

    Ways = dict[State, tuple[int, ...]]

_NODES = 3_000_000  # of one search: about a second
_DEFENCES = 20  # turns of the opponent to compare
_GLANCE = Limit(nodes=6_000)  # for the engine that looks for possible wins
_WHOLE_TURN = 3  # actions of a win in one turn: shorter ones are too easy


class TurnPuzzleFinder:
    """Finds puzzles in positions at the beginning of a turn."""

    surplus = 1.25
    """How many puzzles to find for each that is picked: proofs are slow."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._kernels = bind(game.definition.rules, game.definition.evaluate, forced_win, compiled=True)
        self._rules = np.array(game.rules, np.int64)
        self._work = np.zeros(forced_win.force_words(self._kernels.MAX_ACTIONS), np.int64)
        self._out = np.zeros(self._kernels.MAX_ACTIONS, np.int64)
        self._engine = Engine(game, memory=16)
        self._engine.warm_up()

    def symmetry_key(self, position: Position) -> object:
        """Returns a key that is equal for positions that are equal up to symmetry."""
        return canonical(position)

    def find(self, position: Position) -> UnratedPuzzle | None:
        """Returns the puzzle in a position, if there is one."""
        if len(position.judged()[1]) < LEAST_ACTIONS:
            return None
        mover = self.game.players.index(position.mover)
        if self._forces(position.state, mover, 1) == FORCES:
            return self._win_now(position)
        *_, last = self._engine.analyse(position, _GLANCE, 1)
        is_won = last.best.value.winner == position.mover
        if not is_won and not self._kernels.has_threat(self._rules, position.state):
            return None
        ends = turn_ends(position)
        open_ends = {state: way for state, way in ends.items() if Position(self.game, state).result is None}
        safe = {state: way for state, way in open_ends.items() if self._forces(state, 1 - mover, 1) == FAILS}
        if len(safe) == 1:
            return self._defence(position, safe)
        return self._win_later(position, safe) if is_won else None

    def _forces(self, state: State, player: int, turns: int) -> int:
        """Searches for a forced win of `player` within `turns` turns: FORCES, FAILS or STOPPED."""
        self._work[forced_win.NODES], self._work[forced_win.NODE_LIMIT] = 0, _NODES
        return int(self._kernels.forces(self._rules, state, -1, player, turns, 0, self._work, self._out))

    def _win_now(self, position: Position) -> UnratedPuzzle | None:
        wins = turn_wins(position)
        if len(wins) != 1:
            return None
        (state, way), *_ = wins.items()
        if len(way) < _WHOLE_TURN:
            return None
        line = way_text(position, way)
        return UnratedPuzzle(position, "turn_win", 1, "turns", "+1", line, self._first(position, state), "+".join(line))

    def _defence(self, position: Position, safe: Ways) -> UnratedPuzzle:
        (state, way), *_ = safe.items()
        line = way_text(position, way)
        goal = str(Position(self.game, state))
        first = self._first(position, state)
        return UnratedPuzzle(position, "turn_defence", 1, "turns", "=", line, first, "+".join(line), None, goal)

    def _win_later(self, position: Position, safe: Ways) -> UnratedPuzzle | None:
        """Returns the puzzle if exactly one turn wins within two; turns that lose at once are not in `safe`."""
        mover = self.game.players.index(position.mover)
        found: list[State] = []
        for state in safe:
            known = self._forces(state, mover, 1)
            if known == FORCES:
                found.append(state)
            if known == STOPPED or len(found) > 1:
                return None
        if not found:
            return None
        line = [*way_text(position, safe[found[0]])]
        after = Position(self.game, found[0])
        reply = self._longest_defence(after)
        if reply is None:
            return None
        line += reply
        for action in reply:
            after = after.play(action)
        line += way_text(after, min(turn_wins(after).values(), key=len))
        answer = "+".join(way_text(position, safe[found[0]]))
        first, goal = self._first(position, found[0]), str(Position(self.game, found[0]))
        return UnratedPuzzle(position, "turn_win", 2, "turns", "+2", tuple(line), first, answer, None, goal)

    def _longest_defence(self, position: Position) -> tuple[str, ...] | None:
        """Returns the turn of the opponent that delays the win longest and leaves the fewest winning turns."""
        tries: list[tuple[int, Position, tuple[int, ...]]] = []
        for state, way in turn_ends(position).items():
            after = Position(self.game, state)
            if after.result is None:
                tries.append((self._kernels.quick_win(self._rules, state) or _WHOLE_TURN, after, way))
        longest = max((length for length, _, _ in tries), default=0)
        hardest = [(after, way) for length, after, way in tries if length == longest][:_DEFENCES]
        if not hardest:
            return None
        return way_text(position, min(hardest, key=lambda each: len(turn_wins(each[0])))[1])

    def _first(self, position: Position, goal: State) -> frozenset[str]:
        """Returns the first actions of all turns that end in `goal`."""
        return frozenset(
            action
            for action in position.actions()
            if (after := position.play(action)).state == goal
            or (after.result is None and not after.is_settled and goal in turn_ends(after))
        )
