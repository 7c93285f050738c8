"""Statements about notices: keys, the browsers that get them, what each person wants, and reminders that are due."""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, delete, exists, insert, or_, select, update

from damier.server.store.schema import (
    AccountRow,
    MatchRow,
    NoticeSettingsRow,
    PushKeyRow,
    PushSubscriptionRow,
    SessionRow,
    VisitRow,
)
from damier.server.store.statements.locks import lock_until_commit

_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the points of the curve P-256

_LOOKED_AT = 200  # matches of a person


def push_key(connection: Connection, at: str) -> str:
    """Returns the private key for push services; makes the first one."""
    newest = select(PushKeyRow.key).order_by(PushKeyRow.number.desc()).limit(1)
    found = connection.execute(newest).scalar()
    if found is None:
        lock_until_commit(connection, "push keys")  # which all servers share
        found = connection.execute(newest).scalar()
    if found is None:
        number = secrets.randbelow(_ORDER - 1) + 1
        found = base64.urlsafe_b64encode(number.to_bytes(32, "big")).rstrip(b"=").decode()
        connection.execute(insert(PushKeyRow), {"key": found, "created": at})
    return found


# Browsers


@dataclass(frozen=True)
class Subscription:
    """A browser that gets notices."""

    number: str
    person: str
    session: str
    endpoint: str
    p256dh: str
    auth: str
    lang: str
    browser: str
    created: str
    failures: int = 0


_COLUMNS = tuple(getattr(PushSubscriptionRow, name) for name in Subscription.__dataclass_fields__)
_IS_SIGNED_IN = or_(
    PushSubscriptionRow.session == "",
    exists().where(SessionRow.number == PushSubscriptionRow.session, SessionRow.person == PushSubscriptionRow.person),
)


def subscribe(connection: Connection, new: Subscription, most: int) -> None:
    """Stores a browser, in the place of an earlier row of its own; beyond `most`, the oldest of the person goes."""
    remove_signed_out(connection)
    connection.execute(delete(PushSubscriptionRow).where(PushSubscriptionRow.number == new.number))
    for old in subscriptions(connection, new.person)[: -most + 1 if most > 1 else None]:
        connection.execute(delete(PushSubscriptionRow).where(PushSubscriptionRow.number == old.number))
    connection.execute(insert(PushSubscriptionRow), asdict(new))


def subscriptions(connection: Connection, person: str) -> list[Subscription]:
    """Returns the browsers of a person, the oldest first, without those that have been signed out."""
    wanted = select(*_COLUMNS).where(PushSubscriptionRow.person == person, _IS_SIGNED_IN)
    found = connection.execute(wanted.order_by(PushSubscriptionRow.created, PushSubscriptionRow.number))
    return [Subscription(**row._mapping) for row in found.all()]


def remove_signed_out(connection: Connection) -> None:
    """Deletes the browsers whose sessions have ended."""
    connection.execute(delete(PushSubscriptionRow).where(~_IS_SIGNED_IN))


def unsubscribe(connection: Connection, number: str, person: str | None = None) -> bool:
    """Deletes a browser, of a person if one is given; returns False if there is none."""
    wanted = [PushSubscriptionRow.number == number]
    if person is not None:
        wanted.append(PushSubscriptionRow.person == person)
    return connection.execute(delete(PushSubscriptionRow).where(*wanted)).rowcount > 0


def note_delivery(connection: Connection, number: str, *, is_delivered: bool, most: int) -> None:
    """Counts notices in a row that could not be delivered; deletes the browser after `most`."""
    wanted = PushSubscriptionRow.number == number
    failures = 0 if is_delivered else PushSubscriptionRow.failures + 1
    connection.execute(update(PushSubscriptionRow).where(wanted).values(failures=failures))
    connection.execute(delete(PushSubscriptionRow).where(wanted, PushSubscriptionRow.failures >= most))


def sign_in(connection: Connection, person: str, session: str) -> None:
    """Ties the browsers that came with a guest to the session in which the account was made."""
    wanted = PushSubscriptionRow.person == person, PushSubscriptionRow.session == ""
    connection.execute(update(PushSubscriptionRow).where(*wanted).values(session=session))


# Settings


@dataclass(frozen=True)
class NoticeSettings:
    """Which notices a person wants, and in which language e-mails are."""

    off: frozenset[str] = frozenset()
    """``turn.email``: a kind and a channel."""

    lang: str = "en"
    confirmed: str = ""
    """The e-mail address that was confirmed."""


def settings_of(connection: Connection, person: str) -> NoticeSettings:
    """Returns the settings of a person, those by default if none are stored."""
    row = connection.execute(select(NoticeSettingsRow.__table__).where(NoticeSettingsRow.person == person)).first()
    return NoticeSettings(frozenset(row.off.split()), row.lang, row.confirmed) if row else NoticeSettings()


def change_settings(
    connection: Connection,
    person: str,
    *,
    off: Sequence[str] | frozenset[str] | None = None,
    lang: str | None = None,
    confirmed: str | None = None,
) -> None:
    """Changes what is given of the settings of a person."""
    before = settings_of(connection, person)
    after = {
        "off": " ".join(sorted(before.off if off is None else off)),
        "lang": lang or before.lang,
        "confirmed": before.confirmed if confirmed is None else confirmed,
    }
    connection.execute(delete(NoticeSettingsRow).where(NoticeSettingsRow.person == person))
    connection.execute(insert(NoticeSettingsRow), {"person": person, **after})


def email_of(connection: Connection, person: str) -> str:
    """Returns the e-mail address of a person who has an account with one, else ""."""
    return connection.execute(select(AccountRow.email).where(AccountRow.person == person)).scalar() or ""


# Matches


def read_reminders(connection: Connection, until: int) -> list[tuple[str, int]]:
    """Returns the matches in which a reminder is due by a time, with when, the earliest first."""
    statement = select(MatchRow.number, MatchRow.remind).where(MatchRow.remind <= until)
    found = connection.execute(statement.order_by(MatchRow.remind)).all()
    return [(row.number, row.remind) for row in found if row.remind is not None]


def reminded(connection: Connection, number: str, until: int) -> bool:
    """Notes that a reminder is given that was due by a time; returns False if none was, or another has been faster."""
    due = update(MatchRow).where(MatchRow.number == number, MatchRow.remind <= until)
    return connection.execute(due.values(remind=None)).rowcount > 0


@dataclass(frozen=True)
class WaitingTurn:
    """A match without a live clock that waits for a person."""

    number: str
    game: str
    others: tuple[str, ...]
    """The other persons in it."""


def waiting_turns(connection: Connection, person: str, most: int) -> list[WaitingTurn]:
    """Returns the matches without a live clock in which it is a person's turn, those that changed last at the end."""
    statement = select(MatchRow.number, MatchRow.game, MatchRow.seats, MatchRow.mover)
    statement = statement.join(VisitRow, VisitRow.match == MatchRow.number)
    is_slow = or_(MatchRow.clock.is_(None), MatchRow.clock.contains('"correspondence"'))
    wanted = statement.where(VisitRow.visitor == person, MatchRow.ended.is_(None), MatchRow.mover.is_not(None), is_slow)
    found = []
    for row in connection.execute(wanted.order_by(MatchRow.updated.desc()).limit(_LOOKED_AT)):
        try:
            holders = {seat["player"]: seat["visitor"] for seat in json.loads(row.seats)}
        except (ValueError, TypeError, KeyError):  # damaged: whoever opens it is told
            continue
        others = tuple(dict.fromkeys(each for each in holders.values() if each and each != person))
        if holders.get(row.mover) == person and others:
            found.append(WaitingTurn(row.number, row.game, others))
    return found[:most][::-1]


# People


def move(connection: Connection, guest: str, person: str) -> None:
    """Gives the browsers and settings of a guest to the person of a new account."""
    connection.execute(update(PushSubscriptionRow).where(PushSubscriptionRow.person == guest).values(person=person))
    connection.execute(update(NoticeSettingsRow).where(NoticeSettingsRow.person == guest).values(person=person))


def forget(connection: Connection, person: str) -> None:
    """Deletes the browsers and settings of a person."""
    connection.execute(delete(PushSubscriptionRow).where(PushSubscriptionRow.person == person))
    connection.execute(delete(NoticeSettingsRow).where(NoticeSettingsRow.person == person))
