"""A year taken out again: planned, backed up, the backup proven, then rows in one transaction, then files."""
