"""What can go wrong between a client and a server; each error has one sentence, the server's own where it sent one."""

from __future__ import annotations

from damier.core.errors import DamierError
from damier.core.messages import Message


class ConnectionLost(DamierError):
    """The server cannot be reached, or the connection to it was lost."""


class BadLine(DamierError):
    """The server sent what is no answer of a damier server."""


class CallRefused(DamierError):
    """The server refused a call; the sentence is the server's."""

    def __init__(self, message: Message, status: int) -> None:
        super().__init__(message)
        self.status = status
        """The HTTP status."""


class LimitReached(CallRefused):
    """A call went beyond a limit of the server, or the server is busy."""

    def __init__(self, message: Message, status: int, limit: str, seconds: float) -> None:
        super().__init__(message, status)
        self.limit = limit
        """The name of the limit; empty if the server is busy."""

        self.seconds = seconds
        """How long to wait before the next call."""


class StreamReplaced(DamierError):
    """Another client with the same token has opened its stream of events: only the newest gets them."""


def server_sentence(text: str) -> Message:
    """Returns a sentence of the server, which is in the language that was asked for."""
    return Message("{sentence}", {"sentence": text})
