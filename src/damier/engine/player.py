"""Players: what a match, a protocol server or a worker process asks for actions."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from damier.core.record import Record
    from damier.engine.analysis import Analysis
    from damier.engine.limit import Limit

Report = Callable[["Analysis"], object]
"""Handles each analysis of a search while it runs."""


class Player(ABC):
    """An engine, a level or another program that chooses actions. Only `choose` has to be written."""

    name: str

    @abstractmethod
    def choose(self, record: Record, limit: Limit) -> list[str]:
        """Returns actions of the player on move, each legal after the one before: one, or more of the same turn.

        `limit` is for the whole turn. The record is not changed.
        """

    def search(self, record: Record, limit: Limit, lines: int, report: Report) -> tuple[Sequence[str], int]:  # noqa: ARG002
        """Returns the actions to play, perhaps followed by the expected replies, and the nodes searched.

        A player that can analyse calls `report` with analyses of `lines` lines; others only choose.
        """
        return self.choose(record, limit), 0

    @property
    def must_compile(self) -> bool:
        """Whether `warm_up` has to compile first, which takes ten seconds or more."""
        return False

    def warm_up(self) -> None:  # noqa: B027  # optional
        """Gets ready, so that this takes no time from the first turn."""

    def stop(self) -> None:  # noqa: B027  # optional
        """Ends a running search soon; called from another thread."""

    def new_game(self) -> None:  # noqa: B027  # optional
        """Forgets the previous game."""

    def close(self) -> None:  # noqa: B027  # optional
        """Releases what the player holds: processes, memory."""


class RandomPlayer(Player):
    """Plays any legal action."""

    def __init__(self, seed: int = 0) -> None:
        self.name = "random"
        self._random = random.Random(seed)

    def choose(self, record: Record, limit: Limit) -> list[str]:  # noqa: ARG002  # takes no time
        """Returns one random action."""
        return [self._random.choice(record.actions())]
