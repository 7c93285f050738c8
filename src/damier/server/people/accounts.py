"""Accounts: made, found, changed, deleted, and signed in to. See ``docs/online.md#people``."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from damier.core.messages import message
from damier.server.errors import NotAllowed, NotFound, NotNow
from damier.server.hub.local import LocalHub
from damier.server.people.account import Account, AccountName
from damier.server.people.credentials import LIFETIME, Credentials, digest, earlier, new_number
from damier.server.people.names import name_taken, skeleton
from damier.server.store.schema import PasskeyRow, RecoveryCodeRow, SessionRow
from damier.server.store.statements import people
from damier.server.store.statements.forgetting import forget
from damier.server.store.store import Store, now

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from damier.server.hub.hub import Hub
    from damier.server.matches.referee import Referee

_TOKEN_BYTES = 32
_MOST_SESSIONS = 50  # of one account; the oldest ends
_LONGEST_BROWSER = 100  # characters
_CODES, _CODE_LETTERS = 10, "23456789abcdefghjkmnpqrstuvwxyz"  # none that look alike


class Accounts:
    """The accounts of a server."""

    def __init__(self, store: Store, referee: Referee, credentials: Credentials, hub: Hub | None = None) -> None:
        self._store, self._referee, self._credentials = store, referee, credentials
        self._hub = hub or LocalHub()
        credentials.on_change(self._show)

    def _show(self, account: Account) -> None:
        self._referee.show_account(account.person, AccountName(account.name, account.is_program))

    def _drop(self, person: str, *, besides: str = "") -> None:
        """Has all processes look up an account again, which has changed."""
        self._credentials.drop(person, besides=besides)
        self._hub.announce("person", person)

    # Finding

    async def find(self, name: str) -> Account | None:
        """Returns the account of a name, or of one that looks like it."""
        wanted = skeleton(name[:100].replace("\0", "?"))
        return await self._store.read("find an account", "", lambda given: people.by_skeleton(given, wanted))

    async def of(self, person: str) -> Account | None:
        """Returns the account of a person, None for a guest."""
        return await self._store.read("find an account", "", lambda given: people.by_person(given, person))

    async def names(self, persons: Collection[str]) -> dict[str, AccountName]:
        """Returns how those of some people are shown who have an account."""
        return await self._store.account_names(persons)

    async def password_of(self, person: str) -> str | None:
        """Returns the hash of an account's password."""
        return await self._store.read("read a password", "", lambda given: people.password_of(given, person))

    # Making, changing, deleting

    async def make(
        self,
        name: str,
        *,
        guest: str,
        password: str | None = None,
        passkey: dict[str, Any] | None = None,
        is_program: bool = False,
        person: str = "",
        settings: str = "{}",
    ) -> Account:
        """Makes an account with a password's hash or a passkey, and gives it all that a guest has.

        Raises `NameTaken`. `name` is one that `account_name` returned.
        """
        person, at = person or secrets.token_hex(16), now()
        row = {
            "person": person,
            "name": name,
            "skeleton": skeleton(name),
            "password": password,
            "is_program": is_program,
            "settings": settings,
            "created": at,
        }

        def add(connection: Connection) -> None:
            if not people.add_account(connection, row):
                raise name_taken()
            if passkey:
                people.add_row(connection, PasskeyRow, {**passkey, "person": person})

        await self._referee.move(guest, person, AccountName(name, is_program), add)
        return Account(person, name, is_program, False, at, has_password=password is not None)

    async def rename(self, account: Account, name: str) -> Account:
        """Changes the name of an account; raises `NameTaken`."""

        def change(connection: Connection) -> Account | None:
            if not people.rename_account(connection, account.person, name, skeleton(name)):
                raise name_taken()
            return people.by_person(connection, account.person)

        return await self._changed(account, change)

    async def change(self, account: Account, **values: Any) -> Account:
        """Changes columns of an account."""

        def change(connection: Connection) -> Account | None:
            people.change_account(connection, account.person, **values)
            return people.by_person(connection, account.person)

        return await self._changed(account, change)

    async def _changed(self, account: Account, change: Any) -> Account:
        found: Account | None = await self._store.write("change an account", "", change)
        self._drop(account.person)
        if found is None:
            raise NotFound(message("There is no such account."))
        self._show(found)
        return found

    async def renew(self, person: str) -> None:
        """Shows an account as it is now, which other code has changed in the database, in all processes."""
        self._drop(person)
        await self.show(person)

    async def show(self, person: str) -> None:
        """Shows an account as it is now, in this process."""
        self._credentials.drop(person)
        found = await self.of(person)
        if found:
            self._show(found)

    async def become_program(self, account: Account) -> Account:
        """Marks an account as a program's; raises `NotNow` once its person has played."""
        played = await self._store.read("find matches", "", lambda given: people.has_played(given, account.person))
        if played:
            raise NotNow(message("Only an account that has not played can become a program's: make a new one."))
        return await self.change(account, is_program=True)

    async def delete(self, account: Account) -> None:
        """Deletes an account; its matches stay under names that lead nowhere."""

        def remove(connection: Connection) -> dict[str, str]:
            names = forget(connection, account.person)
            people.delete_account(connection, account.person)
            return names

        await self._referee.forget(account.person, remove)
        self._drop(account.person)

    async def settings(self, person: str) -> str:
        """Returns the settings of an account, as JSON."""
        return await self._store.read("read settings", "", lambda given: people.settings_of(given, person))

    async def keep_settings(self, person: str, settings: str) -> None:
        """Stores the settings of an account, as JSON."""
        change = people.change_account
        await self._store.write("store settings", "", lambda given: change(given, person, settings=settings))

    # Sessions

    async def sign_in(self, person: str, browser: str) -> tuple[str, str]:
        """Begins a session; returns its number and the token of its cookie."""
        token, number, at = secrets.token_urlsafe(_TOKEN_BYTES), new_number(), now()
        row = {
            "number": number,
            "digest": digest(token),
            "person": person,
            "browser": browser[:_LONGEST_BROWSER],
            "created": at,
            "seen": at,
        }

        def add(connection: Connection) -> None:
            for old in people.rows_of(connection, SessionRow, person)[: -_MOST_SESSIONS + 1]:
                people.remove_row(connection, SessionRow, person, old.number)
            people.add_row(connection, SessionRow, row)

        await self._store.write("sign in", "", add)
        return number, token

    async def sessions(self, person: str) -> list[Any]:
        """Returns the sessions of an account, the oldest first."""
        return await self.rows(SessionRow, person)

    async def sign_out(self, person: str, number: str) -> None:
        """Ends one session; raises `NotFound`."""
        await self.remove(SessionRow, person, number)

    async def sign_out_others(self, person: str, besides: str) -> None:
        """Ends all sessions of an account, besides one."""
        await self._store.write("sign out", "", lambda given: people.remove_sessions(given, person, besides))
        self._drop(person, besides=besides)

    async def end_old_sessions(self) -> None:
        """Ends the sessions that were not used for long."""
        before = earlier(LIFETIME)
        await self._store.write("end old sessions", "", lambda given: people.remove_old_sessions(given, before))

    # What leads into an account: sessions, passkeys, tokens

    async def rows(self, table: type[Any], person: str) -> list[Any]:
        """Returns the rows of a table that belong to a person, the oldest first."""
        return list(await self._store.read("read an account", "", lambda given: people.rows_of(given, table, person)))

    async def add(self, table: type[Any], row: dict[str, Any], most: int) -> None:
        """Adds a row of a person, who may have `most`; raises `NotNow`."""

        def add(connection: Connection) -> None:
            if people.count_of(connection, table, row["person"]) >= most:
                raise NotNow(message("You have {most} already: remove one first.", most=most))
            people.add_row(connection, table, row)

        await self._store.write("change an account", "", add)

    async def remove(self, table: type[Any], person: str, number: str) -> None:
        """Removes a row of a person; raises `NotFound`."""
        remove = people.remove_row
        if not await self._store.write("change an account", "", lambda given: remove(given, table, person, number)):
            raise NotFound(message("There is nothing of that number."))
        self._drop(person)

    async def passkey(self, credential: str) -> tuple[Any, Account] | None:
        """Returns a passkey by its id in base64url, with its account."""
        return await self._store.read("find a passkey", "", lambda given: people.by_credential(given, credential))

    async def note_passkey(self, number: str, sign_count: int) -> None:
        """Stores that a passkey was used."""
        values = {"sign_count": sign_count, "used": now()}
        await self._store.write("note a passkey", "", lambda given: people.touch(given, PasskeyRow, number, **values))

    async def remove_passkey(self, account: Account, number: str) -> None:
        """Removes a passkey, unless nothing else leads into the account; raises `NotNow` or `NotFound`."""

        def remove(connection: Connection) -> bool:
            person = account.person
            if not people.password_of(connection, person) and people.count_of(connection, PasskeyRow, person) == 1:
                raise NotNow(message("This passkey is the only way into your account: set a password first."))
            return people.remove_row(connection, PasskeyRow, person, number)

        if not await self._store.write("change an account", "", remove):
            raise NotFound(message("There is nothing of that number."))

    # Recovery codes

    async def new_codes(self, person: str) -> list[str]:
        """Replaces the recovery codes of an account and returns them; only their hashes are kept."""
        codes = ["-".join(_word() for _ in range(3)) for _ in range(_CODES)]
        digests, at = [code_digest(person, code) for code in codes], now()
        await self._store.write(
            "store recovery codes", "", lambda given: people.replace_codes(given, person, digests, at)
        )
        return codes

    async def count_codes(self, person: str) -> int:
        """Returns how many recovery codes are left."""
        count = people.count_of
        return await self._store.read("count recovery codes", "", lambda given: count(given, RecoveryCodeRow, person))

    async def recover(self, account: Account | None, code: str, password: str) -> Account:
        """Spends a recovery code for a new password's hash, and ends all sessions; raises `NotAllowed`."""

        def spend(connection: Connection) -> bool:
            if account is None or not people.spend_code(connection, account.person, code_digest(account.person, code)):
                return False
            people.change_account(connection, account.person, password=password)
            people.remove_sessions(connection, account.person)
            return True

        if not await self._store.write("recover an account", "", spend) or account is None:
            raise NotAllowed(message("The name or the recovery code is wrong."))
        self._drop(account.person)
        return account


def _word() -> str:
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(5))


def code_digest(person: str, code: str) -> str:
    """Returns the hash of a recovery code, however it was typed: of 74 random bits, it needs no slow one."""
    letters = "".join(letter for letter in code[:100].lower() if letter.isalnum())
    return digest(f"{person} {letters}")
