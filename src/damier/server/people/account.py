"""An account as the server passes it around, and who acts in a request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Scope = Literal["read", "play", "challenge", "tournament"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
"""What a token may be good for."""

FOR_EVER = "9999-12-31T00:00:00.000Z"


@dataclass(frozen=True)
class Account:
    """An account, without its secrets."""

    person: str
    name: str
    is_program: bool
    is_moderator: bool
    created: str
    banned_until: str | None = None
    """A time; None if the account is not banned."""

    email: str = ""
    has_password: bool = False

    def is_banned(self, now: str) -> bool:
        """Tells whether the account is banned at a time."""
        return self.banned_until is not None and now < self.banned_until


@dataclass(frozen=True)
class AccountName:
    """How a person with an account is shown to others."""

    name: str
    is_program: bool


@dataclass(frozen=True)
class Identity:
    """An account that acts in a request, and by what it was recognised."""

    account: Account
    session: str = ""
    """The number of the session, "" if a token was sent."""

    scopes: frozenset[str] | None = None
    """What the token is good for; None with a session, which is good for everything."""

    token: str = ""
    """The number of the token."""

    @property
    def person(self) -> str:
        """The person who acts."""
        return self.account.person
