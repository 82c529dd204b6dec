"""The rows a group of settlements becomes, piled up per table and written with one statement each."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection

from limpet.fetch.trail import RequestNote
from limpet.record.artefacts import INSERT_ARTEFACTS, artefact_row
from limpet.record.bulk import BulkInsert, BulkUpdate, Row
from limpet.record.entry import Settlement
from limpet.record.lives import NEXT_STATUS, note_broken
from limpet.record.snapshots import NewSnapshot
from limpet.record.storable import redact_url, storable, storable_or_none
from limpet.target import Outcome
from limpet.target.outcome import counts_toward_drift

_JOBS = BulkUpdate(
    "jobs",
    "state = v.state, reason = v.reason, details = v.details, attempts = jobs.attempts - 1 + v.tries, "
    "ended_at = v.ended_at, snapshot = v.snapshot, site_id = v.site_id, site_version = v.site_version, "
    "lease_until = NULL",
    given=(
        ("id", "bigint"),
        ("state", "text"),
        ("reason", "text"),
        ("details", "text"),
        ("tries", "integer"),
        ("ended_at", "timestamptz"),
        ("snapshot", "text"),
        ("site_id", "text"),
        ("site_version", "text"),
    ),
)
_TARGETS = BulkUpdate(
    "targets",
    f"last_scraped_at = v.at, updated_at = v.at, last_status = v.word, status = {NEXT_STATUS}, "
    "consecutive_failures = CASE WHEN v.failed = 1 THEN targets.consecutive_failures + 1 ELSE 0 END, "
    "etag = CASE WHEN v.keep = 1 THEN targets.etag ELSE v.etag END, "
    "last_modified = CASE WHEN v.keep = 1 THEN targets.last_modified ELSE v.last_modified END, "
    "last_snapshot = COALESCE(v.snapshot, targets.last_snapshot)",
    given=(
        ("id", "bigint"),
        ("at", "timestamptz"),
        ("word", "text"),
        ("failed", "integer"),
        ("keep", "integer"),
        ("etag", "text"),
        ("last_modified", "text"),
        ("snapshot", "text"),
    ),
)
_ATTEMPTS = BulkInsert(
    "attempts",
    (
        "job_id",
        "fence",
        "number",
        "started_at",
        "elapsed_ms",
        "outcome",
        "error_code",
        "error_message",
        "status",
        "extract_ms",
    ),
)
_REQUESTS = BulkInsert(
    "requests",
    (
        "job_id",
        "source_id",
        "domain",
        "url",
        "kind",
        "started_at",
        "elapsed_ms",
        "waited_ms",
        "outcome",
        "status",
        "error_code",
        "bytes_received",
        "robots_verdict",
        "robots_hash",
        "retry_after_seconds",
    ),
)
_ERRORS = BulkInsert(
    "scraper_errors",
    (
        "scraper_id",
        "timestamp",
        "error_type",
        "error_message",
        "stack_trace",
        "url",
        "operation",
        "retry_attempt",
        "resolved",
        "resolution_time",
        "resolution_method",
    ),
)
_SNAPSHOTS = BulkInsert(
    "snapshots",
    ("sha256", "pack", "offset", "stored_bytes", "raw_bytes", "media_type", "charset", "first_seen_at"),
    # A body that was purged and comes again is kept again; one that is there stays where it lies.
    on_conflict='ON CONFLICT (sha256) DO UPDATE SET pack = excluded.pack, "offset" = excluded."offset", '
    "stored_bytes = excluded.stored_bytes, purged_at = NULL, purged_by = NULL "
    "WHERE snapshots.purged_at IS NOT NULL",
)
_FRAMES = BulkInsert("snapshot_frames", ("sha256", "frame"), skip_known=True)
# The page gave what we wanted: next time we may ask whether it changed. Any other is fetched whole again.
_MAY_ASK_CONDITIONALLY = frozenset({Outcome.SUCCEEDED, Outcome.NO_RECORD})


class Pile:
    """Rows of one group, in the order tables must be written."""

    def __init__(self, moment: Callable[[datetime], Any], *, scraper_id: str) -> None:
        self._moment = moment
        self._scraper_id = scraper_id
        self._errors: list[Row] = []
        self._snapshots: dict[str, Row] = {}
        self._frames: dict[str, Row] = {}
        self._jobs: list[Row] = []
        self._attempts: list[Row] = []
        self._requests: list[Row] = []
        self._artefacts: list[Row] = []
        self._targets: dict[int, Row] = {}

    def add(
        self, settlement: Settlement, snapshot: str | None, new: NewSnapshot | None, *, touch_target: bool
    ) -> None:
        """Turn one settlement into rows."""
        at = self._moment(settlement.settled_at)
        if new is not None:
            self._snapshots[new.sha256] = self._snapshot(new, at)
            if new.frame is not None:
                self._frames[new.sha256] = (new.sha256, new.frame)
        self._jobs.append(self._job(settlement, snapshot, at))
        self._attempts.extend(self._tries(settlement))
        if settlement.outcome is Outcome.FAILED or len(settlement.attempts) > 1:
            self._errors.extend(error_rows(settlement, self._scraper_id, self._moment))
        job_id = settlement.lease.job_id
        self._requests.extend(request_row(note, job_id, self._moment) for note in settlement.requests)
        self._artefacts.extend(artefact_row(file, job_id, self._moment) for file in settlement.artefacts)
        if touch_target and settlement.outcome is not Outcome.SKIPPED:
            self._targets[settlement.lease.target.id] = self._target(settlement, snapshot, at)

    def write(self, connection: Connection) -> None:
        """Write every table, evidence first."""
        _FRAMES.run(connection, list(self._frames.values()))
        _SNAPSHOTS.run(connection, list(self._snapshots.values()))
        _JOBS.run(connection, self._jobs)
        _ATTEMPTS.run(connection, self._attempts)
        _REQUESTS.run(connection, self._requests)
        _ERRORS.run(connection, self._errors)
        INSERT_ARTEFACTS.run(connection, self._artefacts)
        # In one order everywhere, so that two processes settling the same targets do not wait in a circle.
        _TARGETS.run(connection, sorted(self._targets.values(), key=itemgetter(0)))
        failed = [row for row in self._targets.values() if row[3]]
        if failed:
            note_broken(connection, [row[0] for row in failed], at=failed[-1][1])

    @staticmethod
    def _snapshot(new: NewSnapshot, at: Any) -> Row:
        place = new.place
        media_type = storable(new.media_type)
        charset = storable_or_none(new.charset)
        return (new.sha256, place.pack, place.offset, place.size, new.raw_bytes, media_type, charset, at)

    @staticmethod
    def _job(settlement: Settlement, snapshot: str | None, at: Any) -> Row:
        return (
            settlement.lease.job_id,
            settlement.outcome.value,
            storable_or_none(settlement.reason),
            storable(settlement.details) or None,
            len(settlement.attempts),
            at,
            snapshot,
            settlement.site_id or None,
            settlement.site_version or None,
        )

    def _tries(self, settlement: Settlement) -> list[Row]:
        lease, moment = settlement.lease, self._moment
        return [
            (
                lease.job_id,
                lease.fence,
                note.number,
                moment(note.started_at),
                note.elapsed_ms,
                str(note.outcome),
                note.error_code,
                storable_or_none(note.error_message),
                note.status,
                note.extract_ms,
            )
            for note in settlement.attempts
        ]

    @staticmethod
    def _target(settlement: Settlement, snapshot: str | None, at: Any) -> Row:
        page, outcome = settlement.page, settlement.outcome
        failed = int(counts_toward_drift(outcome, settlement.reason))
        etag = last_modified = None
        keep = 0
        if outcome in _MAY_ASK_CONDITIONALLY and page is not None:
            keep = int(page.is_unmodified)
            etag = storable_or_none(page.headers.get("etag"))
            last_modified = storable_or_none(page.headers.get("last-modified"))
        return (settlement.lease.target.id, at, outcome.value, failed, keep, etag, last_modified, snapshot)


def error_rows(settlement: Settlement, scraper_id: str, moment: Callable[[datetime], Any]) -> list[Row]:
    """Return a row for every try that went wrong, and one for a page that could not be read.

    A target that answered in the end has resolved its errors itself, by being tried again.
    """
    at, url = moment(settlement.settled_at), redact_url(settlement.lease.target.url)
    resolved = settlement.outcome is not Outcome.FAILED
    ending = (resolved, at if resolved else None, "auto_retry" if resolved else None)
    rows: list[Row] = [
        (
            scraper_id,
            moment(note.started_at),
            error_type(note.error_code),
            storable(note.error_message or ""),
            None,
            url,
            "fetch",
            note.number,
            *ending,
        )
        for note in settlement.attempts
        if note.error_code is not None
    ]
    if settlement.outcome is Outcome.FAILED and not (
        settlement.attempts and settlement.attempts[-1].error_code
    ):
        trace = storable(settlement.details) if "Traceback" in settlement.details else None
        reason = settlement.reason or "unknown"
        rows.append(
            (scraper_id, at, "parsing", reason, trace, url, "extract", len(settlement.attempts), *ending)
        )
    return rows


def error_type(code: str) -> str:
    """Return which kind of trouble a code belongs to, in the words the error log is searched by."""
    if code.startswith("browser"):
        return "browser"
    return "auth" if code == "fetch.blocked" else "network"


def request_row(note: RequestNote, job_id: int | None, moment: Callable[[datetime], Any]) -> Row:
    """Return the row of one request; whatever its query held stays outside."""
    return (
        job_id,
        note.source_id,
        note.domain,
        redact_url(note.url),
        note.kind,
        moment(note.started_at),
        note.elapsed_ms,
        note.waited_ms,
        note.outcome.value,
        note.status,
        note.error_code,
        note.bytes_received,
        note.robots_verdict,
        note.robots_hash,
        note.retry_after_seconds,
    )


def write_requests(connection: Connection, rows: list[Row]) -> None:
    """Write requests that belong to no job."""
    _REQUESTS.run(connection, rows)
