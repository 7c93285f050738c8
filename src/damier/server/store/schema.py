"""The database schema."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index, LargeBinary, String, UniqueConstraint, true
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """The base of all tables."""


class MatchRow(Base):
    """A match, without its events."""

    __tablename__ = "matches"

    number: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(String(32))
    options: Mapped[str]
    """JSON."""

    seats: Mapped[str]
    """JSON: a list of seats."""

    seed: Mapped[bytes] = mapped_column(LargeBinary(32))
    creator: Mapped[str] = mapped_column(String(64))
    created: Mapped[str] = mapped_column(String(32))
    allows_help: Mapped[bool] = mapped_column(server_default=true())


class VisitRow(Base):
    """A visitor who holds a seat of a match."""

    __tablename__ = "visits"
    __table_args__ = (Index("visits_by_visitor", "visitor", "begun"),)

    match: Mapped[str] = mapped_column(ForeignKey("matches.number"), primary_key=True)
    visitor: Mapped[str] = mapped_column(String(64), primary_key=True)
    begun: Mapped[str] = mapped_column(String(32))


class NicknameRow(Base):
    """The nickname that a visitor has chosen."""

    __tablename__ = "nicknames"

    visitor: Mapped[str] = mapped_column(String(64), primary_key=True)
    nickname: Mapped[str] = mapped_column(String(64))


class SigningKeyRow(Base):
    """A key that signs the cookies of visitors; the one with the highest number signs new ones."""

    __tablename__ = "signing_keys"

    number: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(64))
    created: Mapped[str] = mapped_column(String(32))


class RetentionRow(Base):
    """The only row: from which day the age of matches is counted, and which day the clock showed at that time."""

    __tablename__ = "retention"

    number: Mapped[int] = mapped_column(primary_key=True)
    day: Mapped[str] = mapped_column(String(10))
    seen: Mapped[str] = mapped_column(String(10))


class EventRow(Base):
    """An event of a match. Rows are only ever added."""

    __tablename__ = "events"
    __table_args__ = (UniqueConstraint("match", "visitor", "request", name="events_once"),)

    match: Mapped[str] = mapped_column(ForeignKey("matches.number"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    """From 1 on."""

    data: Mapped[str]
    """JSON: the event."""

    visitor: Mapped[str | None] = mapped_column(String(64))
    request: Mapped[str | None] = mapped_column(String(64))
    """The id of the request that the event answers."""

    at: Mapped[str] = mapped_column(String(32))
