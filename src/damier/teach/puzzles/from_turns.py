"""Finds puzzles of games in which a turn is several actions, and proves them by exhaustive search without a table.

Four kinds: a turn that wins and needs all its actions; one or two actions that win, for beginners, where any win is
right; a turn after which the next one or two win whatever the opponent does; the only turn after which the opponent
does not win at once. Turns that end in the same position count as one. Measured: some tenths of a second to prove that
no other turn wins within two, 20 to 60 seconds within three.
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
    from collections.abc import Iterable

    from damier.core.game import Game
    from damier.core.kernel.contract import State

    Ways = dict[State, tuple[int, ...]]

_NODES = 3_000_000  # of one search: about a second
_DEFENCES = 20  # turns of the opponent to compare
_GLANCE = Limit(nodes=40_000)  # for the engine that looks for possible wins
_WHOLE_TURN = 3  # actions of a win in one turn: shorter ones are easy
_EASY_SHARE = 0.1  # of the turns that may win if that is to be found
_NARROW = 16  # actions at most where a win in three turns is looked for: the proof grows with their fourth power
_LATE_NODES = 30_000_000  # of one search for a win in three turns


class TurnPuzzleFinder:
    """Finds puzzles in positions at the beginning of a turn."""

    surplus = 1.25
    """How many puzzles to find for each that is picked: proofs are slow."""

    def __init__(self, game: Game, theme: str | None = None, distance: int | None = None) -> None:
        """Looks only for puzzles of this theme and distance, if given: quicker."""
        self.game, self._theme, self._distance = game, theme, distance
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
        is_narrow = len(position.judged()[1]) <= _NARROW
        if self._distance == 3 and not is_narrow:
            return None
        mover = self.game.players.index(position.mover)
        if self._forces(position.state, mover, 1) == FORCES:
            return self._win_now(position) if self._distance in (None, 1) else None
        is_threatened = bool(self._kernels.has_threat(self._rules, position.state))
        is_won, first = False, position.state
        if self._theme in (None, "turn_win") and self._distance != 1:
            *_, last = self._engine.analyse(position, _GLANCE, 1)
            is_won = last.best.value.winner == position.mover
            first = self._end_of_turn(position, last.best.actions)
        if not is_won and not is_threatened:
            return None
        ends = turn_ends(position)
        open_ends = {state: way for state, way in ends.items() if Position(self.game, state).result is None}
        safe: Ways = {}
        for state, way in open_ends.items():
            if self._forces(state, 1 - mover, 1) == FAILS:
                safe[state] = way
            if len(safe) > 1 and not is_won:
                return None
        if len(safe) == 1:
            return self._defence(position, safe)
        if not is_won:
            return None
        if self._forces(position.state, mover, 2) != FAILS:
            return self._win_later(position, safe, 2) if self._distance in (None, 2) else None
        if self._distance not in (None, 3) or not is_narrow:
            return None
        if first not in safe or self._forces(first, mover, 2) != FORCES:
            return None
        return self._win_later(position, {first: safe.pop(first), **safe}, 3)

    def _end_of_turn(self, position: Position, line: Iterable[str]) -> State:
        """Returns the state at the end of the first turn of a line."""
        for action in line:
            position = position.play(action)
            if position.is_settled or position.result is not None:
                break
        return position.state

    def _forces(self, state: State, player: int, turns: int) -> int:
        """Searches for a forced win of `player` within `turns` turns: FORCES, FAILS or STOPPED."""
        limit = _NODES if turns == 1 else _LATE_NODES
        self._work[forced_win.NODES], self._work[forced_win.NODE_LIMIT] = 0, limit
        return int(self._kernels.forces(self._rules, state, -1, player, turns, 0, self._work, self._out))

    def _win_now(self, position: Position) -> UnratedPuzzle | None:
        wins = turn_wins(position)
        state, way = min(wins.items(), key=lambda each: len(each[1]))
        if len(way) < _WHOLE_TURN:
            return self._easy_win(position, wins, way)
        if len(wins) != 1:
            return None
        line = way_text(position, way)
        return UnratedPuzzle(position, "turn_win", 1, "turns", "+1", line, self._first(position, state), "+".join(line))

    def _easy_win(self, position: Position, wins: Ways, way: tuple[int, ...]) -> UnratedPuzzle | None:
        """Returns the puzzle if few turns win; any of them is right."""
        if len(wins) > _EASY_SHARE * len(turn_ends(position)):
            return None
        line = way_text(position, way)
        first = frozenset(action for action in position.actions() if self._still_wins(position, action))
        return UnratedPuzzle(position, "turn_easy", 1, "turns", "+1", line, first, "+".join(line))

    def _still_wins(self, position: Position, action: str) -> bool:
        after = position.play(action)
        if after.result is not None:
            return after.result.winner == position.mover
        return not after.is_settled and bool(turn_wins(after))

    def _defence(self, position: Position, safe: Ways) -> UnratedPuzzle:
        (state, way), *_ = safe.items()
        line = way_text(position, way)
        goal = str(Position(self.game, state))
        first = self._first(position, state)
        return UnratedPuzzle(position, "turn_defence", 1, "turns", "=", line, first, "+".join(line), None, goal)

    def _win_later(self, position: Position, safe: Ways, turns: int) -> UnratedPuzzle | None:
        """Returns the puzzle if exactly one turn wins within `turns`; turns that lose at once are not in `safe`."""
        found = self._only_win(position, safe, turns)
        if found is None:
            return None
        end, way = found
        first = self._first(position, end.state)
        goals, line, after = [str(end)], [*way], end
        if turns > 2:
            reply = self._hardest_reply(after)
            if reply is None:
                return None
            replied, (after, second) = reply
            line += [*replied, *second]
            goals.append(str(after))
        last_reply = self._longest_defence(after)
        if last_reply is None:
            return None
        line += last_reply
        for action in last_reply:
            after = after.play(action)
        line += way_text(after, min(turn_wins(after).values(), key=len))
        value, later = f"+{turns}", tuple(goals[1:])
        return UnratedPuzzle(
            position, "turn_win", turns, "turns", value, tuple(line), first, "+".join(way), None, goals[0], later
        )

    def _only_win(self, position: Position, ends: Ways, turns: int) -> tuple[Position, tuple[str, ...]] | None:
        """Returns the only turn that forces a win within `turns`, as its end and its actions; None if not unique."""
        mover = self.game.players.index(position.mover)
        found: list[State] = []
        for state in ends:
            known = self._forces(state, mover, turns - 1)
            if known == FORCES:
                found.append(state)
            if known == STOPPED or len(found) > 1:
                return None
        return (Position(self.game, found[0]), way_text(position, ends[found[0]])) if found else None

    def _hardest_reply(self, position: Position) -> tuple[tuple[str, ...], tuple[Position, tuple[str, ...]]] | None:
        """Returns a turn of the opponent after which only one turn wins within two, with that turn."""
        mover = 1 - self.game.players.index(position.mover)
        tries = 0
        for state, way in turn_ends(position).items():
            after = Position(self.game, state)
            if after.result is not None or self._forces(state, mover, 1) == FORCES:
                continue
            tries += 1
            ends = {end: each for end, each in turn_ends(after).items() if Position(self.game, end).result is None}
            found = self._only_win(after, ends, 2)
            if found is not None:
                return way_text(position, way), found
            if tries == _DEFENCES:
                break
        return None

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
