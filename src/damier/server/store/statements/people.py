"""Statements about accounts and what leads into them. All take a connection; `people` has the services."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, literal, select, update

from damier.server.people.account import Account, AccountName
from damier.server.store.schema import (
    AccountRow,
    ApiTokenRow,
    NicknameRow,
    PasskeyChallengeRow,
    PasskeyRow,
    RecoveryCodeRow,
    SessionRow,
    VacationRow,
    VisitRow,
)

_ACCOUNT = (
    AccountRow.person,
    AccountRow.name,
    AccountRow.is_program,
    AccountRow.is_moderator,
    AccountRow.created,
    AccountRow.banned_until,
    AccountRow.email,
    AccountRow.password.is_not(None).label("has_password"),
)
_OWNED = (SessionRow, PasskeyRow, RecoveryCodeRow, ApiTokenRow, VacationRow)


def _account(row: Any) -> Account | None:
    if row is None:
        return None
    given = {column.key: getattr(row, column.key) for column in _ACCOUNT}
    flags = {name: bool(given[name]) for name in ("is_program", "is_moderator", "has_password")}
    return Account(**{**given, **flags})


# Accounts


def account_where(connection: Connection, condition: ColumnElement[bool]) -> Account | None:
    """Returns the account that fulfils a condition."""
    return _account(connection.execute(select(*_ACCOUNT).where(condition)).first())


def by_skeleton(connection: Connection, skeleton: str) -> Account | None:
    """Returns the account whose name has a skeleton."""
    return account_where(connection, AccountRow.skeleton == skeleton)


def by_person(connection: Connection, person: str) -> Account | None:
    """Returns the account of a person."""
    return account_where(connection, AccountRow.person == person)


def password_of(connection: Connection, person: str) -> str | None:
    """Returns the hash of an account's password."""
    return connection.execute(select(AccountRow.password).where(AccountRow.person == person)).scalar()


def account_names(connection: Connection, people: Collection[str]) -> dict[str, AccountName]:
    """Returns how those of some people are shown who have an account."""
    statement = select(AccountRow.person, AccountRow.name, AccountRow.is_program).where(AccountRow.person.in_(people))
    return {row.person: AccountName(row.name, bool(row.is_program)) for row in connection.execute(statement)}


def all_accounts(connection: Connection) -> list[Account]:
    """Returns all accounts, by name."""
    rows = connection.execute(select(*_ACCOUNT).order_by(AccountRow.skeleton))
    return [account for row in rows if (account := _account(row))]


def add_account(connection: Connection, row: dict[str, Any]) -> bool:
    """Adds an account, with its name as the nickname; returns False if a name that looks like it is taken."""
    if by_skeleton(connection, row["skeleton"]):
        return False
    connection.execute(insert(AccountRow), row)
    set_nickname(connection, row["person"], row["name"])
    return True


def change_account(connection: Connection, person: str, **values: Any) -> bool:
    """Changes columns of an account; returns False if there is none."""
    return connection.execute(update(AccountRow).where(AccountRow.person == person).values(**values)).rowcount > 0


def add_challenge(connection: Connection, row: dict[str, Any], now: str) -> None:
    """Stores a challenge of a passkey, and deletes those that nobody has answered in time."""
    connection.execute(delete(PasskeyChallengeRow).where(PasskeyChallengeRow.until < now))
    connection.execute(insert(PasskeyChallengeRow), row)


def take_challenge(connection: Connection, number: str, now: str) -> Any:
    """Deletes a challenge and returns its row; None if there is none, or it is too old. One attempt gets it."""
    wanted = delete(PasskeyChallengeRow).where(PasskeyChallengeRow.number == number)
    found = connection.execute(wanted.returning(*PasskeyChallengeRow.__table__.columns)).first()
    return found if found and found.until >= now else None


def ended_sessions(connection: Connection, sessions: Collection[str]) -> set[str]:
    """Returns those of some sessions that have ended."""
    wanted = select(SessionRow.number).where(SessionRow.number.in_(sessions))
    return set(sessions) - set(connection.execute(wanted).scalars())


def rename_account(connection: Connection, person: str, name: str, skeleton: str) -> bool:
    """Changes the name of an account; returns False if one that looks like it is taken by another."""
    other = by_skeleton(connection, skeleton)
    if other and other.person != person:
        return False
    change_account(connection, person, name=name, skeleton=skeleton)
    set_nickname(connection, person, name)
    return True


def delete_account(connection: Connection, person: str) -> None:
    """Deletes an account with all that leads into it; its matches are another's matter."""
    for table in _OWNED:
        connection.execute(delete(table).where(table.person == person))
    connection.execute(delete(AccountRow).where(AccountRow.person == person))


def set_nickname(connection: Connection, visitor: str, nickname: str) -> None:
    """Stores the nickname of a visitor."""
    changed = connection.execute(update(NicknameRow).where(NicknameRow.visitor == visitor).values(nickname=nickname))
    if not changed.rowcount:
        connection.execute(insert(NicknameRow), {"visitor": visitor, "nickname": nickname})


def has_played(connection: Connection, person: str) -> bool:
    """Tells whether a person has held a seat."""
    return connection.execute(select(literal(1)).where(VisitRow.visitor == person).limit(1)).first() is not None


def settings_of(connection: Connection, person: str) -> str:
    """Returns the settings of an account, as JSON."""
    return connection.execute(select(AccountRow.settings).where(AccountRow.person == person)).scalar_one()


# Sessions and tokens: `row` of both has number, digest, person and times


def add_row(connection: Connection, table: type[Any], row: dict[str, Any]) -> None:
    """Adds a session, passkey, recovery code or token."""
    connection.execute(insert(table), row)


def rows_of(connection: Connection, table: type[Any], person: str) -> Sequence[Row[Any]]:
    """Returns the rows of a person in a table, the oldest first."""
    statement = select(table.__table__).where(table.person == person)
    order = next(name for name in ("created", "at", "game", "person") if hasattr(table, name))
    return connection.execute(statement.order_by(getattr(table, order))).all()


def count_of(connection: Connection, table: type[Any], person: str) -> int:
    """Returns how many sessions, passkeys, recovery codes or tokens a person has."""
    return connection.execute(select(func.count()).select_from(table).where(table.person == person)).scalar_one()


def remove_row(connection: Connection, table: type[Any], person: str, number: str) -> bool:
    """Removes a session, passkey or token of a person; returns False if there is none of that number."""
    statement = delete(table).where(table.person == person, table.number == number)
    return connection.execute(statement).rowcount > 0


def by_digest(connection: Connection, table: type[Any], digest: str) -> tuple[Row[Any], Account] | None:
    """Returns the session or token of a digest, with its account."""
    row = connection.execute(select(table.__table__).where(table.digest == digest)).first()
    account = by_person(connection, row.person) if row else None
    return (row, account) if row and account else None


def by_credential(connection: Connection, credential: str) -> tuple[Row[Any], Account] | None:
    """Returns the passkey of a credential, with its account."""
    row = connection.execute(select(PasskeyRow.__table__).where(PasskeyRow.credential == credential)).first()
    account = by_person(connection, row.person) if row else None
    return (row, account) if row and account else None


def touch(connection: Connection, table: type[Any], number: str, **values: Any) -> None:
    """Changes columns of a session, passkey or token."""
    connection.execute(update(table).where(table.number == number).values(**values))


def remove_sessions(connection: Connection, person: str, besides: str = "") -> None:
    """Signs out all browsers of a person, besides one."""
    connection.execute(delete(SessionRow).where(SessionRow.person == person, SessionRow.number != besides))


def remove_old_sessions(connection: Connection, before: str) -> None:
    """Removes the sessions that were last used before a time."""
    connection.execute(delete(SessionRow).where(SessionRow.seen < before))


def spend_code(connection: Connection, person: str, digest: str) -> bool:
    """Removes a recovery code; returns False if there is none."""
    statement = delete(RecoveryCodeRow).where(RecoveryCodeRow.person == person, RecoveryCodeRow.digest == digest)
    return connection.execute(statement).rowcount > 0


def replace_codes(connection: Connection, person: str, digests: Sequence[str], at: str) -> None:
    """Replaces the recovery codes of a person."""
    connection.execute(delete(RecoveryCodeRow).where(RecoveryCodeRow.person == person))
    rows = [{"person": person, "digest": digest, "created": at} for digest in digests]
    connection.execute(insert(RecoveryCodeRow), rows)
