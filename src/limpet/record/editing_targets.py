"""Changes people make to targets: each in one transaction with its entry in the audit log."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, func, select, update

from limpet.errors import NotThere, UsageError
from limpet.record.logbook import audit
from limpet.record.tables import jobs, targets

STATUSES = ("active", "paused", "broken", "stale")
_EDITABLE = frozenset(
    {
        "status",
        "consecutive_failures",
        "enabled",
        "priority",
        "schedule",
        "tags",
        "notes",
        "robots_path_blocked",
    }
)


@dataclass(frozen=True, slots=True)
class TargetFilter:
    """Which targets are meant; everything left out means any."""

    ids: Sequence[int] = ()
    source_id: str | None = None
    status: str | None = None
    text: str | None = None  # part of the address
    tag: str | None = None

    def conditions(self) -> list[ColumnElement[bool]]:
        """Return it as SQL, except for the tag, whose storage differs between databases."""
        columns = targets.c
        wanted: list[ColumnElement[bool]] = []
        if self.ids:
            wanted.append(columns.id.in_(self.ids))
        if self.source_id is not None:
            wanted.append(columns.source_id == self.source_id)
        if self.status is not None:
            wanted.append(columns.status == self.status)
        if self.text:
            wanted.append(columns.canonical_url.contains(self.text, autoescape=True))
        return wanted


@dataclass(frozen=True, slots=True)
class TargetRow:
    """A target as people see it."""

    id: int
    source_id: str
    url: str
    status: str
    priority: int
    schedule: str | None
    blocked: bool
    last_scraped_at: datetime | None
    last_status: str | None
    consecutive_failures: int
    tags: tuple[str, ...]
    notes: str | None


def list_targets(
    connection: Connection, wanted: TargetFilter, *, after: int = 0, limit: int = 100
) -> list[TargetRow]:
    """Return targets in the order they were added, starting above an id."""
    question = select(targets).where(targets.c.id > after, *wanted.conditions()).order_by(targets.c.id)
    if wanted.tag is None:
        question = question.limit(limit)  # so that the database stops looking when the page is full
    found: list[TargetRow] = []
    for row in connection.execute(question.execution_options(yield_per=500)):
        if wanted.tag is None or wanted.tag in (row.tags or ()):
            found.append(_row(row))
        if len(found) == limit:
            break
    return found


def count_targets(connection: Connection, wanted: TargetFilter) -> int:
    """Return how many there are."""
    if wanted.tag is not None:
        question = select(targets.c.tags).where(*wanted.conditions())
        return sum(wanted.tag in (tags or ()) for tags in connection.execute(question).scalars())
    return connection.execute(
        select(func.count()).where(*wanted.conditions()).select_from(targets)
    ).scalar_one()


def edit_targets(
    connection: Connection,
    ids: Collection[int],
    changes: Mapping[str, Any],
    *,
    by: str,
    reason: str,
    now: datetime,
) -> int:
    """Change these targets and return how many there were; raise NotThere when one does not exist."""
    unknown = set(changes) - _EDITABLE
    if unknown:
        raise UsageError(
            f"{', '.join(sorted(unknown))} cannot be changed.", fix="See `limpet targets --help`."
        )
    _require_all(connection, ids)
    connection.execute(update(targets).where(targets.c.id.in_(ids)).values(**changes, updated_at=now))
    _note(connection, "edit_targets", ids, by=by, reason=reason, now=now, details=dict(changes))
    return len(ids)


def delete_targets(
    connection: Connection, ids: Collection[int], *, by: str, reason: str, now: datetime
) -> int:
    """Delete targets that were never walked; one with a history is to be paused instead, so that nothing is lost."""
    _require_all(connection, ids)
    walked = connection.execute(
        select(func.count(func.distinct(jobs.c.target_id))).where(jobs.c.target_id.in_(ids))
    ).scalar_one()
    if walked:
        raise UsageError(
            f"{walked} of these targets have a history, which is never deleted.",
            fix="Pause them instead: limpet targets pause ID... --reason ...",
        )
    connection.execute(delete(targets).where(targets.c.id.in_(ids)))
    _note(connection, "delete_targets", ids, by=by, reason=reason, now=now, details={})
    return len(ids)


def id_of(connection: Connection, source_id: str, address: str) -> int | None:
    """Return the id under which this address is known, if it is."""
    question = select(targets.c.id).where(
        and_(targets.c.source_id == source_id, targets.c.canonical_url == address)
    )
    return connection.execute(question).scalar_one_or_none()


def _require_all(connection: Connection, ids: Collection[int]) -> None:
    known = set(connection.execute(select(targets.c.id).where(targets.c.id.in_(ids))).scalars())
    missing = sorted(set(ids) - known)
    if missing or not ids:
        raise NotThere(
            f"There is no target {', '.join(map(str, missing[:5])) or 'named'}.",
            fix="`limpet targets list` shows them.",
        )


def _note(
    connection: Connection,
    action: str,
    ids: Collection[int],
    *,
    by: str,
    reason: str,
    now: datetime,
    details: dict[str, Any],
) -> None:
    listed = sorted(ids)
    subject = f"target {listed[0]}" if len(listed) == 1 else f"{len(listed)} targets"
    audit(
        connection,
        by,
        action,
        subject=subject,
        now=now,
        reason=reason,
        details=details | {"targets": listed[:200]},
    )


def _row(row: Row[Any]) -> TargetRow:
    return TargetRow(
        id=row.id,
        source_id=row.source_id,
        url=row.url,
        status=row.status,
        priority=row.priority,
        schedule=row.schedule,
        blocked=row.robots_path_blocked,
        last_scraped_at=row.last_scraped_at,
        last_status=row.last_status,
        consecutive_failures=row.consecutive_failures,
        tags=tuple(row.tags or ()),
        notes=row.notes,
    )
