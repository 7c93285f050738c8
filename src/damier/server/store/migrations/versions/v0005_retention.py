"""The day that retention counts as today."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Creates the table."""
    op.create_table(
        "retention",
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("seen", sa.String(10), nullable=False),
    )


def downgrade() -> None:
    """Removes it."""
    op.drop_table("retention")
