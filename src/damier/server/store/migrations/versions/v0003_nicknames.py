"""Nicknames that visitors have chosen."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Creates the table."""
    op.create_table(
        "nicknames",
        sa.Column("visitor", sa.String(64), primary_key=True),
        sa.Column("nickname", sa.String(64), nullable=False),
    )


def downgrade() -> None:
    """Removes it."""
    op.drop_table("nicknames")
