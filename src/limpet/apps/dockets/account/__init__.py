"""A batch's account in files, written from the ledger while it goes: checkpoint, attempts, audit, a file per case."""
