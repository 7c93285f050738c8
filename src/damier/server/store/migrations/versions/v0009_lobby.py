"""Seeks, and who wants to be told of them; indexes for lists of matches."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Creates the tables."""
    op.create_table(
        "seeks",
        sa.Column("number", sa.String(32), primary_key=True),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("rival", sa.String(64), nullable=True),
        sa.Column("terms", sa.String(), nullable=False),
        sa.Column("side", sa.Integer(), nullable=True),
        sa.Column("reach", sa.Integer(), nullable=True),
        sa.Column("is_live", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("seen", sa.String(32), nullable=False),
        sa.Column("closed", sa.String(32), nullable=True),
        sa.Column("match", sa.String(32), nullable=True),
    )
    op.create_index("seeks_by_state", "seeks", ["state"])
    op.create_index("seeks_by_person", "seeks", ["person"])
    op.create_table(
        "seek_wishes",
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
    )
    op.create_index("seek_wishes_by_game", "seek_wishes", ["game"])
    op.create_index("matches_to_watch", "matches", ["ended", "updated"])


def downgrade() -> None:
    """Removes them."""
    op.drop_index("matches_to_watch", "matches")
    op.drop_table("seek_wishes")
    op.drop_table("seeks")
