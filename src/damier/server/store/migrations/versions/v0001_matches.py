"""Matches, visits and events."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Creates the tables."""
    op.create_table(
        "matches",
        sa.Column("number", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("options", sa.String(), nullable=False),
        sa.Column("seats", sa.String(), nullable=False),
        sa.Column("seed", sa.LargeBinary(32), nullable=False),
        sa.Column("creator", sa.String(64), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
    )
    op.create_table(
        "visits",
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.number"), primary_key=True),
        sa.Column("visitor", sa.String(64), primary_key=True),
        sa.Column("begun", sa.String(32), nullable=False),
    )
    op.create_index("visits_by_visitor", "visits", ["visitor", "begun"])
    op.create_table(
        "events",
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.number"), primary_key=True),
        sa.Column("seq", sa.Integer(), primary_key=True),
        sa.Column("data", sa.String(), nullable=False),
        sa.Column("visitor", sa.String(64)),
        sa.Column("request", sa.String(64)),
        sa.Column("at", sa.String(32), nullable=False),
        sa.UniqueConstraint("match", "visitor", "request", name="events_once"),
    )
    if op.get_bind().dialect.name == "postgresql":  # SQLite has this column in every table
        for table in ("matches", "events"):
            op.add_column(table, sa.Column("rowid", sa.BigInteger(), sa.Identity(always=True), nullable=False))


def downgrade() -> None:
    """Removes them."""
    for table in ("events", "visits", "matches"):
        op.drop_table(table)
