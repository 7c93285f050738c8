"""What is stored about a person, as one JSON file; tournaments, which are public, are left out.

`EXPORTS` has a function for each part.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from damier.server.people.account import Account
from damier.server.store.schema import (
    ApiTokenRow,
    AvoidedRow,
    ChatLineRow,
    ConditionalTurnsRow,
    NoticeSettingsRow,
    PasskeyRow,
    PushSubscriptionRow,
    RatingChangeRow,
    RatingRow,
    RecoveryCodeRow,
    ReportRow,
    SeekRow,
    SessionRow,
    VacationRow,
    VisitRow,
    WishRow,
)
from damier.server.store.store import now
from damier.server.store.stored_match import DamagedMatch
from damier.transcript.tree import Node, Transcript

if TYPE_CHECKING:
    from damier.server.matches.match import Match
    from damier.server.services import Services

Export = Callable[["Services", Account], Awaitable[Any]]

_COLUMNS: dict[str, tuple[type[Any], tuple[str, ...]]] = {
    "sessions": (SessionRow, ("number", "browser", "created", "seen")),
    "passkeys": (PasskeyRow, ("number", "credential", "label", "created", "used")),
    "recovery_codes": (RecoveryCodeRow, ("created",)),
    "ratings": (RatingRow, ("pool", "value", "deviation", "volatility", "games", "at")),
    "rating_changes": (RatingChangeRow, ("match", "pool", "before", "after", "outcome", "why_unrated", "at")),
    "seeks": (SeekRow, ("number", "kind", "terms", "side", "reach", "state", "created", "closed", "match")),
    "seek_wishes": (WishRow, ("game",)),
    "chat": (ChatLineRow, ("match", "room", "phrase", "text", "at")),
    "avoided": (AvoidedRow, ("kind", "created")),
    "vacations": (VacationRow, ("created", "began", "until")),
    "conditional_turns": (ConditionalTurnsRow, ("match", "player", "base", "lines", "created")),
    "push_subscriptions": (PushSubscriptionRow, ("number", "endpoint", "lang", "browser", "created")),
    "notice_settings": (NoticeSettingsRow, ("off", "lang", "confirmed")),
    "tokens": (ApiTokenRow, ("number", "label", "scopes", "created", "used")),
}


async def _account(_services: Services, account: Account) -> dict[str, Any]:
    return dict(vars(account))


async def _settings(services: Services, account: Account) -> Any:
    return json.loads(await services.accounts.settings(account.person))


def _rows(part: str) -> Export:
    table, columns = _COLUMNS[part]

    async def rows(services: Services, account: Account) -> list[dict[str, Any]]:
        found = await services.accounts.rows(table, account.person)
        return [{name: getattr(row, name) for name in columns} for row in found]

    return rows


async def _reports(services: Services, account: Account) -> list[dict[str, Any]]:
    """Returns what the person has reported, without whom it was about."""
    columns = (ReportRow.match, ReportRow.reason, ReportRow.words, ReportRow.created)
    statement = select(*columns).where(ReportRow.reporter == account.person).order_by(ReportRow.created)
    rows = await services.store.read("read reports", "", lambda connection: connection.execute(statement).all())
    return [dict(row._mapping) for row in rows]


EXPORTS: dict[str, Export] = {"account": _account, "settings": _settings, "reports": _reports} | {
    part: _rows(part) for part in _COLUMNS
}
"""The parts of an export, besides the matches; secrets are left out, of which only hashes are stored."""


async def export(services: Services, account: Account) -> AsyncIterator[str]:
    """Yields the text of the file, match by match."""
    parts = {name: await part(services, account) for name, part in EXPORTS.items()}
    text = json.dumps({"exported": now(), **parts}, ensure_ascii=False, indent=1)
    yield text.removesuffix("\n}") + ',\n "matches": ['
    statement = select(VisitRow.match).where(VisitRow.visitor == account.person).order_by(VisitRow.begun)
    numbers = await services.store.read(
        "list the matches of a visitor", "", lambda connection: list(connection.execute(statement).scalars())
    )
    separator = "\n"
    for number in numbers:
        try:
            match = await services.store.load(number)
        except DamagedMatch:
            match = None
        if match:
            yield separator + await asyncio.to_thread(_match_text, match, account.person)
            separator = ",\n"
    yield "\n ]\n}\n"


def _match_text(match: Match, person: str) -> str:
    root = node = Node("", "")
    for action in match.record.played:
        node.children.append(child := Node(action, ""))
        node = child
    record = Transcript(match.record.start, root, match.record.result, (), match.created[:10], {})
    seats = [seat.player for seat in match.seats if seat.visitor == person]
    found = {"number": match.number, "created": match.created, "seats": seats, "record": record.text()}
    return json.dumps(found, ensure_ascii=False)
