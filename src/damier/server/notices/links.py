"""Signed links in e-mails: to confirm an address, and to stop notices without signing in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal
from urllib.parse import quote

from itsdangerous import BadSignature, URLSafeTimedSerializer

from damier.core.errors import BadArgument
from damier.core.messages import message

Purpose = Literal["confirm", "unsubscribe"]

CONFIRM_SECONDS = 2 * 86_400
"""In which an address has to be confirmed; a link that stops notices is good for ever."""


class Links:
    """Makes and reads links."""

    def __init__(self, keys: Sequence[str], origin: str) -> None:
        """`keys` are those of the cookies, the newest last; `origin` is the public address."""
        self._keys, self._origin = list(keys), origin.rstrip("/")

    def _signer(self, purpose: Purpose) -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(self._keys, salt=f"damier notices {purpose}")

    def token(self, purpose: Purpose, person: str, email: str) -> str:
        """Returns a token for a person and an address."""
        return str(self._signer(purpose).dumps([person, email]))

    def read(self, purpose: Purpose, token: str) -> tuple[str, str]:
        """Returns the person and the address of a token; raises `BadArgument`."""
        age = CONFIRM_SECONDS if purpose == "confirm" else None
        try:
            person, email = self._signer(purpose).loads(token, max_age=age)
        except (BadSignature, ValueError, TypeError):  # of another server, cut off, or too old
            raise BadArgument(message("This link is not valid, or too old: ask for a new one.")) from None
        return str(person), str(email)

    def page(self, path: str) -> str:
        """Returns the address of a page."""
        return f"{self._origin}{path}"

    def to_confirm(self, person: str, email: str) -> str:
        """Returns the page on which an address is confirmed."""
        return self.page(f"/notices?confirm={quote(self.token('confirm', person, email))}")

    def to_unsubscribe(self, person: str, email: str) -> str:
        """Returns the page on which e-mails are stopped."""
        return self.page(f"/notices?unsubscribe={quote(self.token('unsubscribe', person, email))}")

    def unsubscribing(self, person: str, email: str) -> str:
        """Returns the address to which a mail program posts to stop e-mails (RFC 8058)."""
        return self.page(f"/api/notices/unsubscribe?token={quote(self.token('unsubscribe', person, email))}")
