"""What ends a game besides its rules: acts of the players, clocks, and claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from damier.core.record import Record
    from damier.server.matches.match import Event

ENDINGS = frozenset(["resign", "draw", "flag", "abort", "claim"])
"""The kinds of events that end a game, or take a player out of one of three and more."""


def end_game(record: Record, event: Event) -> None:
    """Does to a record what an event of `ENDINGS` does."""
    if event.kind == "abort":
        record.abort()
    elif event.kind == "draw":
        record.agree_draw()
    elif event.kind == "resign" and event.player is not None:
        record.resign(event.player)
    elif event.kind == "flag" and event.player is not None:
        record.lose_on_time(event.player)
    elif event.kind == "claim" and event.what == "draw":
        record.end_by_act(None, "abandonment")
    elif event.kind == "claim" and event.absent is not None:
        record.abandon(event.absent)
