"""Vacations and conditional turns."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Creates the tables."""
    op.create_table(
        "vacations",
        sa.Column("person", sa.String(32), sa.ForeignKey("accounts.person"), primary_key=True),
        sa.Column("began", sa.BigInteger(), primary_key=True),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("is_told", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
    )
    op.create_table(
        "conditional_turns",
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.number"), primary_key=True),
        sa.Column("player", sa.String(8), primary_key=True),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("base", sa.Integer(), nullable=False),
        sa.Column("lines", sa.String(), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
    )
    op.create_index("conditional_turns_by_person", "conditional_turns", ["person"])


def downgrade() -> None:
    """Removes them."""
    op.drop_table("conditional_turns")
    op.drop_table("vacations")
