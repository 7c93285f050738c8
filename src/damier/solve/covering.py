"""Exact values from tables of other options: the tables that *cover* positions of a game.

A game says by `Definition.covered_by` which tables those are and by `covered_tier` which positions they have: a player
who has lost pieces may stand in a position of a game with fewer of them.

Why these values are exact. No action leads from a covered state to one that is not covered, so the states before the
first covered one of a game, or of a path in a search, are all not covered, and none of their situations can come again:
whatever is played from there, the rule about repetition compares only with what comes after it. There the history is as
good as empty, which is what the table assumes. That is the only place where a search looks a state up (it goes no
further). The tiers of a table from 0 up to any number are closed in the same way. When the position on the board itself
is covered, situations since the first covered one may come again: what is proved then, ``history_values.py`` says, as
for a table of the game itself. Where a return is forbidden a table has no exact values, so no table covers anything.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from damier.core.kernel import subsets
from damier.core.kernel.bind import bind
from damier.core.kernel.contract import PLAYING
from damier.core.messages import message, shown
from damier.core.position import Position
from damier.solve.numbering import Numbering, name_of
from damier.solve.returns.repetition import forbids_returns
from damier.solve.tables import TableMissing, Tables

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace

    import numpy as np
    from numpy.typing import NDArray

    from damier.core.game import Game
    from damier.core.kernel.contract import State
    from damier.solve.file.reader import TableReader


def covering_games(game: Game) -> Iterator[Game]:
    """Yields the game with other options, whose tables may have positions of this one; the most useful first."""
    definition = game.definition
    if definition.index is None or definition.covered_by is None or forbids_returns(game):
        return
    for options in definition.covered_by(game.options):
        if definition.why_unsolvable(options) is None:
            yield type(game)(definition, **options)


def cover_kernels(game: Game) -> SimpleNamespace:
    """Returns `covered_tiers` and `covered_tier` as plain Python."""
    assert game.definition.index, "a game without a numbering has no tables"
    return bind(game.definition.rules, subsets, game.definition.index)


class CoveringTables(Tables):
    """The exact values of those positions of a game that the table of other options has."""

    def __init__(self, game: Game, covering: Game, folder: Path | None = None, *, remote: str | None = None) -> None:
        """`covering` is the game with the options of the table; `folder` and `remote` are those of `Tables`."""
        super().__init__(game, folder, remote=remote)
        self.covering = Tables(covering, folder, remote=remote)
        """The table with its own options."""

        self.path = self.covering.path

    @property
    def game_of_table(self) -> Game:
        """The game with the options that the table was built for."""
        return self.covering.game

    @property
    def is_built(self) -> bool:
        """Whether the table has been built, or the server has it."""
        return self.covering.is_built

    @functools.cached_property
    def numbering(self) -> Numbering:
        """The numbering of the table."""
        return self.covering.numbering

    @property
    def file(self) -> TableReader:
        """The open table; raises what `Tables.file` raises."""
        return self.covering.file

    def close(self) -> None:
        """Closes the table, if it is open; the next probe opens it again."""
        self.covering.close()

    def covers(self, state: State) -> bool:
        """Tells whether the table has an undecided state."""
        return bool(cover_kernels(self.game).covered_tier(self.covering.game.rules, state) >= 0)

    def read(self, state: State) -> int:
        """Returns the entry of a state; raises `TableMissing` if the table does not have it."""
        if not self.covers(state):
            raise self._missing(state)
        return super().read(state)

    def _states(self, positions: Sequence[Position | str] | NDArray[np.int64]) -> NDArray[Any]:
        states = super()._states(positions)
        kernels, rules = self.game.kernels, self.game.rules
        for own, enemy, rest in states.tolist():
            state = own, enemy, rest
            if kernels.outcome(rules, state) == PLAYING and not self.covers(state):
                raise self._missing(state)
        return states

    def _missing(self, state: State) -> TableMissing:
        return TableMissing(
            message(
                "The table of {game} does not have the position {position}.",
                game=name_of(self.covering.game),
                position=shown(str(Position(self.game, state))),
            )
        )


def tables_for(position: Position, folder: Path | None = None, *, remote: str | None = None) -> Tables:
    """Returns the table of the game if it has been built, else the first of other options that has a position.

    If there is none, the table of the game, which raises `TableMissing` when it is probed.
    """
    game = position.game
    own = Tables(game, folder, remote=remote)
    if own.is_built:
        return own
    for covering in covering_games(game):
        tables = CoveringTables(game, covering, folder, remote=remote)
        if tables.covers(position.state) and tables.is_built:
            return tables
    return own
