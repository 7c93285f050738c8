"""Who acts in a request: the account of a session cookie or of a token, looked up in the database.

What was found is remembered for some seconds, so that a ban or another name that `damier admin` has stored is noticed
soon. What ends here, by signing out or a new password, ends at once; other processes hear of it.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from starlette.requests import HTTPConnection

from damier.core.messages import message
from damier.server.errors import NotAllowed
from damier.server.people.account import Account, Identity
from damier.server.store.schema import ApiTokenRow, SessionRow
from damier.server.store.statements import people
from damier.server.store.store import Store, now

COOKIE = "damier_session"
LIFETIME = timedelta(days=180)
"""After which a session that is not used ends."""

_FRESH = 5.0  # seconds for which what was found is not looked up again
_KEPT = 10_000  # identities in memory
_LONGEST = 200  # characters of a cookie or token
_HOUR = timedelta(hours=1)
_BEARER = "bearer "


def digest(token: str) -> str:
    """Returns the hash under which a random token is stored."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def new_number() -> str:
    """Returns the number of a session, passkey or token, by which its owner names it."""
    return secrets.token_hex(8)


def earlier(given: timedelta) -> str:
    """Returns the time some time ago."""
    at = datetime.now(UTC) - given
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Credentials:
    """Recognises accounts by what a request carries."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store, self._clock = store, clock
        self._found: OrderedDict[str, tuple[float, Identity]] = OrderedDict()
        self._watchers: list[Callable[[Account], None]] = []

    def on_change(self, watcher: Callable[[Account], None]) -> None:
        """Calls `watcher` with each account that is found to have changed in the database."""
        self._watchers.append(watcher)

    def known(self, connection: HTTPConnection) -> Identity | None:
        """Returns who acts, if that is remembered."""
        key = _key(connection)
        return self._found[key][1] if key in self._found else None

    async def find(self, connection: HTTPConnection) -> Identity | None:
        """Returns who acts, None for a guest; raises `NotAllowed` for a token that is not valid."""
        key = _key(connection)
        if not key:
            return None
        found = await self._look_up(key)
        if found is None and key.startswith("token"):
            raise NotAllowed(message("The token is not valid: it may have been revoked."))
        return found

    async def renewed(self, identity: Identity) -> Identity | None:
        """Returns an identity as it is now, for a connection that stays open; None if it has ended."""
        for key, (_, known) in self._found.items():
            if (known.session, known.token) == (identity.session, identity.token):
                return await self._look_up(key)
        table, number = (SessionRow, identity.session) if identity.session else (ApiTokenRow, identity.token)
        rows = await self._store.read(
            "look up a session", "", lambda connection: people.rows_of(connection, table, identity.person)
        )
        key = next((_prefixed(table, row.digest) for row in rows if row.number == number), "")
        return await self._look_up(key) if key else None

    def drop(self, person: str, *, besides: str = "") -> None:
        """Forgets what is known of a person, besides one session: it is looked up again."""
        for key, (_, identity) in tuple(self._found.items()):
            if identity.person == person and (not besides or identity.session != besides):
                del self._found[key]

    def drop_all(self) -> None:
        """Forgets all that is known: it is looked up again."""
        self._found.clear()

    async def _look_up(self, key: str) -> Identity | None:
        at, before = self._clock(), self._found.get(key)
        if before and at - before[0] < _FRESH:
            return before[1]
        kind, _, hashed = key.partition(" ")
        table = SessionRow if kind == "session" else ApiTokenRow
        found = await self._store.read(
            "look up a session", "", lambda connection: people.by_digest(connection, table, hashed)
        )
        identity = _identity(kind, *found) if found else None
        if identity is None:
            self._found.pop(key, None)
            return None
        assert found
        await self._note_use(table, found[0])
        self._found[key] = (at, identity)
        self._found.move_to_end(key)
        if len(self._found) > _KEPT:
            self._found.popitem(last=False)
        if before and before[1].account != identity.account:
            for watcher in self._watchers:
                watcher(identity.account)
        return identity

    async def _note_use(self, table: type[Any], row: Any) -> None:
        """Stores when a session or token was last used, once an hour."""
        column = "seen" if table is SessionRow else "used"
        if (getattr(row, column) or "") < earlier(_HOUR):
            values = {column: now()}
            await self._store.write(
                "note the use of a session",
                "",
                lambda connection: people.touch(connection, table, row.number, **values),
            )


def _key(connection: HTTPConnection) -> str:
    """Returns the kind and the hash of what a request carries, "" if that is nothing."""
    given = connection.headers.get("authorization", "")
    if given[: len(_BEARER)].lower() == _BEARER:
        return _prefixed(ApiTokenRow, digest(given[len(_BEARER) :].strip()[:_LONGEST]))
    cookie = connection.cookies.get(COOKIE, "")
    return _prefixed(SessionRow, digest(cookie)) if 0 < len(cookie) <= _LONGEST else ""


def _prefixed(table: type[Any], hashed: str) -> str:
    return f"{'session' if table is SessionRow else 'token'} {hashed}"


def _identity(kind: str, row: Any, account: Account) -> Identity | None:
    if kind == "token":
        return Identity(account, scopes=frozenset(row.scopes.split()), token=row.number)
    return Identity(account, session=row.number) if row.seen > earlier(LIFETIME) else None
