"""Measures how soon a server with many stored matches is up, and its memory then.

Run as ``python -m bench.start``: makes a database of 50,000 matches with 30 events each, starts ``damier serve`` with
it three times, and prints the best time until it accepts connections, beside that with an empty database, its CPU time
and the memory of the server process. ``--postgresql`` has the same in PostgreSQL. ``--matches`` and
``--events`` change the size, ``--keep FOLDER`` keeps the database for another run.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import select

import damier
from bench.rules import Figure
from bench.served import served
from damier.server.matches.match import PERSON, Event, Match, Seat
from damier.server.store.dialect import parse_database
from damier.server.store.schema import Base
from damier.server.store.store import Store, now
from tools.postgresql import running

MATCHES, EVENTS = 50_000, 30
START, MEMORY = 3.0, 300.0  # targets: seconds, MB
TRIES = 3
SETTLING = 3.0  # seconds after which memory is read
FIRST = "match-first"
_AT_ONCE = 500  # matches


def example_events(match: Match, count: int) -> list[Event]:
    """Plays a match and returns its events; where the game ends sooner, all is taken back."""
    while match.seq < count:
        if match.record.result:
            match.add(Event("undo", match.game.players[0], to=0))
        else:
            match.add(Event("play", match.record.mover, match.record.actions()[match.seq % 3]))
    return match.events


async def first_match(place: str, count: int) -> None:
    """Has the store itself store one match, which is copied: its rows are as they really are."""
    game = damier.load(damier.games()[1])
    seats = [Seat(player, PERSON, visitor=visitor * 32) for player, visitor in zip(game.players, "ab", strict=True)]
    store = Store(place)
    await store.open()
    try:
        await store.add_match(Match(FIRST, game, seats, bytes(32), "a" * 32, now()))
        events = example_events(Match(FIRST, game, seats, bytes(32), "a" * 32, now()), count)
        for seq, each in enumerate(events, 1):
            await store.append(FIRST, seq, [each], seats[seq % 2].visitor, f"{seq:x}")
    finally:
        await store.close()


def copied(rows: list[dict[str, Any]], place: int) -> list[dict[str, Any]]:
    """Returns rows of the first match as those of another one, between two of a thousand visitors."""
    names = {FIRST: f"match-{place:06}", "a" * 32: f"{place % 1000:032x}", "b" * 32: f"{1000 + place % 999:032x}"}

    def renamed(value: Any) -> Any:
        if isinstance(value, str):
            for old, new in names.items():
                value = value.replace(old, new)
        return value

    return [{column: renamed(value) for column, value in row.items()} for row in rows]


def fill(place: str, matches: int, events: int) -> None:
    """Stores many matches in an empty database."""
    asyncio.run(first_match(place, events))
    database = parse_database(place)
    engine = database.engine()
    tables = [Base.metadata.tables[name] for name in ("matches", "visits", "events")]
    with engine.begin() as connection:
        first = [[dict(row) for row in connection.execute(select(table)).mappings()] for table in tables]
    for begin in range(1, matches, _AT_ONCE):
        places = range(begin, min(matches, begin + _AT_ONCE))
        with engine.begin() as connection:
            for table, rows in zip(tables, first, strict=True):
                database.insert_all(connection, table, [row for place in places for row in copied(rows, place)])
    engine.dispose()


@contextlib.contextmanager
def chosen_place(is_postgresql: bool, folder: Path) -> Iterator[str]:
    """Yields a file in a folder, or the address of a PostgreSQL server that is started."""
    if not is_postgresql:
        yield str(folder / "matches.sqlite")
        return
    with running() as address:
        yield address


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    with contextlib.ExitStack() as closing:
        folder = given.keep or Path(closing.enter_context(tempfile.TemporaryDirectory(prefix="damier-start-")))
        folder.mkdir(parents=True, exist_ok=True)
        place = closing.enter_context(chosen_place(given.postgresql, folder))
        if given.postgresql or not Path(place).exists():
            began = time.perf_counter()
            fill(place, given.matches, given.events)
            print(f"filled in {time.perf_counter() - began:.0f} s")
        database = parse_database(place)
        engine = database.engine()
        print(f"{database.size(engine) / 1e6:.0f} MB in the database")
        engine.dispose()
        empty, full, cpu, memory = [], [], [], []
        for _ in range(TRIES):
            with tempfile.TemporaryDirectory() as other, served(Path(other)) as server:
                empty.append(server.start)
            with served(folder, {"DAMIER_DATABASE": place}) as server:
                full.append(server.start)
                cpu.append(server.cpu)
                time.sleep(SETTLING)
                memory.append(server.memory)
    print(f"start with an empty database: {min(empty):.2f} s")
    note = f"{min(cpu):.2f} s of CPU"
    print(Figure(f"start with {given.matches:,} matches", min(full), "s", at_most=START, note=note))
    print(Figure("memory of the server", max(memory), "MB", at_most=MEMORY))


if __name__ == "__main__":
    main()
