"""What the database holds about the identity of visitors: the keys of their cookies, and who has been here."""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, insert, literal, select

from damier.server.store.schema import NicknameRow, SigningKeyRow, VisitRow
from damier.server.store.statements.locks import lock_until_commit

_KEY_BYTES = 32


def signing_keys(connection: Connection, at: str) -> list[str]:
    """Returns the keys, the newest last; creates the first one, which all servers share."""
    stored = select(SigningKeyRow.key).order_by(SigningKeyRow.number)
    keys = list(connection.execute(stored).scalars())
    if not keys:
        lock_until_commit(connection, "signing keys")
        keys = list(connection.execute(stored).scalars())
    if not keys:
        keys = [secrets.token_urlsafe(_KEY_BYTES)]
        connection.execute(insert(SigningKeyRow), {"key": keys[0], "created": at})
    return keys


def is_known(connection: Connection, visitor: str) -> bool:
    """Tells whether a visitor has held a seat or chosen a nickname."""
    seats = select(literal(1)).where(VisitRow.visitor == visitor)
    names = select(literal(1)).where(NicknameRow.visitor == visitor)
    return connection.execute(seats.union_all(names).limit(1)).first() is not None
