"""Reports: what a person tells the moderators about another, stored with what was said before."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from damier.server.civility.text import plain_text
from damier.server.people.credentials import new_number
from damier.server.store.statements import chat, reports
from damier.server.store.statements.reports import StoredReport
from damier.server.store.store import now

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from damier.server.civility.targets import Target
    from damier.server.store.store import Store
    from damier.server.wire.civility.people import NewReport

QUOTED = 20
"""Messages that are stored with a report."""


async def report(store: Store, reporter: str, target: Target, asked: NewReport) -> None:
    """Stores a report with the last messages of the room, or of the person if it is about no match."""

    def add(connection: Connection) -> None:
        if target.match:
            lines = chat.last_lines(connection, target.match, [target.room], QUOTED)
        else:
            lines = chat.lines_by(connection, target.person, QUOTED)
        row = StoredReport(
            number=new_number(),
            reporter=reporter,
            person=target.person,
            name=chat.speaker(connection, target.person).name,
            match=target.match,
            reason=asked.reason,
            words=plain_text(asked.words),
            context=json.dumps([asdict(line) for line in lines]),
            created=now(),
        )
        reports.add_report(connection, row)

    await store.write("store a report", target.match or "", add)
