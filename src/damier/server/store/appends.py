"""Appends of many matches in one transaction.

While one transaction is committed, the appends that come meanwhile wait, and are stored together in the next one: two
statements and one commit for all of them. An append that comes alone does not wait. Of each it is known whether it was
first with the number of its event; the losers of a race are told so, and the others are stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, bindparam, update
from sqlalchemy.exc import DataError, IntegrityError

from damier.server.store.dialect import insert_if_new
from damier.server.store.schema import EventRow, MatchRow

_MOST = 100  # appends in one transaction

Write = Callable[[str, Callable[[Connection], Any]], Awaitable[Any]]


@dataclass(frozen=True)
class Append:
    """An event to store: its row, the columns of its match after it, and its server time."""

    row: Mapping[str, Any]
    columns: Mapping[str, Any]
    at: int | None
    is_stored: asyncio.Future[bool] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Appends:
    """The appends that wait to be stored."""

    def __init__(self, write: Write, keep: Callable[[Connection, int], None] | None) -> None:
        """`write` does some work in a transaction, about a match or, with "", about several.

        `keep` is called in the transaction with the latest server time.
        """
        self._write, self._keep = write, keep
        self._waiting: list[Append] = []
        self._task: asyncio.Task[None] | None = None

    async def add(self, row: Mapping[str, Any], columns: Mapping[str, Any], at: int | None) -> bool:
        """Stores an event; returns False if another process has stored one of its number, or its request, first."""
        made = Append(row, columns, at)
        self._waiting.append(made)
        if self._task is None:
            self._task = asyncio.create_task(self._store_all())
        return await made.is_stored

    async def _store_all(self) -> None:
        try:
            while self._waiting:
                some, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
                await self._store(some)
        finally:
            self._task = None

    async def _store(self, some: Sequence[Append]) -> None:
        """Stores appends together; one by one if the database refuses what one of them has."""
        try:
            number = some[0].row["match"] if len(some) == 1 else ""
            stored = await self._write(number, lambda connection: self._store_in(connection, some))
        except Exception as error:
            if len(some) > 1 and isinstance(error.__cause__, DataError | IntegrityError):
                for each in some:
                    await self._store([each])
                return
            for each in some:
                if not each.is_stored.done():
                    each.is_stored.set_exception(error)
            return
        for each in some:
            if not each.is_stored.done():
                each.is_stored.set_result((each.row["match"], each.row["seq"]) in stored)

    def _store_in(self, connection: Connection, some: Sequence[Append]) -> set[tuple[str, int]]:
        times = [each.at for each in some if each.at is not None]
        if self._keep and times:
            self._keep(connection, max(times))
        return store_appends(connection, some)


def store_appends(connection: Connection, some: Sequence[Append]) -> set[tuple[str, int]]:
    """Stores events with the columns of their matches; returns the match and number of those that were new."""
    ordered = sorted(some, key=lambda each: (each.row["match"], each.row["seq"]))  # so that two cannot deadlock
    stored = insert_if_new(connection, EventRow, [each.row for each in ordered], ("match", "seq"))
    changed = [each for each in ordered if each.columns and (each.row["match"], each.row["seq"]) in stored]
    for names, group in groupby(changed, key=lambda each: tuple(each.columns)):
        statement = update(MatchRow).where(MatchRow.number == bindparam("changed_match"))
        values = [{"changed_match": each.row["match"], **each.columns} for each in group]
        connection.execute(statement.values({name: bindparam(name) for name in names}), values)
    return stored
