"""Refusals of the server, each with its HTTP status in `damier.server.answers`."""

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
