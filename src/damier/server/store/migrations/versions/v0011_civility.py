"""Chat, muted and blocked people, reports and what moderators do."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Creates the tables."""
    op.create_table(
        "chat_lines",
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.number"), nullable=False),
        sa.Column("room", sa.String(16), nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("phrase", sa.String(32), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("request", sa.String(64), nullable=False),
        sa.UniqueConstraint("match", "person", "request", name="chat_lines_once"),
    )
    op.create_index("chat_lines_by_room", "chat_lines", ["match", "room", "number"])
    op.create_index("chat_lines_by_person", "chat_lines", ["person", "number"])
    op.create_table(
        "avoided",
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("other", sa.String(64), primary_key=True),
        sa.Column("number", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
    )
    op.create_index("avoided_by_other", "avoided", ["other"])
    op.create_table(
        "silences",
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("until", sa.String(32), nullable=False),
    )
    op.create_table(
        "reports",
        sa.Column("number", sa.String(32), primary_key=True),
        sa.Column("reporter", sa.String(64), nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("match", sa.String(32), nullable=True),
        sa.Column("reason", sa.String(16), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column("context", sa.String(), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("closed", sa.String(32), nullable=True),
    )
    op.create_index("reports_by_time", "reports", ["closed", "created"])
    op.create_index("reports_by_person", "reports", ["person"])
    op.create_table(
        "moderation_log",
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("moderator", sa.String(64), nullable=False),
        sa.Column("moderator_name", sa.String(64), nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("what", sa.String(16), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("report", sa.String(32), nullable=False),
        sa.Column("match", sa.String(32), nullable=True),
    )
    op.create_index("moderation_log_by_report", "moderation_log", ["report"])


def downgrade() -> None:
    """Removes them."""
    for table in ("moderation_log", "reports", "silences", "avoided", "chat_lines"):
        op.drop_table(table)
