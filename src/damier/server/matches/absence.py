"""Absence: since when a player is away, and when the others may claim the game. It never ends a game by itself.

Only absence on the player's own turn counts, and only in that turn. Nobody can claim during first turns, which have a
time of their own, in correspondence, or without a clock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from damier.core.messages import message
from damier.server.errors import NotAllowed, NotNow
from damier.server.matches.clock import CLAIM_AFTER_GOODBYE
from damier.server.matches.match import PERSON, Event

if TYPE_CHECKING:
    from damier.server.matches.match import Match


class Absence:
    """Since when the visitors of one match are away."""

    def __init__(self, now: int) -> None:
        """Counts everybody as away since a server time: that at which the match was loaded."""
        self._loaded = now
        self._here: set[str] = set()
        self._gone: dict[str, tuple[int, bool]] = {}
        """Since when, and whether the visitor has closed the page."""

    def come(self, visitor: str) -> None:
        """Notes that a visitor is connected."""
        self._here.add(visitor)

    def go(self, visitor: str, now: int, *, is_goodbye: bool) -> None:
        """Notes that a visitor has no connection any more."""
        self._here.discard(visitor)
        self._gone[visitor] = now, is_goodbye

    def claim_wait(self, match: Match, now: int) -> int | None:
        """Returns after how many milliseconds the game can be claimed, None if the player to act is not away."""
        clocks = match.clocks
        if clocks is None or clocks.running is None or clocks.is_first:
            return None
        patience, seat = clocks.control.claim_after, match.seat(clocks.running)
        if patience is None or seat.kind != PERSON or seat.visitor is None or seat.visitor in self._here:
            return None
        since, is_goodbye = self._gone.get(seat.visitor, (self._loaded, False))
        if is_goodbye:
            patience = min(patience, CLAIM_AFTER_GOODBYE)
        return max(0, max(since, clocks.turn_began) + patience - now)

    def claim(self, match: Match, visitor: str, what: str, now: int) -> Event:
        """Returns the event of a claim; raises `NotAllowed` or `NotNow`."""
        mine = match.players_of(visitor)
        if not mine:
            raise NotAllowed(message("You are watching this match: only seated players can act."))
        if match.record.result:
            raise NotNow(message("The game is over. {result}", result=match.record.result.message))
        wait, absent = self.claim_wait(match, now), match.record.mover
        player = next((player for player in mine if match.record.is_in(player)), None)
        if wait is None or absent in mine or player is None:
            raise NotNow(message("Nobody has left on their own turn: there is nothing to claim."))
        if wait:
            seconds = -(-wait // 1000)
            raise NotNow(message("You can claim the game in {count} s, if nobody comes back.", count=seconds))
        if what == "draw" and len(match.seats) > 2:
            raise NotNow(message("With more than two players, one who gives up does not end the game."))
        return Event("claim", player, what=what, absent=absent)
