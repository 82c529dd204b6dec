"""Keeps the targets: every address once per source, whatever way it was spelled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select

from limpet.errors import UnknownSource
from limpet.record.bulk import BulkInsert, moment_writer
from limpet.record.database import json_text
from limpet.record.storable import storable
from limpet.record.tables import sources, targets
from limpet.target import Target, Validators

_TARGETS = BulkInsert(
    "targets",
    (
        "source_id",
        "canonical_url",
        "url",
        "adapter_id",
        "kind",
        "lane",
        "schedule",
        "priority",
        "enabled",
        "robots_path_blocked",
        "params",
        "tags",
        "created_at",
        "updated_at",
        "created_by",
    ),
    skip_known=True,
)


@dataclass(frozen=True, slots=True)
class Kept:
    """How many targets were new, and how many the ledger knew."""

    created: int
    duplicate: int


def put_targets(
    connection: Connection,
    batch: Sequence[Target],
    *,
    now: datetime,
    kind: str = "page",
    schedule: str | None = None,
    tags: Sequence[str] = (),
    created_by: str | None = None,
) -> Kept:
    """Add the targets the ledger does not know yet; those it knows stay as they are."""
    adapters = _adapters(connection, {target.source_id for target in batch})
    at = moment_writer(connection)(now)
    shared_tags = json_text(list(tags)) if tags else None
    rows = [
        (
            target.source_id,
            storable(target.address),
            storable(target.url),
            adapters[target.source_id],
            kind,
            target.lane,
            schedule,
            target.priority,
            True,
            False,
            json_text(dict(target.params)) if target.params else None,
            shared_tags,
            at,
            at,
            created_by,
        )
        for target in batch
    ]
    created = _TARGETS.run(connection, rows)
    return Kept(created, len(rows) - created)


def targets_of(source_id: str | None, *, status: str | None, after: int, limit: int) -> Select[Any]:
    """Return the question for a page of targets, in the order they were added."""
    question = select(targets).where(targets.c.id > after).order_by(targets.c.id).limit(limit)
    if source_id is not None:
        question = question.where(targets.c.source_id == source_id)
    return question if status is None else question.where(targets.c.status == status)


def count_targets(connection: Connection, source_id: str | None = None) -> int:
    """Return how many targets there are, of one source or of all."""
    question = select(func.count()).select_from(targets)
    if source_id is not None:
        question = question.where(targets.c.source_id == source_id)
    return connection.execute(question).scalar_one()


def target_of(row: Row[Any]) -> Target:
    """Return a target as other rooms know it."""
    return Target(
        source_id=row.source_id,
        address=row.canonical_url,
        url=row.url,
        lane=row.lane,
        id=row.id,
        priority=row.priority,
        validators=Validators(row.etag, row.last_modified),
        params=row.params or {},
    )


def _adapters(connection: Connection, source_ids: Iterable[str]) -> dict[str, str]:
    wanted = sorted(source_ids)
    question = select(sources.c.id, sources.c.adapter_id).where(sources.c.id.in_(wanted))
    found = {row.id: row.adapter_id for row in connection.execute(question)}
    missing = [source_id for source_id in wanted if source_id not in found]
    if missing:
        raise UnknownSource(
            f"The ledger knows no source {missing[0]!r}.",
            fix="Add it to the configuration, or check its name.",
        )
    return found
