"""Changes of accounts by an operator, in a database that a server may be using.

The database's own locks keep the two apart; the server reads accounts again after some seconds (`people.credentials`).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.server.people.account import SCOPES, Account
from damier.server.people.names import account_name, name_taken, skeleton
from damier.server.people.tokens import MOST_TOKENS, new_token, token_row
from damier.server.store import revisions
from damier.server.store.dialect import Database, SqliteFile
from damier.server.store.refusals import BadDatabase, foreign_database, missing_database, newer_database
from damier.server.store.schema import AccountRow, ApiTokenRow
from damier.server.store.statements import people
from damier.server.store.store import now


def list_accounts(database: Database) -> list[Account]:
    """Returns all accounts, by name."""
    with _opened(database) as connection:
        return people.all_accounts(connection)


def change(database: Database, name: str, **values: object) -> Account:
    """Changes columns of an account and returns it; raises `BadArgument`."""
    return _changed(database, name, lambda connection, account: _set(connection, account, values))


def rename(database: Database, name: str, new: str) -> Account:
    """Gives an account another name, which names of the server may be; raises `BadArgument`."""
    chosen = account_name(new)

    def give(connection: Connection, account: Account) -> None:
        if not people.rename_account(connection, account.person, chosen, skeleton(chosen)):
            raise name_taken()

    return _changed(database, name, give)


def add_program(database: Database, name: str) -> tuple[Account, str]:
    """Makes a new token for the account of a program, which is made if there is none; returns both.

    Raises `BadArgument` if the name is not one, or is that of a person.
    """
    chosen, token = account_name(name), new_token()
    with _opened(database) as connection:
        account = people.by_skeleton(connection, skeleton(chosen))
        if account is None:
            row = {
                "person": secrets.token_hex(16),
                "name": chosen,
                "skeleton": skeleton(chosen),
                "password": None,
                "is_program": True,
                "settings": "{}",
                "created": now(),
            }
            if not people.add_account(connection, row):
                raise name_taken()
            account = people.by_skeleton(connection, skeleton(chosen))
            assert account
        if not account.is_program:
            raise BadArgument(message("{name} is the account of a person: choose another name.", name=account.name))
        if people.count_of(connection, ApiTokenRow, account.person) >= MOST_TOKENS:
            raise BadArgument(
                message("{name} has {most} tokens: revoke one first.", name=account.name, most=MOST_TOKENS)
            )
        people.add_row(connection, ApiTokenRow, token_row(account.person, "damier admin", SCOPES, token))
    return account, token


def _set(connection: Connection, account: Account, values: dict[str, object]) -> None:
    people.change_account(connection, account.person, **values)


def _changed(database: Database, name: str, work: Callable[[Connection, Account], None]) -> Account:
    with _opened(database) as connection:
        account = people.by_skeleton(connection, skeleton(name))
        if account is None:
            raise BadArgument(message("There is no account {name}.", name=shown(name)))
        work(connection, account)
        found = people.by_person(connection, account.person)
        assert found
        return found


@contextmanager
def _opened(database: Database) -> Iterator[Connection]:
    """Yields a connection in one transaction; raises `BadDatabase` for what is no database of this version."""
    if isinstance(database, SqliteFile) and not database.path.is_file():
        raise missing_database(database.name)
    engine = database.engine()
    try:
        with database.explained(), engine.begin() as connection:
            revision = revisions.current_revision(connection)
            if revision is None:
                raise foreign_database(database.name)
            if revision not in revisions.known_revisions():
                raise newer_database(database.name)
            if AccountRow.__tablename__ not in revisions.table_names(connection):
                raise BadDatabase(
                    message(
                        "The database {file} is older than this program: start the server once to bring it up to date.",
                        file=shown(database.name),
                    )
                )
            yield connection
    finally:
        engine.dispose()
