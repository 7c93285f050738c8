"""Correspondence matches in simulated time, between people with accounts."""

from __future__ import annotations

from sqlalchemy import Connection

from damier.server.matches.clock import DAY, TimeControl
from damier.server.matches.live_match import LiveMatch
from damier.server.people.names import skeleton
from damier.server.store.statements import people
from damier.server.store.store import now
from tests.server.timed import ANN, BOB, Hall

SLOW = TimeControl("correspondence", 2 * DAY, DAY, cap=4 * DAY)
DAY_MS = 1000 * DAY


async def with_accounts(hall: Hall) -> None:
    """Gives Ann and Bob accounts, unless they have them."""

    def add(connection: Connection) -> None:
        for person, name in ((ANN, "Ann"), (BOB, "Bob")):
            row = {"person": person, "name": name, "skeleton": skeleton(name), "created": now()}
            people.add_account(connection, row)

    await hall.services.store.write("test", "", add)


async def begun(hall: Hall, game: str = "chefa", turns: int = 2) -> LiveMatch:
    """Begins a match between Ann and Bob, in which some turns have been made."""
    await with_accounts(hall)
    live = await hall.between(ANN, BOB, game=game, control=SLOW)
    while live.match.record.turn < turns:
        await hall.play(live)
    return live
