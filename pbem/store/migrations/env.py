"""Alembic's environment: always online, on the connection that `pbem.store.migrate` hands in."""

from alembic import context
from sqlmodel import SQLModel

from pbem.store import models as models

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
