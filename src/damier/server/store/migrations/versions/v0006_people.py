"""Accounts, with sessions, passkeys, recovery codes and tokens of programs."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_OWNER = "accounts.person"


def upgrade() -> None:
    """Creates the tables."""
    op.create_table(
        "accounts",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("skeleton", sa.String(32), nullable=False, unique=True),
        sa.Column("password", sa.String(200)),
        sa.Column("email", sa.String(254), nullable=False, server_default=""),
        sa.Column("is_program", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("is_moderator", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("banned_until", sa.String(32)),
        sa.Column("settings", sa.String(), nullable=False, server_default="{}"),
        sa.Column("created", sa.String(32), nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("number", sa.String(32), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("person", sa.String(32), sa.ForeignKey(_OWNER), nullable=False, index=True),
        sa.Column("browser", sa.String(100), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("seen", sa.String(32), nullable=False),
    )
    op.create_table(
        "passkeys",
        sa.Column("number", sa.String(32), primary_key=True),
        sa.Column("credential", sa.String(1400), nullable=False, unique=True),
        sa.Column("person", sa.String(32), sa.ForeignKey(_OWNER), nullable=False, index=True),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sign_count", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(64), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("used", sa.String(32)),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("person", sa.String(32), sa.ForeignKey(_OWNER), primary_key=True),
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("created", sa.String(32), nullable=False),
    )
    op.create_table(
        "api_tokens",
        sa.Column("number", sa.String(32), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("person", sa.String(32), sa.ForeignKey(_OWNER), nullable=False, index=True),
        sa.Column("label", sa.String(64), nullable=False),
        sa.Column("scopes", sa.String(100), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("used", sa.String(32)),
    )


def downgrade() -> None:
    """Removes them."""
    for table in ("api_tokens", "recovery_codes", "passkeys", "sessions", "accounts"):
        op.drop_table(table)
