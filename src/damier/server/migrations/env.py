"""Runs migrations on the connection that the program gives."""

from alembic import context

from damier.server.schema import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
with context.begin_transaction():
    context.run_migrations()
