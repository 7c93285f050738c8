"""The feed of the lobby: what all listeners are told, encoded once for all of them.

Nothing in it depends on the language or the person: pages put words to it. Changes are collected and sent together, at
most five times a second. A listener that reads too slowly gets the whole state instead of the changes it has missed.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Protocol

from damier.server.hub.hub import LOBBY
from damier.server.wire.lobby import LobbyCounts, WeeklyData

if TYPE_CHECKING:
    from collections.abc import Callable

    from damier.server.hub.hub import Hub
    from damier.server.wire.lobby import PlayingData, SeekData
    from damier.server.wire.model import WireModel

PAUSE = 0.2
"""Seconds between two updates at least."""

_COLLECT = 0.02  # seconds for which the first change after a pause waits for others
_NULL = "null"


class LobbyListener(Protocol):
    """A page that follows the lobby."""

    person: str
    """ "" for a visitor without a cookie."""

    def send_text(self, text: str) -> None:
        """Sends a message that is encoded already."""


class Feed:
    """The lobby as everybody sees it, and those who follow it."""

    def __init__(self, weekly: Callable[[], WeeklyData | None], hub: Hub) -> None:
        self.version = 0
        self.listeners: set[LobbyListener] = set()
        self._weekly, self._hub = weekly, hub
        self._here: dict[str, set[LobbyListener]] = {}
        """By person, of those who have a cookie."""

        self._seeks: dict[str, str] = {}
        """Encoded, by number."""

        self._games: dict[str, list[str]] = {}
        """Of each seek, by number."""

        self._playing: dict[str, str] = {}
        self._matches = 0
        self._added: dict[str, None] = {}
        self._removed: dict[str, None] = {}
        self._played: dict[str, None] = {}
        self._told_counts = ""
        self._own: dict[str, Callable[[], WireModel]] = {}
        """What is to be told to single persons, made when it is sent."""

        self._timer: asyncio.TimerHandle | None = None
        self._sent_at = float("-inf")
        hub.listen("here", lambda place, _seq, _body: self._schedule() if place == LOBBY else None)

    # Listeners

    def join(self, listener: LobbyListener) -> None:
        """Adds a listener, who is sent the whole state."""
        self.listeners.add(listener)
        if listener.person:
            self._here.setdefault(listener.person, set()).add(listener)
            self._hub.enter(LOBBY, listener.person)
        listener.send_text(self.state_text())
        self._schedule()

    def leave(self, listener: LobbyListener) -> bool:
        """Removes a listener; returns whether it was the last one of its person."""
        self.listeners.discard(listener)
        self._schedule()
        own = self._here.get(listener.person, set())
        if listener in own:
            own.discard(listener)
            self._hub.leave(LOBBY, listener.person)
        if own or listener.person not in self._here:
            return False
        del self._here[listener.person]
        return True

    def is_here(self, person: str) -> bool:
        """Tells whether a person follows the lobby."""
        return person in self._here

    def tell(self, person: str, message: WireModel) -> None:
        """Sends a message to all pages of a person, at once."""
        text = message.model_dump_json()
        for listener in tuple(self._here.get(person, ())):
            listener.send_text(text)

    def tell_own(self, person: str, make: Callable[[], WireModel]) -> None:
        """Sends a person what is their own with the next update."""
        if self.is_here(person):
            self._own[person] = make
            self._schedule()

    # Changes

    def add_seek(self, seek: SeekData) -> None:
        """Lists a seek."""
        self._seeks[seek.number] = seek.model_dump_json()
        self._games[seek.number] = list(dict.fromkeys(terms.game for terms in seek.terms))
        self._added[seek.number] = None
        self._schedule()

    def remove_seek(self, number: str) -> None:
        """Takes a seek off the list."""
        if self._seeks.pop(number, None) is None:
            return
        del self._games[number]
        if number in self._added:
            del self._added[number]  # nobody has heard of it
        else:
            self._removed[number] = None
        self._schedule()

    def set_playing(self, game: str, data: PlayingData | None) -> None:
        """Shows a match as the best of its game, None if there is none."""
        text = data.model_dump_json() if data else None
        if self._playing.get(game) == text:
            return
        if text is None:
            del self._playing[game]
        else:
            self._playing[game] = text
        self._played[game] = None
        self._schedule()

    def set_matches(self, count: int) -> None:
        """Says how many matches are played."""
        if count != self._matches:
            self._matches = count
            self._schedule()

    # Messages

    def state_text(self) -> str:
        """Returns the whole state."""
        weekly = self._weekly()
        playing = ",".join(f'"{game}":{text}' for game, text in self._playing.items())
        return (
            f'{{"type":"state","version":{self.version},"counts":{self._counts()},"seeks":[{",".join(self._seeks.values())}],'
            f'"playing":{{{playing}}},"weekly":{weekly.model_dump_json() if weekly else _NULL}}}'
        )

    def _counts(self) -> str:
        anonymous = sum(not listener.person for listener in self.listeners)
        seeks = Counter(game for games in self._games.values() for game in games)
        return LobbyCounts(
            people=len(self._hub.people(LOBBY)) + anonymous, matches=self._matches, seeks=dict(sorted(seeks.items()))
        ).model_dump_json()

    def _schedule(self) -> None:
        if not self.listeners:
            self.version += 1
            self._added, self._removed, self._played, self._own = {}, {}, {}, {}  # who comes gets the whole state
        elif self._timer is None:
            loop = asyncio.get_running_loop()
            wait = max(_COLLECT, self._sent_at + PAUSE - loop.time())
            self._timer = loop.call_later(wait, self.flush)

    def flush(self) -> None:
        """Sends what has changed, now."""
        self.close()
        self._sent_at = asyncio.get_running_loop().time()
        counts = self._counts()
        if self._added or self._removed or self._played or counts != self._told_counts:
            self.version += 1
            text = self._change_text(_NULL if counts == self._told_counts else counts)
            self._added, self._removed, self._played, self._told_counts = {}, {}, {}, counts
            for listener in tuple(self.listeners):
                listener.send_text(text)
        own, self._own = self._own, {}
        for person, make in own.items():
            self.tell(person, make())

    def _change_text(self, counts: str) -> str:
        added = ",".join(self._seeks[number] for number in self._added)
        removed = ",".join(f'"{number}"' for number in self._removed)
        playing = ",".join(f'"{game}":{self._playing.get(game, _NULL)}' for game in self._played)
        return (
            f'{{"type":"change","version":{self.version},"added":[{added}],"removed":[{removed}],"counts":{counts},'
            f'"playing":{{{playing}}}}}'
        )

    def close(self) -> None:
        """Cancels what is to be sent."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
