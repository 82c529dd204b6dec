"""Read-only views over the dockets: the batch seed's job record, and what stands on each docket now.

Views are part of a schema version: never edit these texts, add a migration that replaces a view.
"""

from __future__ import annotations

from sqlalchemy import Connection

_LAST_ERROR = {
    "sqlite": "json_object('type', {type}, 'message', {message}, 'ts', {ts})",
    "postgresql": "json_build_object('type', {type}, 'message', {message}, 'ts', {ts})",
}

# The seed knows four states: an answer that there is no record is a job that succeeded, and a job that was
# never asked still waits.
_BATCH_JOBS = """
CREATE VIEW batch_jobs AS
SELECT
  CAST(j.run_id AS TEXT) || '-' || CAST(j.id AS TEXT) AS job_id,
  t.url AS url,
  t.params AS params,
  CASE WHEN j.state IN ('succeeded', 'no_record') THEN 'succeeded' WHEN j.state = 'running' THEN 'running'
    WHEN j.state IN ('pending', 'skipped') THEN 'pending' ELSE 'failed' END AS state,
  j.attempts AS attempts,
  CASE WHEN j.state IN ('failed', 'dropped', 'quarantined') THEN {last_error} END AS last_error,
  j.planned_at AS created_at
FROM jobs j
JOIN targets t ON t.id = j.target_id
JOIN runs r ON r.id = j.run_id
WHERE r.app = 'dockets'
"""

_CURRENT_ENTRIES = """
CREATE VIEW docket_entries_now AS
SELECT e.*
FROM docket_entries e
WHERE NOT e.is_removed AND NOT EXISTS (
  SELECT 1 FROM docket_entries later
  WHERE later.docket_case_id = e.docket_case_id AND later.entry_id = e.entry_id AND later.version > e.version
)
"""


def create_docket_views(connection: Connection) -> None:
    """Create both views in the dialect's own words."""
    words = _LAST_ERROR[connection.dialect.name]
    last_error = words.format(type="j.reason", message="j.details", ts="j.ended_at")
    connection.exec_driver_sql(_BATCH_JOBS.format(last_error=last_error))
    connection.exec_driver_sql(_CURRENT_ENTRIES)


def drop_docket_views(connection: Connection) -> None:
    """Remove both views."""
    connection.exec_driver_sql("DROP VIEW docket_entries_now")
    connection.exec_driver_sql("DROP VIEW batch_jobs")
