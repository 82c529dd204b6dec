"""Read-only views with the names, columns and words of the judgment seed: its queries work on the ledger.

Views are part of a schema version: never edit these texts, add a migration that replaces a view.
"""

from __future__ import annotations

from sqlalchemy import Connection

# The seed's closed list of codes; what it did not foresee is `unknown`, and told in `error_message`.
_ERROR_CODE = """
  CASE
    WHEN j.state NOT IN ('failed', 'dropped', 'quarantined') THEN NULL
    WHEN t.error_code IN ('ajax_403', 'ajax_500', 'ajax_parse_error', 'csv_case_not_found',
      'disk_insufficient', 'browser_launch_failed', 'browser_element_not_found', 'invalid_box_url'{more_codes})
      THEN t.error_code
    WHEN t.error_code = 'box_url_expired' THEN 'invalid_box_url'
    WHEN t.error_code = 'fetch.timeout' THEN 'network_timeout'
    WHEN SUBSTR(t.error_code, 1, 6) = 'fetch.' OR SUBSTR(t.error_code, 1, 5) = 'gate.' THEN 'network_error'
    ELSE 'unknown'
  END"""

_DOWNLOADS = f"""
CREATE VIEW downloads AS
SELECT
  j.id AS id,
  j.run_id AS run_id,
  c.id AS case_id,
  CASE j.state WHEN 'running' THEN 'in_progress' WHEN 'succeeded' THEN 'downloaded'
    WHEN 'pending' THEN 'pending' WHEN 'skipped' THEN 'skipped' ELSE 'failed' END AS status,
  j.attempts AS attempt_count,
  COALESCE(t.started_at, j.started_at) AS last_attempt_at,
  SUBSTR(f.path, LENGTH('pdfs/') + 1) AS file_path,
  f.size_bytes AS file_size_bytes,
  f.box_url AS box_url_last,
  {_ERROR_CODE} AS error_code,
  COALESCE(j.details, j.reason) AS error_message,
  j.planned_at AS created_at,
  COALESCE(j.ended_at, t.started_at, j.started_at, j.planned_at) AS updated_at
FROM jobs j
JOIN targets g ON g.id = j.target_id
JOIN cases c ON c.source = g.source_id AND c.address = g.canonical_url
LEFT JOIN case_files f ON f.job_id = j.id
LEFT JOIN attempts t ON t.id = (SELECT MAX(a.id) FROM attempts a WHERE a.job_id = j.id)
"""

# The ledger's own `runs` holds the runs of every app, so the seed's columns are found under this name.
_JUDGMENT_SCRAPES = """
CREATE VIEW judgment_scrapes AS
SELECT
  r.id AS id,
  r.started_at AS started_at,
  r.ended_at AS ended_at,
  CASE r.trigger WHEN 'schedule' THEN 'cron' ELSE r.trigger END AS trigger,
  r.mode AS mode,
  p.csv_version_id AS csv_version_id,
  CAST(r.params AS TEXT) AS params_json,
  CASE r.state WHEN 'quarantined' THEN 'failed' ELSE r.state END AS status,
  r.error_message AS error_summary,
  r.source_id AS source
FROM runs r
LEFT JOIN judgment_runs p ON p.run_id = r.id
WHERE r.app = 'judgments'
"""


def create_judgment_views(connection: Connection) -> None:
    """Create both views; these words mean the same in every dialect."""
    create_downloads(connection)
    connection.exec_driver_sql(_JUDGMENT_SCRAPES)


def create_downloads(connection: Connection, *, more_codes: str = "") -> None:
    """Create the view of downloads; `more_codes` are told as they are, beside the seed's own."""
    connection.exec_driver_sql(_DOWNLOADS.replace("{more_codes}", more_codes))


def drop_judgment_views(connection: Connection) -> None:
    """Remove both views."""
    connection.exec_driver_sql("DROP VIEW judgment_scrapes")
    connection.exec_driver_sql("DROP VIEW downloads")
