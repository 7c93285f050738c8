"""The stream of a match: the same messages as those of the match socket, for one who plays or watches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damier.server.streams.lines import LineStream

if TYPE_CHECKING:
    from damier.server.civility.chats import Chats
    from damier.server.matches.live_match import LiveMatch
    from damier.server.matches.match import Event


class MatchLines(LineStream):
    """One client of the stream of a match, as a listener of it."""

    lag = 0  # of a stream, no lag is measured or forgiven

    def __init__(self, live: LiveMatch, visitor: str, lang: str, chats: Chats) -> None:
        super().__init__(lang)
        self.visitor = visitor
        self._live, self._chats = live, chats

    def join(self) -> None:
        """Begins to follow the match, with its whole state and its chat."""
        self._live.join(self, self.lang)
        self._chats.join(self._live, self, self.lang)

    def handle_event(self, seq: int, event: Event) -> None:
        """Sends an event with the state after it; called when it has been applied and before the next one is."""
        self.send_text(self._live.event_text(seq, event, self.visitor, self.lang))
        if event.kind == "seat":
            self._live.tell_presence()

    def replace(self) -> None:
        """Ends the stream because the visitor has opened newer ones."""
        self.end("newer")

    def sign_out(self) -> None:
        """Ends the stream because its session has ended."""
        self.end("signed_out")

    def handle_end(self) -> None:
        """Leaves the match."""
        self._chats.leave(self._live, self)
        self._live.leave(self)
