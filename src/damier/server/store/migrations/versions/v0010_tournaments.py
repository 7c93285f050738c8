"""Tournaments and their events."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Creates the tables, and the index by which a tournament finds its matches."""
    op.create_table(
        "tournaments",
        sa.Column("number", sa.String(32), primary_key=True),
        sa.Column("terms", sa.String(), nullable=False),
        sa.Column("maker", sa.String(64), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
    )
    op.create_index("tournaments_by_status", "tournaments", ["status", "created"])
    op.create_table(
        "tournament_events",
        sa.Column("tournament", sa.String(32), sa.ForeignKey("tournaments.number"), primary_key=True),
        sa.Column("seq", sa.Integer(), primary_key=True),
        sa.Column("data", sa.String(), nullable=False),
    )
    op.create_index("matches_by_origin", "matches", ["origin"])


def downgrade() -> None:
    """Removes them."""
    op.drop_index("matches_by_origin", "matches")
    op.drop_table("tournament_events")
    op.drop_index("tournaments_by_status", "tournaments")
    op.drop_table("tournaments")
