"""Matches of older versions: the columns that follow from events are filled after the start."""

import asyncio
import json
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text

from damier.server.matches.columns import columns_of
from damier.server.store.missing_columns import MissingColumns
from damier.server.store.store import Store
from tests.server.databases import filled

_COLUMNS = "number, mover, ended, result, updated, deadline, remind"


def rows(path: Path) -> dict[str, dict[str, Any]]:
    """Returns the columns of all matches by number."""
    with create_engine(f"sqlite:///{path}").connect() as connection:
        found = connection.execute(text(f"SELECT {_COLUMNS} FROM matches")).mappings()
        return {row["number"]: dict(row) for row in found}


def test_columns_that_an_older_version_has_not_written_are_filled(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite"
    numbers = filled(path, 20, longest=200)
    with create_engine(f"sqlite:///{path}").begin() as connection:
        connection.execute(text("UPDATE matches SET mover = NULL, ended = NULL, result = NULL"))
        connection.execute(text(f"UPDATE matches SET seats = 'x' WHERE number = '{numbers[3]}'"))  # damaged

    async def fill() -> None:
        store = Store(path)
        await store.open()
        await MissingColumns(store).fill()
        for number in numbers:
            if number != numbers[3]:
                match = await store.load(number)
                assert match
                expected = columns_of(match, rows(path)[number]["updated"])
                assert {**rows(path)[number], "number": None} == {**expected, "number": None}
        await store.close()

    asyncio.run(fill())
    found = rows(path)
    assert found[numbers[3]]["mover"] is None
    ended = [json.loads(row["result"]) for row in found.values() if row["result"]]
    assert ended
    assert all(set(result) == {"winner", "reason", "order"} for result in ended)
