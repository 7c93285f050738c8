"""Random openings for matches: a few turns from the start that leave the game undecided.

Opening i depends only on the seed and on i: each has its own stream of random numbers, and repetitions are excluded by
the openings before it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from damier.core.errors import BadArgument
from damier.core.messages import counted

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.position import Position
    from damier.core.record import Record

Opening = tuple[str, ...]
"""The actions of an opening, rolls of the die included."""

Judge = Callable[["Record"], float]
"""Returns the winning chance of the player on move or about to roll; must be deterministic."""

_TURNS, _LONG_TURNS = 4, 2  # of an opening; a long turn changes as much as two short ones
_TRIES = 300  # openings tried before the best of them is taken
_UNFAIR = 0.6  # most distance from an equal share, relative to it: 20 % to 80 % of two players
_MOST_POSITIONS = 2000  # searched for a win within one turn


def opening_turns(game: Game) -> int:
    """Returns the default number of turns of an opening."""
    return _LONG_TURNS if game.traits.has_long_turns else _TURNS


def openings(game: Game, turns: int, seed: int, judge: Judge | None = None) -> Iterator[Opening]:
    """Yields openings of `turns` turns without end: undecided, not won at once by the player on move, not repeated.

    With a judge they are balanced too. If there are too few such openings, they repeat; with a judge the most balanced
    of those tried is taken.
    """
    seen: set[str] = set()
    number = 0
    while True:
        record = _opening(game, turns, random.Random(f"opening {seed} {number}"), seen, judge)
        seen.add(str(record.position))
        yield record.played
        number += 1


def _opening(game: Game, turns: int, stream: random.Random, seen: set[str], judge: Judge | None) -> Record:
    spare: Record | None = None
    least = float("inf")  # unfairness of the spare opening
    for _ in range(_TRIES if turns else 1):
        record = _random_record(game, turns, stream)
        if record.result:
            continue
        if str(record.position) in seen:
            unfairness = float(len(game.players))  # worse than any: an unfair opening is better than a repeated one
        elif turns and _wins_at_once(record.position):
            continue
        else:
            unfairness = abs(judge(record) * len(game.players) - 1) if judge else 0.0
        if unfairness <= _UNFAIR:
            return record
        if unfairness < least:
            spare, least = record, unfairness
    if spare is None:
        raise BadArgument(
            counted(
                "Among random openings of {count} turn none leaves the game open.",
                "Among random openings of {count} turns none leaves the game open.",
                count=turns,
            )
        )
    return spare


def _random_record(game: Game, turns: int, stream: random.Random) -> Record:
    """Returns a random game after `turns` turns, or one that ended before."""
    record = game.record()
    while record.turn < turns and not record.result:
        record.play(stream.choice(record.actions()))
    return record


def _wins_at_once(position: Position) -> bool:
    """Returns whether the player on move can win within this turn, searching a limited number of positions."""
    mover = position.mover
    todo, known = [position], {position}
    while todo and len(known) < _MOST_POSITIONS:
        here = todo.pop(0)
        for code in here.judged()[1] if here.mover != "chance" else ():
            after = here.after(code)
            if after in known:
                continue
            known.add(after)
            result = after.result
            if result and result.winner == mover:
                return True
            if not result and after.mover == mover and not after.is_settled:
                todo.append(after)
    return False
