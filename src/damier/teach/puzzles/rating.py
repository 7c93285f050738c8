"""The difficulty of a puzzle: from its distance, its traps, and whether a beginner finds it.

One point each for: a win in 3 plies, 5, 7 or more (a defence against a loss in 4, 6, 8; two turns count as 5 plies; a
chance better by less than 10 %, by less than 5 %); two traps or more; a beginner, level 3, who does not find it in most
of five tries. A long win gets two points instead of three if there is no trap and the beginner finds it every time:
then the action is played for another reason. No point is difficulty 1, four points or more are 5. The weights are a
choice, not measured on people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from damier.core.record import Record
from damier.engine.engine import Engine
from damier.engine.levels import LevelPlayer
from damier.engine.limit import Limit
from damier.teach.puzzles.puzzle import DIFFICULTIES, Puzzle, puzzle_id

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.teach.puzzles.from_table import UnratedPuzzle

BEGINNER = 3
_TRIES = 5
_GLANCE = 2  # plies
_MANY_TRAPS = 2
_CLOSE = (0.1, 0.05)
_MOST_DEPTH = 3  # points for the distance
_MOST_LINES = 1000


class Rater:
    """Rates puzzles of one game."""

    def __init__(self, game: Game) -> None:
        self._engine = Engine(game, memory=4)
        self._engine.warm_up()

    def rated(self, unrated: UnratedPuzzle) -> Puzzle:
        """Returns a puzzle with its difficulty."""
        position = unrated.position
        traps = self._traps(unrated)
        found = sum(_finds(LevelPlayer(position.game, BEGINNER, seed), unrated) for seed in range(_TRIES))
        is_found = 2 * found > _TRIES
        depth = _depth_points(unrated)
        if traps == 0 and found == _TRIES:
            depth = min(depth, _MOST_DEPTH - 1)
        points = depth + (traps >= _MANY_TRAPS) + (not is_found)
        return Puzzle(
            id=puzzle_id(position),
            game=position.game.name,
            options=dict(position.game.options),
            position=str(position),
            theme=unrated.theme,
            distance=unrated.distance,
            unit=unrated.unit,
            value=unrated.value,
            answer=unrated.answer,
            line=unrated.line,
            difficulty=min(DIFFICULTIES[-1], 1 + points),
            actions=len(position.actions()),
            traps=traps,
            is_found=is_found,
            tree=unrated.tree,
            goal=unrated.goal,
            later=unrated.later,
        )

    def _traps(self, unrated: UnratedPuzzle) -> int:
        """Returns how many wrong actions look as good as the right ones to a short search."""
        *_, last = self._engine.analyse(unrated.position, Limit(depth=_GLANCE), _MOST_LINES)
        player = unrated.position.game.players.index(unrated.position.mover)
        chances = {line.actions[0]: line.value.chances[player] for line in last.lines}
        best = max((chance for action, chance in chances.items() if action in unrated.first), default=0.0)
        return sum(chance >= best for action, chance in chances.items() if action not in unrated.first)


def _finds(beginner: LevelPlayer, unrated: UnratedPuzzle) -> bool:
    """Tells whether `beginner` finds the first action, or the whole first turn."""
    record = Record(unrated.position)
    beginner.warm_up()
    if unrated.unit == "plies":
        return beginner.choose(record, Limit())[0] in unrated.first
    while record.result is None and record.turn == 0:
        record.play(beginner.choose(record, Limit())[0])
    if unrated.goal is None:
        return record.result is not None and record.result.winner == unrated.position.mover
    return str(record.position) == unrated.goal


def _depth_points(unrated: UnratedPuzzle) -> int:
    """Returns the points for the distance."""
    if unrated.distance is None:
        assert unrated.tree is not None
        margin = float(unrated.value[:-1]) - max(float(value.split("%")[0]) for value in unrated.tree.wrong)
        return sum(margin < 100 * bound for bound in _CLOSE)
    if unrated.theme == "turn_easy":
        return 0
    plies = {1: 3, 2: 5}.get(unrated.distance, 7) if unrated.unit == "turns" else unrated.distance
    return min(_MOST_DEPTH, (plies - 1) // 2)
