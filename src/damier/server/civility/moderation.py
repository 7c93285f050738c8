"""What moderators see and do. Every act is stored in one transaction with its entry in the log."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.server.civility.phrases import phrase_text
from damier.server.civility.silence import time_in
from damier.server.civility.text import plain_text
from damier.server.errors import NotAllowed, NotFound, NotNow
from damier.server.people.account import FOR_EVER, Account
from damier.server.people.credentials import earlier
from damier.server.people.names import account_name, name_taken, skeleton
from damier.server.people.nicknames import chosen_nickname
from damier.server.store.statements import chat, people, reports
from damier.server.store.statements.reports import StoredReport
from damier.server.store.store import now
from damier.server.wire.civility.people import LogEntry, ModerationData, ReportData, ReportedLine

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from damier.server.civility.chats import Chats
    from damier.server.matches.referee import Referee
    from damier.server.people.accounts import Accounts
    from damier.server.people.person_changes import PersonChanges
    from damier.server.store.store import Store
    from damier.server.wire.civility.people import ModerationAct

LISTED, LOGGED = 30, 100
"""Reports and entries of the log on the page."""

KEPT = timedelta(days=365)
"""For which closed reports and the log are kept."""


@dataclass(frozen=True)
class _Case:
    """A report, and whom it is about now."""

    report: StoredReport
    account: Account | None
    name: str


@dataclass(frozen=True)
class Moderation:
    """The moderators' page."""

    store: Store
    accounts: Accounts
    referee: Referee
    changes: PersonChanges
    chats: Chats

    async def page(self, moderator: Account, lang: str) -> ModerationData:
        """Returns the reports that wait, without those about the moderator, and what was done last."""

        def read(connection: Connection) -> ModerationData:
            found, waiting = reports.open_reports(connection, LISTED, moderator.person)
            return ModerationData(
                waiting=waiting,
                reports=[_report_data(connection, each, lang) for each in found],
                log=[_log_entry(row) for row in reports.log_entries(connection, LOGGED)],
            )

        return await self.store.read("read the reports", "", read)

    async def act(self, moderator: Account, number: str, asked: ModerationAct) -> None:
        """Acts on a report; raises a `DamierError` that refuses it, and changes nothing then."""
        why = plain_text(asked.why)
        if not why and asked.do != "dismiss":
            raise BadArgument(message("Say why: the log keeps it."))
        change = _CHANGES[asked.do]

        def store(connection: Connection) -> _Case:
            case = _case(connection, number, moderator)
            detail = change(connection, case, asked)
            row = {
                "at": now(),
                "moderator": moderator.person,
                "moderator_name": moderator.name,
                "person": case.report.person,
                "name": case.name,
                "what": asked.do,
                "detail": detail,
                "why": why,
                "report": number,
                "match": case.report.match,
            }
            reports.add_to_log(connection, row)
            reports.delete_old(connection, earlier(KEPT))
            return case

        case = await self.store.write("act on a report", "", store)
        await self._follow(case, asked)

    async def _follow(self, case: _Case, asked: ModerationAct) -> None:
        """Shows what was stored to those whom it concerns."""
        person = case.report.person
        if asked.do in ("rename", "ban") and case.account:
            await self.accounts.renew(person)
        if asked.do == "rename":
            nickname = chosen_nickname(asked.name or "") if case.account is None else None
            if nickname:
                await self.referee.rename(person, nickname)
            await self.changes.rename(person, nickname)
            find = chat.matches_with
            written = await self.store.read("find messages", "", lambda given: find(given, person))
            self.chats.renew_matches(written, everywhere=True)
        if asked.do == "silence":
            self.chats.renew([person], everywhere=True)
        if asked.do == "remove":
            number = asked.line or 0
            await self.chats.tell_removed(_match_of(case.report, number), number, everywhere=True)


def _match_of(report: StoredReport, number: int) -> str:
    """Returns the match of a message that a report quotes, else the one that it is about."""
    quoted = (line["match"] for line in json.loads(report.context) if line["number"] == number)
    return next(quoted, report.match or "")


def _case(connection: Connection, number: str, moderator: Account) -> _Case:
    """Returns an open report that a moderator may act on; raises `NotFound`, `NotNow` or `NotAllowed`."""
    acting = people.by_person(connection, moderator.person)
    if acting is None or not acting.is_moderator:
        raise NotAllowed(message("Only moderators may do that."))
    report = reports.find_report(connection, number)
    if report is None:
        raise NotFound(message("There is no such report."))
    if report.closed:
        raise NotNow(message("The report is closed: another moderator was faster."))
    account = people.by_person(connection, report.person)
    if report.person == moderator.person:
        raise NotAllowed(message("The report is about you: leave it to another moderator or to the operator."))
    if account and account.is_moderator:
        raise NotAllowed(message("The report is about a moderator: leave it to the operator."))
    return _Case(report, account, chat.speaker(connection, report.person).name)


# Acts: each changes the database and returns what the log says of it


def _dismiss(connection: Connection, case: _Case, _asked: ModerationAct) -> str:
    reports.close_report(connection, case.report.number, now())
    return ""


def _silence(connection: Connection, case: _Case, asked: ModerationAct) -> str:
    if asked.minutes is None:
        raise BadArgument(message("Say for how many minutes: 15 or 1440."))
    until = time_in(asked.minutes)
    chat.silence(connection, case.report.person, until)
    return until


def _remove(connection: Connection, case: _Case, asked: ModerationAct) -> str:
    line = chat.find_line(connection, _match_of(case.report, asked.line or 0), asked.line or 0)
    if line is None:
        raise NotFound(message("There is no such message."))
    if line.person != case.report.person:
        raise BadArgument(message("The message is of somebody else than the person who is reported."))
    chat.remove_line(connection, line.match, line.number)
    return phrase_text(line.phrase, "en") if line.phrase else line.text


def _rename(connection: Connection, case: _Case, asked: ModerationAct) -> str:
    person, given = case.report.person, asked.name or ""
    if case.account is None:
        nickname = chosen_nickname(given)
        if people.by_skeleton(connection, skeleton(nickname)):
            raise name_taken()
        people.set_nickname(connection, person, nickname)
        return nickname
    name = account_name(given)
    if not people.rename_account(connection, person, name, skeleton(name)):
        raise name_taken()
    return name


def _ban(connection: Connection, case: _Case, asked: ModerationAct) -> str:
    if case.account is None:
        raise BadArgument(message("Guests cannot be banned: stop their messages instead."))
    until = FOR_EVER if asked.days is None else time_in(asked.days * 24 * 60)
    people.change_account(connection, case.report.person, banned_until=until)
    return until


_CHANGES: dict[str, Callable[[Connection, _Case, ModerationAct], str]] = {
    "dismiss": _dismiss,
    "silence": _silence,
    "remove": _remove,
    "rename": _rename,
    "ban": _ban,
}


# What the page shows


def _report_data(connection: Connection, report: StoredReport, lang: str) -> ReportData:
    account = people.by_person(connection, report.person)
    speaker = chat.speaker(connection, report.person)
    return ReportData.model_validate(
        {
            "number": report.number,
            "created": report.created,
            "reporter": chat.speaker(connection, report.reporter).name if report.reporter else None,
            "name": report.name,
            "now": speaker.name,
            "account": speaker.account,
            "match": report.match,
            "reason": report.reason,
            "words": report.words,
            "lines": [_quoted(line, report.person, lang) for line in json.loads(report.context)],
            "silent_until": _future(speaker.silent_until),
            "banned_until": _future(account.banned_until if account else None),
            "is_protected": account is not None and account.is_moderator,
            "done": reports.acts_on(connection, report.number),
        }
    )


def _quoted(line: dict[str, Any], person: str, lang: str) -> ReportedLine:
    text = phrase_text(line["phrase"], lang) if line["phrase"] else line["text"]
    about = {name: line[name] for name in ("number", "match", "room", "name", "at")}
    return ReportedLine.model_validate({**about, "text": text, "is_theirs": line["person"] == person})


def _future(time: str | None) -> str | None:
    return time if time and time > now() else None


def _log_entry(row: Any) -> LogEntry:
    return LogEntry(
        at=row.at,
        moderator=row.moderator_name,
        name=row.name,
        what=row.what,
        detail=row.detail,
        why=row.why,
        match=row.match,
    )
