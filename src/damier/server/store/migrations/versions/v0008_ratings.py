"""Ratings, and what each match has changed in them."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Creates the tables."""
    op.create_table(
        "ratings",
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("pool", sa.String(64), primary_key=True),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("listed_until", sa.String(32), nullable=False),
    )
    op.create_index("ratings_by_value", "ratings", ["pool", "value"])
    op.create_table(
        "rating_changes",
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("pool", sa.String(64), nullable=False),
        sa.Column("player", sa.String(16), nullable=False),
        sa.Column("before", sa.Float(), nullable=False),
        sa.Column("after", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("opponents", sa.String(), nullable=False),
        sa.Column("opening", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(16), nullable=False),
        sa.Column("why_unrated", sa.String(16), nullable=True),
        sa.Column("at", sa.String(32), nullable=False),
    )
    op.create_index("rating_changes_by_person", "rating_changes", ["person", "pool", "at"])


def downgrade() -> None:
    """Removes them."""
    op.drop_table("rating_changes")
    op.drop_table("ratings")
