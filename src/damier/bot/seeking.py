"""A bot's own seek: it waits in the lobby for an opponent whenever the bot plays no match."""

from __future__ import annotations

import contextlib
import re
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from damier.client.data import ClockView
from damier.client.errors import CallRefused, ConnectionLost, LimitReached
from damier.core.errors import BadArgument
from damier.core.messages import message, shown

if TYPE_CHECKING:
    from damier.bot.journal import Journal
    from damier.client.client import Client


@dataclass(frozen=True)
class BotSeek:
    """What a bot wants to play."""

    game: str
    clock: ClockView | None = None
    is_rated: bool = False


def parse_clock(text: str) -> ClockView:
    """Returns a live clock of minutes and the seconds that a turn adds, or that are free in a turn.

    >>> parse_clock("3+2")
    ClockView(kind='live', base=180, increment=2, delay=0, cap=None)
    >>> parse_clock("5d12").delay
    12
    """
    found = re.fullmatch(r"([0-9]{1,3})([+d])([0-9]{1,3})", text, re.ASCII)
    if not found:
        raise BadArgument(
            message(
                "A clock is minutes and the seconds that a turn adds, as in 3+2, or that are free in it, as in 5d12, "
                "not {text}.",
                text=shown(text),
            )
        )
    minutes, seconds = int(found[1]), int(found[3])
    name = "increment" if found[2] == "+" else "delay"
    return ClockView("live", 60 * minutes, **{name: seconds})


class Seeking:
    """Keeps the seek of a bot open."""

    def __init__(self, client: Client, wanted: BotSeek, journal: Journal) -> None:
        self._client, self._wanted, self._journal = client, wanted, journal
        self._lock = threading.Lock()
        self._number: str | None = None
        self._later: threading.Timer | None = None

    def look(self) -> None:
        """Seeks, unless the seek of before is still open; raises `CallRefused` if the server does not want it."""
        with self._lock:
            try:
                self._look()
            except LimitReached as error:
                self._journal.note("waits", message("Seeks again later: {why}", why=error.message))
                self._later = threading.Timer(error.seconds, self._look_again)
                self._later.daemon = True
                self._later.start()
            except ConnectionLost:
                pass  # the stream of events is lost, too: when it is opened again, the bot looks again

    def _look_again(self) -> None:
        try:
            self.look()
        except CallRefused as error:
            self._journal.note("refused", message("Seeks no longer: {why}", why=error.message))

    def _look(self) -> None:
        if self._number and self._is_open(self._number):
            return
        wanted = self._wanted
        self._number = self._client.seek(wanted.game, clock=wanted.clock, is_rated=wanted.is_rated).seek
        if self._number:
            self._journal.note(
                "seeks", message("Waits in the lobby: {game}.", game=wanted.game), seek=self._number, game=wanted.game
            )

    def _is_open(self, number: str) -> bool:
        try:
            return self._client.seek_state(number) == "open"
        except LimitReached:
            raise
        except CallRefused:  # it was deleted
            return False

    def stop(self) -> None:
        """Withdraws the seek, if it is open."""
        if self._later:
            self._later.cancel()
        if self._number:
            with contextlib.suppress(CallRefused, ConnectionLost):  # it is closed, or will be
                self._client.withdraw_seek(self._number)
