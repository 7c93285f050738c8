"""Refusals and failures of the server; `damier.server.answers` has their HTTP statuses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from damier.core.errors import DamierError
from damier.core.messages import Message, message, plain


class NotAllowed(DamierError):
    """A visitor asked for something that is another visitor's to do."""


class NotFound(DamierError):
    """A visitor asked for something that does not exist."""


class NotNow(DamierError):
    """A visitor asked for something that is not possible at this time."""


class TooManyRequests(DamierError):
    """A visitor asked for more than the limits allow."""

    def __init__(self, message: Message, retry_after: float = 1.0, limit: str = "requests_per_second") -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds after which a request may be accepted."""

        self.limit = limit
        """The name of the limit, for programs; most are settings of the server."""


class UnknownHost(DamierError):
    """A request names a host that this server is not known by."""


class AddressTooLong(DamierError):
    """The path and query of a request are too long."""


class BodyTooLong(DamierError):
    """The body of a request is too long."""


class LengthMissing(DamierError):
    """A request has a body but no Content-Length."""


class BodyLate(DamierError):
    """The body of a request did not arrive in time."""


class ServerFailed(DamierError):
    """The server could not do what a visitor asked for; the log says why."""


class ServerBusy(ServerFailed):
    """The server has too much to do."""

    def __init__(self, message: Message, retry_after: float = 1.0) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds after which a request may be accepted."""


class MalformedRequest(DamierError):
    """The body of a request does not have the form that its route declares."""


def malformed(errors: Sequence[Any]) -> Message:
    """Returns what is wrong with a request, from the errors of pydantic."""
    first = errors[0]
    where = ".".join(str(part) for part in first["loc"]) or "body"
    return message("The request is wrong at {where}: {why}.", where=plain(where, 60), why=first["msg"])
