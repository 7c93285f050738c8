"""The versions of the schema, and how a database is brought to one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect

if TYPE_CHECKING:
    from alembic.config import Config

OURS = frozenset({"alembic_version", "matches"})
"""Tables that every database of damier has."""


def known_revisions() -> set[str]:
    """Returns the versions of the schema that this program knows."""
    from alembic.script import ScriptDirectory

    return {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}


def newest_revision() -> str | None:
    """Returns the version of the schema that this program uses."""
    from alembic.script import ScriptDirectory

    return ScriptDirectory.from_config(_config()).get_current_head()


def current_revision(connection: Connection) -> str | None:
    """Returns the version of a database, or None if it has none."""
    from alembic.runtime.migration import MigrationContext

    return MigrationContext.configure(connection).get_current_revision()


def table_names(connection: Connection) -> set[str]:
    """Returns the names of all tables."""
    return set(inspect(connection).get_table_names())


def migrate(connection: Connection, revision: str = "head") -> None:
    """Brings the tables to a version, within the transaction of the connection."""
    from alembic import command

    command.upgrade(_config(connection), revision)


def _config(connection: Connection | None = None) -> Config:
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "damier.server.store:migrations")
    return config
