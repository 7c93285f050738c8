"""Changes of accounts by an operator, in a database that a server may be using.

The database's own locks keep the two apart; the server reads accounts again after some seconds (`people.credentials`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.server.people.account import Account
from damier.server.people.names import account_name, name_taken, skeleton
from damier.server.store import revisions
from damier.server.store.dialect import Database, SqliteFile
from damier.server.store.refusals import BadDatabase, foreign_database, missing_database, newer_database
from damier.server.store.schema import AccountRow
from damier.server.store.statements import people


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
