"""Agents of an exam: texts such as ``level:3`` or ``python:my_agent:choose``, and the policies they stand for.

The engine of this program is examined without its tables, from which it would copy.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from damier.core.messages import message, shown
from damier.engine.arena.entrants import parse_entrant
from damier.engine.fault import EngineFault
from damier.engine.limit import Limit
from damier.engine.policy import PolicyPlayer

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.position import Position
    from damier.core.record import Record
    from damier.engine.player import Player
    from damier.engine.policy import Policy

DEFAULT_LIMIT = Limit(nodes=300_000)
"""For agents that need a limit. A level that searches less by itself stays as it is."""


class PlayerPolicy:
    """A player as a policy: it returns the actions of a turn one by one."""

    def __init__(self, player: Player, limit: Limit) -> None:
        self._player, self._limit = player, limit
        self._plan: list[str] = []
        self._after: Position | None = None

    def new_game(self) -> None:
        """Forgets the previous game, so that no answer depends on the positions before."""
        self._plan, self._after = [], None
        self._player.new_game()

    def __call__(self, record: Record) -> str:
        """Returns the next action."""
        if not self._plan or record.position != self._after:
            self._plan = list(self._player.choose(record, self._limit))
        if not self._plan:
            raise EngineFault(
                message(
                    "The agent {agent} gave no action in the position {position}.",
                    agent=shown(self._player.name),
                    position=str(record.position),
                )
            )
        action = self._plan.pop(0)
        goes_on = self._plan and action in record.actions()
        self._after = record.position.play(action) if goes_on else None
        return action


@contextlib.contextmanager
def agent_policy(game: Game, text: str, limit: Limit | None = None, seed: int = 0) -> Iterator[Policy]:
    """Yields the policy of an agent, whose text is that of an entrant of a match; raises `BadArgument`."""
    entrant = parse_entrant(text, uses_tables=False)
    player = entrant.make(game, seed)
    try:
        if isinstance(player, PolicyPlayer):
            yield player.policy
        else:
            yield PlayerPolicy(player, entrant.limit or limit or DEFAULT_LIMIT)
    finally:
        player.close()
