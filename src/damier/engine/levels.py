"""Opponents: the engine at full strength, and eight levels from a first game up to it.

A weak level is not a strong one that sometimes plays at random. It searches few positions, overlooks some actions of
both sides (the same ones in the same position for the whole game, like a person with blind spots), and picks any action
that seems nearly as good as the best. It never misses its own immediate win. As an opponent, full strength does not
begin every game alike: at first it plays any turn that is as good as the best but for a hundredth of winning chance.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.engine.engine import Engine
from damier.engine.limit import Limit
from damier.engine.methods.evaluation import HAND_MADE
from damier.engine.player import Player, Report
from damier.engine.turns import TurnSearch

if TYPE_CHECKING:
    from damier.core.definition import Strength
    from damier.core.game import Game
    from damier.core.record import Record
    from damier.engine.analysis import Analysis, Line

#: The names of the levels.
NAMES = {
    1: message("First game"),
    2: message("Newcomer"),
    3: message("Beginner"),
    4: message("Learner"),
    5: message("Player"),
    6: message("Good player"),
    7: message("Expert"),
    8: message("Full strength"),
}

LEVELS = range(1, len(NAMES) + 1)
FULL_STRENGTH = LEVELS[-1]

CONTEMPT = 200  # plays on rather than repeats positions; see `Method.contempt`
_LINES = 8  # actions that a careless level compares
_OPENING = 12  # actions of a game in which full strength varies its turns
_OPENING_LINES = 4  # turns that it then compares
_OPENING_MARGIN = 0.01  # of winning chance that it may give away at each of them
_MEMORY = 4  # MB for the transposition table of a level, which searches few positions
_SOON = 3  # plies to a win that every level sees


class EnginePlayer(Player):
    """A player at full strength."""

    def __init__(
        self,
        game: Game,
        *,
        threads: int = 1,
        memory: int = 64,
        method: str | None = None,
        contempt: int = CONTEMPT,
        evaluation: str | None = None,
        engine: Engine | None = None,
        uses_tables: bool = True,
    ) -> None:
        """Plays with `engine` as it is if one is given, else with a new one, which a `method` denies all tables.

        `evaluation` as for `Engine`.
        """
        self.name = method or "full"
        if engine is None:
            uses_tables = uses_tables and method is None
            engine = Engine(
                game, threads=threads, memory=memory, method=method, uses_tables=uses_tables, evaluation=evaluation
            )
            engine.method.contempt = contempt
        self.engine = engine
        self._variety: str | None = None

    @property
    def must_compile(self) -> bool:
        """Whether `warm_up` has to compile first, which takes ten seconds or more."""
        return self.engine.must_compile

    def warm_up(self) -> None:
        """Loads the compiled code now, so that it does not take time from the first turn."""
        self.engine.warm_up()

    def choose(self, record: Record, limit: Limit) -> list[str]:
        """Returns the actions of the rest of the turn; a node limit is for each search that it takes."""
        return TurnSearch(self, record, limit, least_nodes=limit.nodes).run()

    def search(self, record: Record, limit: Limit, lines: int, report: Report) -> tuple[Sequence[str], int]:
        """Returns the best line of the last analysis and the nodes searched; no line if it was stopped at once."""
        varies = self._varies(record)
        last: Analysis | None = None
        for last in self.engine.analyse(record, limit, max(lines, _OPENING_LINES) if varies else lines):
            report(last)
        if not last or not last.lines:
            return (), 0
        return (self._varied(record, last) if varies else last.best).actions, last.nodes

    def vary(self, seed: int, number: int = 0) -> None:
        """Makes openings differ from now on: always alike for one seed and one number of a game."""
        self._variety = f"{seed} {number}"

    def _varies(self, record: Record) -> bool:
        """Tells whether a turn of the opening begins; a position that somebody has set up is played at its best."""
        position = record.position
        is_opening = record.count < _OPENING and record.start == record.game.start and position.is_settled
        return self._variety is not None and is_opening

    def _varied(self, record: Record, analysis: Analysis) -> Line:
        """Returns one of the lines that are nearly as good as the best, always the same in a game of one seed."""
        if analysis.best.value.winner is not None:
            return analysis.best
        chance = random.Random(f"{self._variety} {record.count}")
        return _chosen(analysis, record.game.players.index(analysis.mover), _OPENING_MARGIN, chance)

    def stop(self) -> None:
        """Ends the running search."""
        self.engine.stop()

    def new_game(self) -> None:
        """Forgets the previous game."""
        self.engine.new_game()

    def close(self) -> None:
        """Ends the running search."""
        self.engine.close()


class LevelPlayer(Player):
    """A player of one of the eight levels."""

    def __init__(
        self, game: Game, level: int, seed: int = 0, strength: Strength | None = None, *, uses_tables: bool = True
    ) -> None:
        """`strength` overrides that of the level, to try out new levels; only full strength uses tables."""
        if level not in LEVELS:
            raise BadArgument(
                message(
                    "The level takes a whole number from {low} to {high}, not {value}.",
                    low=LEVELS[0],
                    high=LEVELS[-1],
                    value=shown(str(level)),
                )
            )
        self.name = f"level:{level}"
        self.level = level
        self._seed, self._games = seed, 0
        strengths = game.definition.levels
        self._strength = strength or (strengths[level - 1] if level <= len(strengths) else None)
        self._full = EnginePlayer(game, uses_tables=uses_tables) if self._strength is None else None
        # The levels below full strength were measured with the evaluation made by hand.
        self._engine = self._full.engine if self._full else Engine(game, memory=_MEMORY, evaluation=HAND_MADE)
        self._engine.method.contempt = CONTEMPT
        if self._full:
            self._full.vary(seed)

    @property
    def must_compile(self) -> bool:
        """Whether `warm_up` has to compile first, which takes ten seconds or more."""
        return self._engine.must_compile

    def warm_up(self) -> None:
        """Loads the compiled code now, so that it does not take time from the first turn."""
        self._engine.warm_up()

    def choose(self, record: Record, limit: Limit) -> list[str]:
        """Returns the next action, or the rest of the turn at full strength."""
        if self._full:
            return self._full.choose(record, limit)
        strength, method = self._strength, self._engine.method
        assert strength is not None
        chance = random.Random(f"{self._seed} {self._games} {len(record.played)}")
        method.overlooked = round(1024 * strength.overlooked)
        method.stream = random.Random(f"{self._seed} {self._games}").getrandbits(62)
        lines = _LINES if strength.margin else 1
        nodes = min(strength.nodes, limit.nodes or strength.nodes)
        found = list(self._engine.analyse(record, Limit(limit.seconds, nodes, limit.depth), lines))
        if not found:  # stopped at once
            return record.actions()[:1]
        player = record.game.players.index(record.mover)
        return [_chosen(found[-1], player, strength.margin, chance).actions[0]]

    def search(self, record: Record, limit: Limit, lines: int, report: Report) -> tuple[Sequence[str], int]:
        """Returns what `choose` returns; only full strength reports analyses."""
        if self._full:
            return self._full.search(record, limit, lines, report)
        return super().search(record, limit, lines, report)

    def stop(self) -> None:
        """Ends the running search."""
        self._engine.stop()

    def new_game(self) -> None:
        """Forgets the previous game and gets other blind spots."""
        self._games += 1
        if self._full:
            self._full.vary(self._seed, self._games)
        self._engine.new_game()

    def close(self) -> None:
        """Ends the running search."""
        self._engine.close()


def _chosen(analysis: Analysis, player: int, margin: float, chance: random.Random) -> Line:
    """Returns one of the lines that seem nearly as good as the best."""
    best = analysis.best
    if best.value.winner == analysis.mover and best.value.distance is not None and best.value.distance <= _SOON:
        return best
    good = [line for line in analysis.lines if line.value.chances[player] >= best.value.chances[player] - margin]
    return chance.choice(good)
