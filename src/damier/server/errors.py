"""Refusals and failures of the server; `damier.server.answers` has their HTTP statuses."""

from __future__ import annotations

from damier.core.errors import DamierError


class NotAllowed(DamierError):
    """A visitor asked for something that is another visitor's to do."""


class NotFound(DamierError):
    """A visitor asked for something that does not exist."""


class NotNow(DamierError):
    """A visitor asked for something that is not possible at this time."""


class TooManyRequests(DamierError):
    """A visitor asked for more than the limits allow."""


class ServerFailed(DamierError):
    """The server could not do what a visitor asked for; the log says why."""
