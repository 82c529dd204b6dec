"""Runs the scripts on the connection it is handed; the caller holds the transaction and the lock."""

from __future__ import annotations

from alembic import context

from limpet.record import log_tables  # noqa: F401 - the other half of the metadata
from limpet.record.migrate import VERSION_TABLE
from limpet.record.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    render_as_batch=True,
)
context.run_migrations()
