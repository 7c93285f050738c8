"""The database schema."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, String, UniqueConstraint, false, text, true
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

_NAMED = text("origin <> '' AND origin <> 'rematch'")


class Base(DeclarativeBase):
    """The base of all tables."""


class MatchRow(Base):
    """A match, without its events."""

    __tablename__ = "matches"
    __table_args__ = (
        Index("matches_by_deadline", "deadline"),
        Index("matches_by_reminder", "remind"),
        Index("matches_to_watch", "ended", "updated"),
        Index("matches_by_origin", "origin"),
        Index("matches_once", "origin", unique=True, sqlite_where=_NAMED, postgresql_where=_NAMED),
    )

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
    clock: Mapped[str | None]
    """JSON: the time control."""

    is_rated: Mapped[bool] = mapped_column(server_default=false())
    origin: Mapped[str] = mapped_column(String(64), server_default="")
    """``rematch``, or which seek or game of a tournament has led to it: these have one match each."""

    begun: Mapped[int] = mapped_column(BigInteger, server_default="0")
    """The server time at which a timed match was begun."""

    # What follows from the events; written with each of them.

    mover: Mapped[str | None] = mapped_column(String(8))
    """The player to act; null while a roll is due, when the game is over, and in an old match not looked at yet."""

    deadline: Mapped[int | None] = mapped_column(BigInteger)
    """The server time at which the running clock is over."""

    taken: Mapped[int | None] = mapped_column(BigInteger)
    """The server time until which one of several processes looks at the deadline, which is over."""

    remind: Mapped[int | None] = mapped_column(BigInteger)
    """The server time at which the player to act is reminded of a correspondence turn; null once that is done."""

    updated: Mapped[str | None] = mapped_column(String(32))
    ended: Mapped[str | None] = mapped_column(String(32))
    result: Mapped[str | None]
    """JSON: winner, reason, and the players in the order of their places."""


class ServerTimeRow(Base):
    """The only row: how many milliseconds servers have been up with this database."""

    __tablename__ = "server_time"

    number: Mapped[int] = mapped_column(primary_key=True)
    milliseconds: Mapped[int] = mapped_column(BigInteger)
    noted: Mapped[int] = mapped_column(BigInteger, server_default="0")
    """The time of the database, in milliseconds, when it was noted last, if several processes share it."""


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


class AccountRow(Base):
    """An account."""

    __tablename__ = "accounts"

    person: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(32))
    skeleton: Mapped[str] = mapped_column(String(32), unique=True)
    """What look-alike names have in common."""

    password: Mapped[str | None] = mapped_column(String(200))
    """A hash; null if only passkeys lead in."""

    email: Mapped[str] = mapped_column(String(254), server_default="")
    is_program: Mapped[bool] = mapped_column(server_default=false())
    is_moderator: Mapped[bool] = mapped_column(server_default=false())
    banned_until: Mapped[str | None] = mapped_column(String(32))
    """A time; null if the account is not banned."""

    settings: Mapped[str] = mapped_column(server_default="{}")
    """JSON: settings and progress, as the pages keep them."""

    created: Mapped[str] = mapped_column(String(32))


class SessionRow(Base):
    """A browser that is signed in."""

    __tablename__ = "sessions"

    number: Mapped[str] = mapped_column(String(32), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    """A hash of the cookie's token."""

    person: Mapped[str] = mapped_column(ForeignKey("accounts.person"), index=True)
    browser: Mapped[str] = mapped_column(String(100))
    created: Mapped[str] = mapped_column(String(32))
    seen: Mapped[str] = mapped_column(String(32))
    """When it was last used, to the hour."""


class PasskeyRow(Base):
    """A passkey of an account."""

    __tablename__ = "passkeys"

    number: Mapped[str] = mapped_column(String(32), primary_key=True)
    credential: Mapped[str] = mapped_column(String(1400), unique=True)
    """Its id in base64url, as the authenticator gave it."""

    person: Mapped[str] = mapped_column(ForeignKey("accounts.person"), index=True)
    public_key: Mapped[bytes] = mapped_column(LargeBinary)
    sign_count: Mapped[int]
    label: Mapped[str] = mapped_column(String(64))
    created: Mapped[str] = mapped_column(String(32))
    used: Mapped[str | None] = mapped_column(String(32))


class PasskeyChallengeRow(Base):
    """A challenge of a passkey that waits for its answer; taking it deletes the row."""

    __tablename__ = "passkey_challenges"
    __table_args__ = (Index("passkey_challenges_by_time", "until"),)

    number: Mapped[str] = mapped_column(String(32), primary_key=True)
    challenge: Mapped[bytes] = mapped_column(LargeBinary)
    person: Mapped[str] = mapped_column(String(64))
    """Who makes a passkey; "" if it is to sign in."""

    name: Mapped[str] = mapped_column(String(32))
    """Of the account to make; "" if there is one."""

    until: Mapped[str] = mapped_column(String(32))


class RecoveryCodeRow(Base):
    """A recovery code that has not been used."""

    __tablename__ = "recovery_codes"

    person: Mapped[str] = mapped_column(ForeignKey("accounts.person"), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    created: Mapped[str] = mapped_column(String(32))


class ApiTokenRow(Base):
    """A token with which a program acts for an account."""

    __tablename__ = "api_tokens"

    number: Mapped[str] = mapped_column(String(32), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    person: Mapped[str] = mapped_column(ForeignKey("accounts.person"), index=True)
    label: Mapped[str] = mapped_column(String(64))
    scopes: Mapped[str] = mapped_column(String(100))
    """Separated by spaces."""

    created: Mapped[str] = mapped_column(String(32))
    used: Mapped[str | None] = mapped_column(String(32))
    """When it was last used, to the hour."""


class RatingRow(Base):
    """The rating of a person in a pool, as it was after the last game."""

    __tablename__ = "ratings"
    __table_args__ = (Index("ratings_by_value", "pool", "value"),)

    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    pool: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[float]
    deviation: Mapped[float]
    volatility: Mapped[float]
    games: Mapped[int]
    at: Mapped[str] = mapped_column(String(32))
    """When the last game ended."""

    listed_until: Mapped[str] = mapped_column(String(32))
    """Until when the rating is certain enough for a leaderboard; "" if it is not."""


class RatingChangeRow(Base):
    """What a match has changed in the rating of a person; the match itself may be gone."""

    __tablename__ = "rating_changes"
    __table_args__ = (Index("rating_changes_by_person", "person", "pool", "at"),)

    match: Mapped[str] = mapped_column(String(32), primary_key=True)
    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    pool: Mapped[str] = mapped_column(String(64))
    player: Mapped[str] = mapped_column(String(16))
    before: Mapped[float]
    after: Mapped[float]
    deviation: Mapped[float]
    """After the game."""

    opponents: Mapped[str]
    """JSON: value, deviation and score of each comparison, without who it was."""

    opening: Mapped[str]
    """The first actions of the game, to recognise games that are repeated."""

    outcome: Mapped[str] = mapped_column(String(16))
    """``won``, ``lost`` or ``drawn``; ``lost-time`` for a loss of two on time."""

    why_unrated: Mapped[str | None] = mapped_column(String(16))
    """Why the game did not count; null if it did."""

    at: Mapped[str] = mapped_column(String(32))
    """When the match ended."""


class SeekRow(Base):
    """Somebody who looks for an opponent, or challenges one. Closed ones are deleted after a while."""

    __tablename__ = "seeks"
    __table_args__ = (Index("seeks_by_state", "state"), Index("seeks_by_person", "person"))

    number: Mapped[str] = mapped_column(String(32), primary_key=True)
    person: Mapped[str] = mapped_column(String(64))
    kind: Mapped[str] = mapped_column(String(16))
    """``open``, ``challenge`` (to one person) or ``link`` (to whoever knows the number)."""

    rival: Mapped[str | None] = mapped_column(String(64))
    """Who is challenged."""

    terms: Mapped[str]
    """JSON: a list of game, options, clock and is_rated."""

    side: Mapped[int | None]
    reach: Mapped[int | None]
    is_live: Mapped[bool]
    """Whether the seek ends when its owner leaves."""

    state: Mapped[str] = mapped_column(String(16))
    """``open``, ``taken``, ``declined``, ``withdrawn`` or ``expired``; ``taking`` only in rows of earlier versions."""

    created: Mapped[str] = mapped_column(String(32))
    seen: Mapped[str] = mapped_column(String(32))
    """When the owner was last here."""

    closed: Mapped[str | None] = mapped_column(String(32))
    match: Mapped[str | None] = mapped_column(String(32))


class WishRow(Base):
    """Somebody wants to be told when others seek a game."""

    __tablename__ = "seek_wishes"
    __table_args__ = (Index("seek_wishes_by_game", "game"),)

    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    game: Mapped[str] = mapped_column(String(32), primary_key=True)


class TournamentRow(Base):
    """A tournament, without its events."""

    __tablename__ = "tournaments"
    __table_args__ = (Index("tournaments_by_status", "status", "created"), Index("tournaments_by_due", "due"))

    number: Mapped[str] = mapped_column(String(32), primary_key=True)
    terms: Mapped[str]
    """JSON."""

    maker: Mapped[str] = mapped_column(String(64))
    created: Mapped[str] = mapped_column(String(32))
    status: Mapped[str] = mapped_column(String(16))
    """This and `players` follow from the events, so that lists need none of them."""

    players: Mapped[int]
    due: Mapped[str | None] = mapped_column(String(32))
    """When one of several processes looks at it again; null once it is over."""

    taken: Mapped[str | None] = mapped_column(String(32))
    """Until when no other process looks at it, because one does."""

    rewritten: Mapped[int] = mapped_column(server_default="0")
    """How often its events were rewritten, to forget a person."""


class TournamentEventRow(Base):
    """An event of a tournament. Rows are only added; to forget a person they are rewritten."""

    __tablename__ = "tournament_events"

    tournament: Mapped[str] = mapped_column(ForeignKey("tournaments.number"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    """From 1 on."""

    data: Mapped[str]
    """JSON: the event."""


class ChatLineRow(Base):
    """A message in one of the two rooms of a match."""

    __tablename__ = "chat_lines"
    __table_args__ = (
        UniqueConstraint("match", "person", "request", name="chat_lines_once"),
        Index("chat_lines_by_room", "match", "room", "number"),
        Index("chat_lines_by_person", "person", "number"),
    )

    number: Mapped[int] = mapped_column(primary_key=True)
    match: Mapped[str] = mapped_column(ForeignKey("matches.number"))
    room: Mapped[str] = mapped_column(String(16))
    person: Mapped[str] = mapped_column(String(64))
    phrase: Mapped[str | None] = mapped_column(String(32))
    """The key of a ready-made phrase; null for text of the person's own."""

    text: Mapped[str]
    """Empty for a phrase, which each reader gets in their own language."""

    at: Mapped[str] = mapped_column(String(32))
    request: Mapped[str] = mapped_column(String(64))
    """The id of the request that it answers."""


class AvoidedRow(Base):
    """Somebody whom a person has muted or blocked."""

    __tablename__ = "avoided"
    __table_args__ = (Index("avoided_by_other", "other"),)

    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    other: Mapped[str] = mapped_column(String(64), primary_key=True)
    number: Mapped[str] = mapped_column(String(32))
    """By which the person names the row."""

    kind: Mapped[str] = mapped_column(String(8))
    """``mute`` or ``block``."""

    created: Mapped[str] = mapped_column(String(32))


class SilenceRow(Base):
    """A person who may not write in any chat until a time."""

    __tablename__ = "silences"

    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    until: Mapped[str] = mapped_column(String(32))


class ReportRow(Base):
    """What a person has told the moderators about another."""

    __tablename__ = "reports"
    __table_args__ = (Index("reports_by_time", "closed", "created"), Index("reports_by_person", "person"))

    number: Mapped[str] = mapped_column(String(32), primary_key=True)
    reporter: Mapped[str] = mapped_column(String(64))
    """Empty once the reporter is gone."""

    person: Mapped[str] = mapped_column(String(64))
    """Who is reported."""

    name: Mapped[str] = mapped_column(String(64))
    """Their name at that time."""

    match: Mapped[str | None] = mapped_column(String(32))
    reason: Mapped[str] = mapped_column(String(16))
    words: Mapped[str]
    context: Mapped[str]
    """JSON: the last messages, as they were."""

    created: Mapped[str] = mapped_column(String(32))
    closed: Mapped[str | None] = mapped_column(String(32))


class ModerationRow(Base):
    """What a moderator has done."""

    __tablename__ = "moderation_log"
    __table_args__ = (Index("moderation_log_by_report", "report"),)

    number: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[str] = mapped_column(String(32))
    moderator: Mapped[str] = mapped_column(String(64))
    moderator_name: Mapped[str] = mapped_column(String(64))
    person: Mapped[str] = mapped_column(String(64))
    """Whom it was done to."""

    name: Mapped[str] = mapped_column(String(64))
    """Their name before it."""

    what: Mapped[str] = mapped_column(String(16))
    detail: Mapped[str]
    """Until when, the message that was removed, or the new name."""

    why: Mapped[str]
    report: Mapped[str] = mapped_column(String(32))
    match: Mapped[str | None] = mapped_column(String(32))


class VacationRow(Base):
    """A vacation of an account; those that no longer count are deleted."""

    __tablename__ = "vacations"

    person: Mapped[str] = mapped_column(ForeignKey("accounts.person"), primary_key=True)
    began: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    """A server time, as `until`."""

    until: Mapped[int] = mapped_column(BigInteger)
    is_told: Mapped[bool] = mapped_column(server_default=false())
    """Whether all matches that it concerns have their events."""

    created: Mapped[str] = mapped_column(String(32))


class ConditionalTurnsRow(Base):
    """The conditional turns of a player of a match."""

    __tablename__ = "conditional_turns"
    __table_args__ = (Index("conditional_turns_by_person", "person"),)

    match: Mapped[str] = mapped_column(ForeignKey("matches.number"), primary_key=True)
    player: Mapped[str] = mapped_column(String(8), primary_key=True)
    person: Mapped[str] = mapped_column(String(64))
    base: Mapped[int]
    """How many actions of the match come before the lines."""

    lines: Mapped[str]
    """JSON: lines of turns of actions."""

    created: Mapped[str] = mapped_column(String(32))


class PushKeyRow(Base):
    """The private key by which the server identifies itself to push services; the newest row counts."""

    __tablename__ = "push_keys"

    number: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(64))
    """32 bytes in base64url."""

    created: Mapped[str] = mapped_column(String(32))


class PushSubscriptionRow(Base):
    """A browser that gets notices by Web Push."""

    __tablename__ = "push_subscriptions"
    __table_args__ = (Index("push_subscriptions_by_person", "person"),)

    number: Mapped[str] = mapped_column(String(32), primary_key=True)
    """The beginning of the hash of its endpoint."""

    person: Mapped[str] = mapped_column(String(64))
    session: Mapped[str] = mapped_column(String(32), server_default="")
    """Of the account, without which nothing is sent; "" for a guest."""

    endpoint: Mapped[str]
    p256dh: Mapped[str] = mapped_column(String(100))
    auth: Mapped[str] = mapped_column(String(40))
    lang: Mapped[str] = mapped_column(String(2))
    browser: Mapped[str] = mapped_column(String(100))
    created: Mapped[str] = mapped_column(String(32))
    failures: Mapped[int] = mapped_column(server_default="0")
    """Notices in a row that could not be delivered."""


class NoticeSettingsRow(Base):
    """Which notices a person wants."""

    __tablename__ = "notice_settings"

    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    off: Mapped[str] = mapped_column(String(400), server_default="")
    """What is switched off, separated by spaces: ``turn.email seek.push``."""

    lang: Mapped[str] = mapped_column(String(2), server_default="en")
    """Of e-mails."""

    confirmed: Mapped[str] = mapped_column(String(254), server_default="")
    """The e-mail address that its owner has confirmed; another one gets no notices."""
