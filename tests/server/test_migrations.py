"""The file of version 0.1 opens, migrates and moves to PostgreSQL, with every match as it was.

`data/v0.1.sqlite` was written by the program of version 0.1: matches of all games with every kind of event, taken and
open seats and the computer. `data/v0.1.json` is what that program said of each match.
"""

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Boolean, Float, Integer, LargeBinary, String

from damier.server.matches.match import Match
from damier.server.store.schema import Base
from damier.server.store.store import Store
from tests.cli.calling import called
from tests.server.stores import new_postgresql, rows

DATA = Path(__file__).parent / "data"
FACTS: dict[str, dict[str, Any]] = json.loads((DATA / "v0.1.json").read_text("utf-8"))


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A copy of the file of version 0.1."""
    return Path(shutil.copy(DATA / "v0.1.sqlite", tmp_path / "matches.sqlite"))


async def all_matches(database: Path | str) -> dict[str, Match]:
    store = Store(database)
    await store.open()
    try:
        found = {number: await store.load(number) for number in FACTS}
        return {number: match for number, match in found.items() if match}
    finally:
        await store.close()


def facts(match: Match) -> dict[str, Any]:
    result = match.record.result
    return {
        "game": match.game.name,
        "position": str(match.record.position),
        "result": result.reason if result else None,
        "events": match.seq,
    }


def check(database: Path | str) -> dict[str, Match]:
    """Asserts that every match is what version 0.1 said of it."""
    found = asyncio.run(all_matches(database))
    assert {number: facts(match) for number, match in found.items()} == FACTS
    return found


def test_every_match_of_version_0_1_replays_after_the_migrations(old: Path) -> None:
    assert rows(old, "SELECT version_num FROM alembic_version")[0][0] == "0001"
    matches = check(old)
    assert rows(old, "SELECT version_num FROM alembic_version")[0][0] != "0001"
    kinds = {event.kind for match in matches.values() for event in match.events}
    assert kinds == {"play", "roll", "undo", "offer", "decline", "resign", "draw", "seat"}
    assert all(match.allows_help for match in matches.values())
    assert {len(match.seats) for match in matches.values()} == {2, 3}


def test_a_migrated_file_has_the_tables_of_a_new_one(old: Path, tmp_path: Path) -> None:
    check(old)
    asyncio.run(all_matches(tmp_path / "new.sqlite"))
    wanted = 'SELECT m.name AS t, p.name, p.type, p."notnull", p.pk FROM sqlite_master m, pragma_table_info(m.name) p'
    assert sorted(map(tuple, rows(old, wanted))) == sorted(map(tuple, rows(tmp_path / "new.sqlite", wanted)))


@pytest.mark.parametrize("is_migrated", [False, True])
def test_every_match_of_version_0_1_moves_to_postgresql_and_back(old: Path, tmp_path: Path, is_migrated: bool) -> None:
    if is_migrated:
        before = check(old)
    export, back = str(tmp_path / "export.jsonl"), str(tmp_path / "back.sqlite")
    assert called("export", export, "--database", str(old))[0] == 0
    with new_postgresql() as address:
        assert called("import", export, "--database", address)[0] == 0
        moved = check(address)
        again = str(tmp_path / "again.jsonl")
        assert called("export", again, "--database", address)[0] == 0
    assert called("import", again, "--database", back)[0] == 0
    if not is_migrated:
        before = check(old)
    for matches in (moved, check(back)):
        for number, match in before.items():
            twin = matches[number]
            assert (match.events, match.seats, match.requests) == (twin.events, twin.seats, twin.requests)
            assert (match.seed, match.creator, match.created) == (twin.seed, twin.creator, twin.created)


def test_every_column_has_a_type_that_an_export_can_hold() -> None:
    for table in Base.metadata.tables.values():
        for column in table.columns:
            assert isinstance(column.type, String | Integer | Float | Boolean | LargeBinary), f"{table}.{column}"
