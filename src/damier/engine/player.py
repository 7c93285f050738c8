"""A player: whatever can be asked for actions in a match."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from damier.core.record import Record
    from damier.engine.limit import Limit


class Player(Protocol):
    """Whatever can be asked for actions: an engine, a level, another program."""

    name: str

    def choose(self, record: Record, limit: Limit) -> list[str]:
        """Returns actions of the player on move, legal one after the other: one, or more of the same turn.

        The limit is for the whole turn. The record is not changed.
        """

    def new_game(self) -> None:
        """Forgets the game before."""

    def close(self) -> None:
        """Gives back what the player holds: processes, memory."""


class RandomPlayer:
    """Plays any legal action."""

    def __init__(self, seed: int = 0) -> None:
        self.name = "random"
        self._random = random.Random(seed)

    def choose(self, record: Record, limit: Limit) -> list[str]:  # noqa: ARG002  # no thought, no limit
        """Returns one random action."""
        return [self._random.choice(record.actions())]

    def new_game(self) -> None:
        """Has nothing to forget."""

    def close(self) -> None:
        """Holds nothing."""
