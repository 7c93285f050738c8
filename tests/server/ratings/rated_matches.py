"""Rated matches that are over, put into a database as the referee would."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, insert, update

import damier
from damier.server.matches.clock import TimeControl
from damier.server.matches.match import COMPUTER, PERSON, Event, Match, Seat
from damier.server.people.names import skeleton
from damier.server.store.schema import AccountRow, MatchRow
from damier.server.store.store import Store

ANN, BOB, CAT, DAN = ("a" * 32, "b" * 32, "c" * 32, "d" * 32)
LIVE = TimeControl("live", 180, 2)
SLOW = TimeControl("correspondence", 2 * 86400, 86400, cap=4 * 86400)


async def add_account(store: Store, person: str, name: str, *, is_program: bool = False) -> None:
    """Makes a person an account."""
    created = "2026-11-01T00:00:00.000Z"
    row = {"person": person, "name": name, "skeleton": skeleton(name), "is_program": is_program, "created": created}

    def add(connection: Connection) -> None:
        connection.execute(insert(AccountRow), row)

    await store.write("add an account", "", add)


async def add_match(
    store: Store,
    number: str,
    people: Sequence[str | int],
    order: Sequence[Any],
    *,
    game: str = "chefa",
    control: TimeControl | None = LIVE,
    reason: str = "resignation",
    at: str = "2026-11-10T12:00:00.000Z",
    actions: Sequence[str] = (),
    is_rated: bool = True,
) -> None:
    """Stores a match between people, or levels, that has ended; `order` has their places in `people`, best first."""
    options = {"players": len(people)} if len(people) > 2 else {}
    played = damier.load(game, **options)
    seats = [
        Seat(player, PERSON, visitor=who) if isinstance(who, str) else Seat(player, COMPUTER, level=who)
        for player, who in zip(played.players, people, strict=True)
    ]
    match = Match(number, played, seats, bytes(32), "", at, control=control, is_rated=is_rated)
    await store.add_match(match)
    events = [Event("play", match.record.mover, action) for action in actions]
    if events:
        await store.append(number, 1, events, None, None)
    names = [played.players[who] if isinstance(who, int) else [played.players[each] for each in who] for who in order]
    winner = names[0] if isinstance(names[0], str) else None
    result = json.dumps({"winner": winner, "reason": reason, "order": names})

    def end(connection: Connection) -> None:
        row = {"ended": at, "updated": at, "result": None if reason == "abort" else result}
        connection.execute(update(MatchRow).where(MatchRow.number == number).values(**row))

    await store.write("end a match", number, end)
