"""Many processes: when something is due in a tournament, one match of each origin, and challenges of passkeys."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

_OTHERS = "SELECT min(number) FROM matches GROUP BY origin"
_NAMED = "origin <> '' AND origin <> 'rematch'"


def upgrade() -> None:
    """Adds the columns, the index and the table; all tournaments that are not over are looked at."""
    op.add_column("tournaments", sa.Column("due", sa.String(32), nullable=True))
    op.add_column("tournaments", sa.Column("taken", sa.String(32), nullable=True))
    op.add_column("tournaments", sa.Column("rewritten", sa.Integer(), nullable=False, server_default="0"))
    op.create_index("tournaments_by_due", "tournaments", ["due"])
    op.execute("UPDATE tournaments SET due = created WHERE status IN ('waiting', 'running')")
    op.execute(f"UPDATE matches SET origin = '' WHERE {_NAMED} AND number NOT IN ({_OTHERS})")
    where = sa.text(_NAMED)
    op.create_index("matches_once", "matches", ["origin"], unique=True, sqlite_where=where, postgresql_where=where)
    op.create_table(
        "passkey_challenges",
        sa.Column("number", sa.String(32), primary_key=True),
        sa.Column("challenge", sa.LargeBinary(), nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("until", sa.String(32), nullable=False),
    )
    op.create_index("passkey_challenges_by_time", "passkey_challenges", ["until"])


def downgrade() -> None:
    """Removes them."""
    op.drop_table("passkey_challenges")
    op.drop_index("matches_once", "matches")
    op.drop_index("tournaments_by_due", "tournaments")
    with op.batch_alter_table("tournaments") as tournaments:
        for column in ("due", "taken", "rewritten"):
            tournaments.drop_column(column)
