"""API tokens: how they are made, and what is stored of one."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from damier.server.people.credentials import digest, new_number
from damier.server.store.store import now

MOST_TOKENS = 20
"""Of one account."""

_PREFIX = "damier_"  # by which a token is found where it should not be
_TOKEN_BYTES = 24


def new_token() -> str:
    """Returns a new token, which nobody can guess."""
    return _PREFIX + secrets.token_urlsafe(_TOKEN_BYTES)


def token_row(person: str, label: str, scopes: Sequence[str], token: str) -> dict[str, Any]:
    """Returns what is stored of a token: its digest instead of itself."""
    return {
        "number": new_number(),
        "label": label,
        "scopes": " ".join(scopes),
        "created": now(),
        "used": None,
        "digest": digest(token),
        "person": person,
    }
