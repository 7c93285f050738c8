"""Both databases for tests: an SQLite file, and a database of its own on one PostgreSQL server for the whole run."""

import contextlib
import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, Row, create_engine, make_url, text

from damier.server.store.dialect import parse_database
from damier.server.store.revisions import migrate
from tests.shared import shared, shared_process
from tools.postgresql import NoPostgresql, start

KINDS = ("sqlite", "postgresql")
_TEMPLATE = "made"  # a database with all tables, which is copied in a fraction of the time that migrations take
_numbers = itertools.count()


@contextlib.contextmanager
def new_database(kind: str, folder: Path) -> Iterator[str]:
    """Yields the file or the address of a database that no server has used, for `--database`."""
    if kind == "sqlite":
        yield str(folder / "matches.sqlite")
        return
    with new_postgresql(_template()) as address:
        yield address


@contextlib.contextmanager
def new_postgresql(template: str = "template1") -> Iterator[str]:
    """Yields the address of a new PostgreSQL database, without any table or like another one."""
    name = f"test_{os.getpid()}_{next(_numbers)}"
    with _administration() as engine:
        _run(engine, f"CREATE DATABASE {name} TEMPLATE {template}")
        try:
            yield make_url(_server()).set(database=name).render_as_string()
        finally:
            _run(engine, f"DROP DATABASE {name} WITH (FORCE)")


def rows(database: str | Path, statement: str, **values: Any) -> list[Row[Any]]:
    """Runs a statement in a transaction of its own and returns its rows, if it has any."""
    engine = parse_database(str(database)).engine()
    try:
        with engine.begin() as connection:
            found = connection.execute(text(statement), values)
            return list(found.all()) if found.returns_rows else []
    finally:
        engine.dispose()


def _template() -> str:
    def make(_folder: Path) -> None:
        with _administration() as engine:
            _run(engine, f"CREATE DATABASE {_TEMPLATE}")
        engine = parse_database(make_url(_server()).set(database=_TEMPLATE).render_as_string()).engine()
        with engine.begin() as connection:
            migrate(connection)
        engine.dispose()

    shared("postgresql-template", make)
    return _TEMPLATE


@contextlib.contextmanager
def _administration() -> Iterator[Engine]:
    engine = create_engine(make_url(_server()).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    try:
        yield engine
    finally:
        engine.dispose()


def _run(engine: Engine, statement: str) -> None:
    with engine.connect() as connection:
        connection.execute(text(statement))


def _server() -> str:
    try:
        return shared_process("postgresql", start, quits=True)
    except NoPostgresql as error:
        pytest.fail(str(error), pytrace=False)
