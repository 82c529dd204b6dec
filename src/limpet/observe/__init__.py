"""NOTICE: freshness, standing, health and metrics, all told from what the ledger holds."""
