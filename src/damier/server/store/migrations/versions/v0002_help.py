"""Whether hints, values and take-backs are allowed in a match between persons."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Adds the column; matches that have begun keep what they had."""
    op.add_column("matches", sa.Column("allows_help", sa.Boolean(), nullable=False, server_default=sa.true()))


def downgrade() -> None:
    """Removes it."""
    op.drop_column("matches", "allows_help")
