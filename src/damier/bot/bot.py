"""A bot: follows its person's events, accepts challenges by its terms, and plays every match that it is in.

A match that is being played when the bot starts is played on, whoever accepted it: the stream of events tells all of
them when it is opened. So a restart of the bot or of the server, and a lost connection, cost no more than time.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from damier.bot.seat import BotMatch
from damier.client.errors import CallRefused
from damier.client.events import Challenge, Event, MatchBegun, MatchOver, MyTurn, OfferMade, Ready
from damier.core.messages import counted, message

if TYPE_CHECKING:
    from damier.bot.journal import Journal
    from damier.bot.seeking import Seeking
    from damier.bot.terms import BotTerms
    from damier.client.client import Client
    from damier.core.game import Game
    from damier.engine.arena.entrants import Entrant
    from damier.engine.limit import Limit

STOP_SECONDS = 10.0  # for all matches to be left


def get_ready(entrant: Entrant, game: Game, journal: Journal) -> None:
    """Starts the engine once for a game, before it is late for a first turn: compiled code may take long to load."""
    journal.note("prepares", message("Gets ready for {game}.", game=game.name), game=game.name)
    entrant.make(game, 0).close()


class Bot:
    """Plays on a server with an engine."""

    def __init__(
        self,
        client: Client,
        entrant: Entrant,
        limit: Limit,
        terms: BotTerms,
        journal: Journal,
        seeking: Seeking | None = None,
    ) -> None:
        """`limit` is for a turn, where the entrant has none of its own; `seeking` is its own seek, if it has one."""
        self._seeking = seeking
        self._client, self._entrant, self._limit, self._terms, self._journal = client, entrant, limit, terms, journal
        self._events = client.events(self._note_loss)
        self._playing: dict[str, BotMatch] = {}
        self._lock = threading.Lock()
        self._is_finishing = False
        self._left: int | None = None
        """How many matches it still plays before it ends; None: it does not end by itself."""

    def run(self, games: int | None = None) -> None:
        """Plays until `stop` is called, or until `games` matches are over; raises a `DamierError` it cannot mend."""
        self._left = games
        for event in self._events:
            self._handle(event)

    def finish(self) -> None:
        """Ends `run` when the matches that are being played are over; called from any thread."""
        with self._lock:
            self._is_finishing = True
            is_free = all(match.is_over for match in self._playing.values())
        if is_free:
            self._events.close()

    def stop(self) -> None:
        """Leaves all matches as they are and says which, then ends `run`; called from another thread or after it."""
        self._events.close()
        with self._lock:
            playing = list(self._playing.values())
        for match in playing:
            match.stop()
        for match in playing:
            match.wait(STOP_SECONDS)
        if self._seeking:
            self._seeking.stop()
        self._client.close()
        left = [match for match in playing if not match.is_over]
        numbers = ", ".join(match.number for match in left)
        sentence = (
            counted(
                "Leaves {count} match: {numbers}. Start the bot again to play on.",
                "Leaves {count} matches: {numbers}. Start the bot again to play on.",
                count=len(left),
                numbers=numbers,
            )
            if left
            else message("Leaves no match.")
        )
        self._journal.note("stopped", sentence, matches=[match.number for match in left])

    # Events

    def _handle(self, event: Event) -> None:
        if isinstance(event, MatchBegun):
            self._begin(event)
        elif isinstance(event, MyTurn):
            self._play(event.number)
        elif isinstance(event, MatchOver):
            self._note_end(event)
        elif isinstance(event, Challenge):
            self._answer(event)
        elif isinstance(event, OfferMade) and event.offer.what == "rematch":
            self._answer_rematch(event.number)
        elif isinstance(event, Ready):
            self._journal.note(
                "ready", message("Ready at {address}.", address=self._client.address), address=self._client.address
            )
            self._seek()

    def _begin(self, event: MatchBegun) -> None:
        others = ", ".join(seat.nickname or seat.kind for seat in event.seats if not seat.is_mine) or "-"
        self._journal.note(
            "begun",
            message("Match {number}: {game} with {others}.", number=event.number, game=event.game, others=others),
            match=event.number,
            game=event.game,
        )
        self._play(event.number)

    def _play(self, number: str) -> None:
        """Begins to play in a match, unless it does already."""
        with self._lock:
            if number in self._playing:
                return
            match = BotMatch(self._client, number, self._entrant, self._limit, self._journal, self._forget)
            self._playing[number] = match
        match.start()

    def _forget(self, match: BotMatch) -> None:
        with self._lock:
            if self._playing.get(match.number) is match:
                del self._playing[match.number]
            is_last = self._is_finishing and not self._playing
        if is_last:
            self._events.close()

    def _note_end(self, event: MatchOver) -> None:
        number = event.number
        with self._lock:
            if match := self._playing.get(number):
                match.is_over = True
        self._journal.note(
            "over",
            message("Match {number} is over. {result}", number=number, result=event.result.sentence),
            match=event.number,
            winner=event.result.winner,
        )
        if self._left is not None:
            self._left -= 1
            if self._left <= 0:
                self._events.close()
                return
        self._seek()

    def _seek(self) -> None:
        """Waits in the lobby, if it is to and plays no match."""
        with self._lock:
            is_free = all(match.is_over for match in self._playing.values())
        if self._seeking and is_free:
            self._seeking.look()

    def _answer(self, challenge: Challenge) -> None:
        """Accepts a challenge by the terms, or declines it."""
        with self._lock:
            place = self._terms.accepted(challenge, len(self._playing))
        try:
            if place is None:
                self._client.decline(challenge.number)
                said = message("Declines the challenge of {name}.", name=challenge.owner)
            else:
                self._client.accept(challenge.number, place)
                said = message("Accepts the challenge of {name}.", name=challenge.owner)
        except CallRefused as error:  # withdrawn, or taken back
            said = message("The challenge of {name} is gone: {why}", name=challenge.owner, why=error.message)
        self._journal.note("challenged", said, challenge=challenge.number)

    def _answer_rematch(self, number: str) -> None:
        """Accepts a rematch by the terms, or declines it; other offers are answered in the thread of the match."""
        try:
            game = self._client.match(number).game
            with self._lock:
                yes = self._terms.has_room(game, len(self._playing))
            self._client.answer(number, yes)
        except CallRefused as error:  # withdrawn
            said = message("Match {number}: refused: {why}", number=number, why=error.message)
        else:
            said = (
                message("Match {number}: accepts a rematch.", number=number)
                if yes
                else message("Match {number}: declines a rematch.", number=number)
            )
        self._journal.note("answered", said, match=number, what="rematch")

    def _note_loss(self, error: Exception) -> None:
        why = getattr(error, "message", str(error))
        self._journal.note("lost", message("Connects again: {why}", why=why))
