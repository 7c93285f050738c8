"""Clocks: time controls, deadlines, server time, and columns that repeat what follows from the events."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Adds the columns; who is to act in old matches, and which are over, the server finds out when it has started."""
    for column in _columns():
        op.add_column("matches", column)
    op.create_index("matches_by_deadline", "matches", ["deadline"])
    op.execute(
        "UPDATE matches SET updated = "
        "coalesce((SELECT max(at) FROM events WHERE events.match = matches.number), created)"
    )
    op.create_table(
        "server_time",
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("milliseconds", sa.BigInteger(), nullable=False),
    )
    op.execute("INSERT INTO server_time (number, milliseconds) VALUES (1, 0)")


def downgrade() -> None:
    """Removes them."""
    op.drop_table("server_time")
    op.drop_index("matches_by_deadline", "matches")
    for column in reversed(_columns()):
        op.drop_column("matches", column.name)


def _columns() -> list[sa.Column[Any]]:
    return [
        sa.Column("clock", sa.String(), nullable=True),
        sa.Column("is_rated", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("origin", sa.String(64), nullable=False, server_default=""),
        sa.Column("begun", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("mover", sa.String(8), nullable=True),
        sa.Column("deadline", sa.BigInteger(), nullable=True),
        sa.Column("updated", sa.String(32), nullable=True),
        sa.Column("ended", sa.String(32), nullable=True),
        sa.Column("result", sa.String(), nullable=True),
    ]
