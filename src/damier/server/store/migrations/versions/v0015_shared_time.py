"""Several processes on one database: one server time for all, and deadlines that one of them takes."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Adds the columns."""
    op.add_column("server_time", sa.Column("noted", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("matches", sa.Column("taken", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    """Removes them."""
    with op.batch_alter_table("matches") as matches:
        matches.drop_column("taken")
    with op.batch_alter_table("server_time") as times:
        times.drop_column("noted")
