"""Positions as an evaluation network sees them, with what it should say of each."""

from __future__ import annotations

import hashlib
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from damier.core.kernel.bind import bind
from damier.insight.train.positions import COLUMNS, UNKNOWN
from damier.search import network_rows

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.insight.train.rows_file import Rows

_MOST_VALUE = 8000  # thousandths of log-odds, beyond which a search value is as good as certain
_HELD_OUT = 20  # one game of as many measures the loss and is not learned from
_ROOM = 256  # words for the inputs or the terms of a position


class Examples:
    """Positions of games of one kind, which may differ in options."""

    def __init__(self, game: Game, result_share: float) -> None:
        definition = game.definition
        self._kernels: SimpleNamespace = bind(definition.rules, network_rows, definition.evaluate, compiled=True)
        self._mirrors = [np.array(each.cells) for each in game.traits.symmetries if not each.swaps_players]
        self._share = result_share
        self._room = np.zeros(_ROOM, np.int64)
        self._parts: list[tuple[NDArray[Any], ...]] = []
        self._digest = hashlib.sha256()
        self.width = int(self._kernels.inputs(np.array(game.rules), game.start.state, 0, self._room))
        """How many inputs are on at a time."""

    def add(self, game: Game, rows: Rows) -> None:
        """Adds the rows of a file of positions."""
        for name in COLUMNS:
            self._digest.update(np.ascontiguousarray(rows[name]).data)
        kernels, count = self._kernels, len(rows["value"])
        states, rules, room = np.ascontiguousarray(rows["state"]).ravel(), np.array(game.rules), self._room
        views = []
        for cells in self._mirrors:
            seen = np.zeros(2 * self.width * count, np.int64)
            kernels.input_rows(rules, states, count, cells, seen, self.width, room)
            views.append(seen.reshape(count, 2, self.width).astype(np.int32))
        terms, phases = np.zeros(count * len(kernels.WEIGHTS), np.int64), np.zeros(count, np.int64)
        kernels.term_rows(rules, states, count, phases, terms, len(kernels.WEIGHTS), room)
        chance = 1 / (1 + np.exp(-np.clip(rows["value"], -_MOST_VALUE, _MOST_VALUE) / 1000))
        share = np.where(rows["result"] == UNKNOWN, 0, self._share)
        target = (1 - share) * chance + share * (rows["result"] + 1) / 2
        self._parts.append(
            (
                np.stack(views),
                terms.reshape(count, -1).astype(np.float32),
                phases.astype(np.int32),
                target.astype(np.float32),
                rows["game"] % _HELD_OUT == 0,
            )
        )

    @property
    def digest(self) -> str:
        """The SHA-256 of all rows that were added."""
        return self._digest.hexdigest()

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """Returns all inputs (symmetry, position, view), terms, phases, targets, and which are held out."""
        views, *others = zip(*self._parts, strict=True)
        return np.concatenate(views, axis=1), *(np.concatenate(each) for each in others)
