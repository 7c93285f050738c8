"""Notices: reminders of correspondence turns, Web Push, and what each person wants to be told."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Adds the column and creates the tables."""
    op.add_column("matches", sa.Column("remind", sa.BigInteger(), nullable=True))
    op.create_index("matches_by_reminder", "matches", ["remind"])
    op.create_table(
        "push_keys",
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
    )
    op.create_table(
        "push_subscriptions",
        sa.Column("number", sa.String(32), primary_key=True),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("session", sa.String(32), nullable=False, server_default=""),
        sa.Column("endpoint", sa.String(), nullable=False),
        sa.Column("p256dh", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("lang", sa.String(2), nullable=False),
        sa.Column("browser", sa.String(100), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False, server_default="0"),
    )
    op.create_index("push_subscriptions_by_person", "push_subscriptions", ["person"])
    op.create_table(
        "notice_settings",
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("off", sa.String(400), nullable=False, server_default=""),
        sa.Column("lang", sa.String(2), nullable=False, server_default="en"),
        sa.Column("confirmed", sa.String(254), nullable=False, server_default=""),
    )


def downgrade() -> None:
    """Removes them."""
    for table in ("notice_settings", "push_subscriptions", "push_keys"):
        op.drop_table(table)
    op.drop_index("matches_by_reminder", "matches")
    with op.batch_alter_table("matches") as matches:
        matches.drop_column("remind")
