"""Replays a game that a request gives whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import damier

if TYPE_CHECKING:
    from damier.core.record import Record
    from damier.server.wire.games import GameLine


def replay_line(line: GameLine) -> Record:
    """Returns the record of a game given whole; raises a `DamierError` that says what is wrong with it."""
    record = damier.load(line.game, **line.options).record(line.start)
    for action in line.actions:
        record.play(action)
    return record
