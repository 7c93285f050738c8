"""Runs migrations on the connection that the program gives."""

from alembic import context

from damier.server.store.schema import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
with context.begin_transaction():
    context.run_migrations()
