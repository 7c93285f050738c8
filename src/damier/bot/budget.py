"""How long a bot thinks about a turn, by the clock. Pure; all times are in seconds.

A turn gets a share of what is left on the clock, as if that many turns were still to come, and most of what the turn
itself gives back: the increment, the delay. A reserve for the way to the server and back is never touched, and nothing
exceeds the most that the bot was told to think.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from damier.client.data import MatchView

_TURNS = 30  # that are still to come
_OWN_SHARE = 0.7  # of the increment and the delay
_RESERVE = 0.5  # seconds for the way to the server and back
_MOST_SHARE = 0.3  # of what is left, for one turn
_LEAST = 0.02  # in which an engine finds something


def turn_seconds(match: MatchView, player: str, most: float) -> float:
    """Returns how long a player may think about the turn that begins now; `most` without a clock."""
    clock, clocks = match.clock, match.clocks
    if clock is None or clocks is None or player not in clocks.left:
        return most
    left = clocks.left[player]
    given = clock.increment + (clocks.free if clock.delay else 0.0)
    wanted = left / _TURNS + _OWN_SHARE * given
    safe = min(_MOST_SHARE * left + _OWN_SHARE * clocks.free, left + clocks.free - _RESERVE)
    if clocks.first is not None:  # the clocks stand, but a first turn has a time of its own
        safe = min(safe, _MOST_SHARE * clocks.first)
    return max(_LEAST, min(wanted, safe, most))
