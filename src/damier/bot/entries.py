"""The tournaments that a bot enters: it joins, plays what it is paired for, and ends when all of them are over."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from damier.bot.bot import get_ready
from damier.client.errors import CallRefused, ConnectionLost
from damier.core.messages import Message, message
from damier.games import load

if TYPE_CHECKING:
    from damier.bot.journal import Journal
    from damier.client.client import Client
    from damier.client.data import TournamentView
    from damier.engine.arena.entrants import Entrant

_PAUSE = 4.0  # seconds between two looks at the tournaments


def enter(client: Client, number: str, entrant: Entrant, journal: Journal) -> None:
    """Joins a tournament when the engine is ready, unless the bot plays in it already; raises `CallRefused`."""
    found = client.tournament(number)
    get_ready(entrant, load(found.game, **found.options), journal)
    if not found.is_playing:
        found = client.join_tournament(number)
    journal.note("joined", message("Plays in the tournament {title}.", title=found.title), tournament=number)


class Entries:
    """Watches the tournaments of a bot in a thread of its own."""

    def __init__(self, client: Client, numbers: Sequence[str], journal: Journal, on_end: Callable[[], object]) -> None:
        """`on_end` is called when all are over."""
        self._client, self._journal, self._on_end = client, journal, on_end
        self._left = list(dict.fromkeys(numbers))
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="tournaments", daemon=True)

    def start(self) -> None:
        """Begins to watch."""
        self._thread.start()

    def stop(self) -> None:
        """Stops watching."""
        self._stopped.set()

    def _watch(self) -> None:
        try:
            while self._left and not self._stopped.wait(_PAUSE):
                self._left = [number for number in self._left if not self._is_over(number)]
        finally:
            self._client.let_go()
        if not self._stopped.is_set():
            self._on_end()

    def _is_over(self, number: str) -> bool:
        try:
            found = self._client.tournament(number)
        except ConnectionLost:
            return False
        except CallRefused:  # it is gone
            return True
        if found.is_over:
            self._journal.note("ended", _sentence(found), tournament=number)
        return found.is_over


def _sentence(found: TournamentView) -> Message:
    me = next((each for each in found.standings if each.is_me), None)
    if me is None or found.status == "cancelled":
        return message("The tournament {title} is over.", title=found.title)
    return message(
        "The tournament {title} is over: place {rank} of {players}.",
        title=found.title,
        rank=me.rank,
        players=len(found.standings),
    )
