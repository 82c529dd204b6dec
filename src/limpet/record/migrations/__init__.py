"""How an older ledger becomes today's: Alembic scripts, run in process by `limpet.record.migrate`."""
