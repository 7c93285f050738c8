"""Wire models of muted and blocked people, reports, and the moderators' page."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from damier.server.wire.account import Text
from damier.server.wire.civility.chat import AvoidedKind, Room
from damier.server.wire.model import WireModel

LONGEST_WORDS = 500
"""Characters of what a reporter adds."""

LONGEST_WHY = 300
"""Characters of what a moderator gives as a reason."""

_Number = Annotated[int, Field(ge=1, le=2**31 - 1)]
ReportReason = Literal["abuse", "cheating", "name", "spam", "stalling", "other"]
Act = Literal["dismiss", "silence", "remove", "rename", "ban"]


class PersonTarget(WireModel):
    """Somebody, by the name of an account, or as a player or an author of a message in a match."""

    account: Annotated[Text, Field(max_length=40)] | None = None
    match: Annotated[Text, Field(max_length=32)] | None = None
    player: Annotated[Text, Field(max_length=8)] | None = None
    line: _Number | None = None
    """The number of a message."""


class NewAvoided(WireModel):
    """Mutes or blocks somebody."""

    who: PersonTarget
    kind: AvoidedKind


class AvoidedData(WireModel):
    """Somebody whom the visitor has muted or blocked."""

    number: str
    name: str
    account: str | None
    kind: AvoidedKind
    since: str


class NewReport(WireModel):
    """Tells the moderators about somebody."""

    who: PersonTarget
    reason: ReportReason
    words: Annotated[Text, Field(max_length=LONGEST_WORDS)] = ""


class ReportedLine(WireModel):
    """A message as it was when somebody was reported."""

    number: int
    match: str
    room: Room
    name: str
    text: str
    """A phrase in the moderator's language."""

    at: str
    is_theirs: bool
    """Whether the person who is reported has written it."""


class ReportData(WireModel):
    """A report that waits for a moderator."""

    number: str
    created: str
    reporter: str | None
    """The name of who has reported; null if they are gone."""

    name: str
    """Of who is reported, at that time."""

    now: str
    """The name now."""

    account: str | None
    """The name of the account now; null for a guest."""

    match: str | None
    reason: ReportReason
    words: str
    lines: list[ReportedLine]
    silent_until: str | None
    banned_until: str | None
    is_protected: bool
    """Whether nobody may act: it is about a moderator."""

    done: list[Act]
    """What was done because of the report."""


class LogEntry(WireModel):
    """What a moderator has done."""

    at: str
    moderator: str
    name: str
    """Of whom it was done to, before it; empty if they are gone."""

    what: Act
    detail: str
    """Until when, the message that was removed, or the new name."""

    why: str
    match: str | None


class ModerationData(WireModel):
    """What moderators see."""

    waiting: int
    """How many reports wait in all."""

    reports: list[ReportData]
    """Those that have waited longest."""

    log: list[LogEntry]
    """What was done last, the newest first."""


class ModerationAct(WireModel):
    """Acts on a report; `dismiss` closes it, after other acts too."""

    do: Act
    why: Annotated[Text, Field(max_length=LONGEST_WHY)] = ""
    """Needed for all but `dismiss`."""

    minutes: Literal[15, 1440] | None = None
    """Of a `silence`."""

    line: _Number | None = None
    """The message that `remove` takes away."""

    name: Annotated[Text, Field(max_length=40)] | None = None
    """That `rename` gives."""

    days: Annotated[int, Field(ge=1, le=3650)] | None = None
    """Of a `ban`; null for good."""
