"""Read-only views with the names, columns and words of the price seed: its queries work on the ledger.

Views are part of a schema version: never edit these texts, add a migration that replaces a view.
"""

from __future__ import annotations

from sqlalchemy import Connection

_DURATION_MS = {
    "sqlite": "CAST(ROUND((julianday(r.ended_at) - julianday(r.started_at)) * 86400000) AS INTEGER)",
    "postgresql": "CAST(ROUND(EXTRACT(EPOCH FROM (r.ended_at - r.started_at)) * 1000) AS INTEGER)",
}

_SCRAPE_TARGETS = """
CREATE VIEW scrape_targets AS
SELECT
  CAST(id AS TEXT) AS id, url, canonical_url, source_id, adapter_id,
  CAST(NULL AS TEXT) AS source_product_id,
  schedule, priority, UPPER(status) AS status, enabled, robots_path_blocked,
  last_scraped_at,
  CASE last_status WHEN 'succeeded' THEN 'SUCCESS' ELSE UPPER(last_status) END AS last_status,
  consecutive_failures, created_at, updated_at, created_by, notes
FROM targets
"""

# `extracted` leaves out sold-out pages that hide their price: the seed counts those apart, never as drift.
_SCRAPE_RUNS = """
CREATE VIEW scrape_runs AS
SELECT
  CAST(r.id AS TEXT) AS id,
  COALESCE(c.adapter_id, s.adapter_id) AS adapter_id,
  c.adapter_version AS adapter_version,
  r.source_id AS source_id,
  CAST(NULL AS TEXT) AS retailer_id,
  CASE r.trigger WHEN 'schedule' THEN 'SCHEDULED' WHEN 'retry' THEN 'RETRY' WHEN 'recheck' THEN 'RETRY'
    ELSE 'MANUAL' END AS trigger,
  CASE r.state WHEN 'running' THEN 'RUNNING' WHEN 'completed' THEN 'SUCCESS' WHEN 'quarantined'
    THEN 'QUARANTINED' ELSE 'FAILED' END AS status,
  r.started_at AS started_at,
  r.ended_at AS completed_at,
  {duration_ms} AS duration_ms,
  COALESCE(c.attempted, 0) AS urls_attempted,
  COALESCE(c.attempted - c.failed, 0) AS urls_succeeded,
  COALESCE(c.failed, 0) AS urls_failed,
  COALESCE(c.extracted, 0) AS offers_extracted,
  COALESCE(c.valid, 0) AS offers_valid,
  COALESCE(c.dropped, 0) AS offers_dropped,
  COALESCE(c.quarantined, 0) AS offers_quarantined,
  COALESCE(c.oos_no_price, 0) AS oos_no_price_count,
  ROUND(CAST(c.failed AS NUMERIC) * 1.0 / NULLIF(c.attempted, 0), 4) AS failure_rate,
  ROUND(CAST(c.valid AS NUMERIC) * 1.0 / NULLIF(c.attempted, 0), 4) AS yield_rate,
  ROUND(CAST(c.dropped AS NUMERIC) * 1.0 / NULLIF(c.extracted, 0), 4) AS drop_rate,
  r.error_code AS error_code,
  r.error_message AS error_message,
  r.started_at AS created_at
FROM runs r
LEFT JOIN sources s ON s.id = r.source_id
LEFT JOIN (
  SELECT
    run_id,
    MAX(site_id) AS adapter_id,
    MAX(site_version) AS adapter_version,
    SUM(CASE WHEN state IN ('succeeded', 'no_record', 'failed', 'dropped', 'quarantined')
      THEN 1 ELSE 0 END) AS attempted,
    SUM(CASE WHEN state = 'failed' THEN 1 ELSE 0 END) AS failed,
    SUM(CASE WHEN state = 'succeeded' THEN 1 ELSE 0 END) AS valid,
    SUM(CASE WHEN state IN ('succeeded', 'quarantined')
      OR (state = 'dropped' AND COALESCE(reason, '') <> 'oos_no_price') THEN 1 ELSE 0 END) AS extracted,
    SUM(CASE WHEN state = 'dropped' AND COALESCE(reason, '') <> 'oos_no_price'
      THEN 1 ELSE 0 END) AS dropped,
    SUM(CASE WHEN state = 'quarantined' THEN 1 ELSE 0 END) AS quarantined,
    SUM(CASE WHEN state = 'dropped' AND reason = 'oos_no_price' THEN 1 ELSE 0 END) AS oos_no_price
  FROM jobs GROUP BY run_id
) c ON c.run_id = r.id
"""


def create_ledger_views(connection: Connection) -> None:
    """Create both views in the dialect's own words."""
    connection.exec_driver_sql(_SCRAPE_TARGETS)
    create_scrape_runs(connection)


def create_scrape_runs(connection: Connection, *, where: str = "") -> None:
    """Create the view of runs, over all of them or those of which this is true."""
    duration_ms = _DURATION_MS[connection.dialect.name]
    connection.exec_driver_sql(_SCRAPE_RUNS.format(duration_ms=duration_ms) + where)


def drop_ledger_views(connection: Connection) -> None:
    """Remove both views."""
    connection.exec_driver_sql("DROP VIEW scrape_runs")
    connection.exec_driver_sql("DROP VIEW scrape_targets")
