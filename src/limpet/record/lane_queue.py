"""Lanes in procrastinate's tables, which live in the ledger's own Postgres: planned and queued in one transaction.

The queue only says which lane of which run may be walked; what is done and what is left stands in the ledger, and
the queue can be filled again from it at any time.
"""

from __future__ import annotations

from sqlalchemy import Connection, Engine, inspect, text

from limpet.record.database import for_writing, json_text
from limpet.record.entry import Run
from limpet.record.reading import has_open_jobs
from limpet.target.outcome import Trigger

WALK_LANE = "limpet.walk_lane"
PREPARE_RUN = "limpet.prepare_run"
CONCLUDE_RUN = "limpet.conclude_run"
TIDY_QUEUE = "limpet.tidy_queue"
UPKEEP = "upkeep"  # the queue of what any worker may do, whatever its apps

WATCH = "limpet.watch"

# The higher the sooner: what is live, what a person waits for, what the clock asked for, and rechecks last.
LIVE = 40
PRIORITIES = {Trigger.UI: 20, Trigger.CLI: 20, Trigger.WEBHOOK: 20, Trigger.RETRY: 15, Trigger.SCHEDULE: 10}
LOWEST = 0

_POSTGRES_LOCK = 5_164_906_352_002  # any number will do, as long as every Limpet uses the same one

_DEFER_LANES = text(
    """
    SELECT procrastinate_defer_jobs_v1(array_agg(
        ROW(:queue, :task, :priority, 'lane:' || lane, :run_id || ':' || lane,
            jsonb_build_object('run_id', CAST(:run_id AS bigint), 'lane', lane), NULL
        )::procrastinate_job_to_defer_v1))
    FROM (
        SELECT DISTINCT lane FROM jobs WHERE run_id = CAST(:run_id AS bigint) AND state IN ('pending', 'running')
    ) open
    WHERE NOT EXISTS (
        SELECT 1 FROM procrastinate_jobs queued
        WHERE queued.queueing_lock = :run_id || ':' || lane AND queued.status IN ('todo', 'doing')
    )
    HAVING count(*) > 0
    """
)
_DEFER_STEP = text(
    """
    SELECT procrastinate_defer_jobs_v1(ARRAY[
        ROW(:queue, :task, :priority, :lock, :lock, CAST(:args AS jsonb), NULL)::procrastinate_job_to_defer_v1])
    WHERE NOT EXISTS (
        SELECT 1 FROM procrastinate_jobs WHERE queueing_lock = :lock AND status IN ('todo', 'doing')
    )
    """
)


def install_queue(engine: Engine) -> None:
    """Create procrastinate's tables where they are missing; safe when several processes start at once."""
    from procrastinate.schema import SchemaManager  # noqa: PLC0415 - only where there are several workers

    with for_writing(engine).begin() as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _POSTGRES_LOCK})
        if not inspect(connection).has_table("procrastinate_jobs"):
            connection.exec_driver_sql(SchemaManager.get_schema().replace("%", "%%"))


def hand_over(connection: Connection, run: Run) -> None:
    """Queue whatever is the next step of this run; what is queued already is not queued twice."""
    if not run.is_prepared:
        _defer_step(connection, run, PREPARE_RUN)
    elif not _defer_lanes(connection, run):
        _defer_step(connection, run, CONCLUDE_RUN)


def call_for_a_watcher(connection: Connection, app: str) -> None:
    """Queue the watch over what is live, unless somebody keeps it or it waits for somebody already."""
    values = {"queue": app, "task": WATCH, "priority": LIVE, "lock": f"watch:{app}", "args": "{}"}
    connection.execute(_DEFER_STEP, values)


def priority_of(run: Run) -> int:
    """Return how soon this run's lanes are walked, among all that wait."""
    return PRIORITIES.get(run.trigger, LOWEST)


def _defer_lanes(connection: Connection, run: Run) -> bool:
    """Queue every lane with open jobs, and tell whether there is any."""
    values = {"queue": run.app, "task": WALK_LANE, "priority": priority_of(run), "run_id": str(run.id)}
    connection.execute(_DEFER_LANES, values)
    return has_open_jobs(connection, run.id)


def _defer_step(connection: Connection, run: Run, task: str) -> None:
    lock = f"run:{run.id}:{task}"
    values = {
        "queue": run.app,
        "task": task,
        "priority": priority_of(run),
        "lock": lock,
        "args": json_text({"run_id": run.id}),
    }
    connection.execute(_DEFER_STEP, values)
