"""Pages that go: the body is removed, the hash stays, and whoever settles meanwhile is not left without one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, select, update

from limpet.record.log_tables import snapshot_frames, snapshots
from limpet.record.retention.holding import Circumspection, old_pages, reasons_to_stay
from limpet.record.retention.policy import Kind

BATCH = 250
BY_RETENTION = "retention"


@dataclass(frozen=True, slots=True)
class Looked:
    """One batch of pages: where it ends, what may go, and why the rest stays."""

    last: str
    going: Sequence[Row[Any]]
    staying: dict[str, str]


def look_at_pages(connection: Connection, *, after: str, heeded: Circumspection) -> Looked | None:
    """Judge the next batch of old pages; None when there are no more."""
    before = heeded.policy.latest(Kind.PAGES, now=heeded.now)
    if before is None:
        return None
    pages = connection.execute(old_pages(after=after, before=before, limit=BATCH)).all()
    if not pages:
        return None
    staying = reasons_to_stay(connection, pages, heeded)
    return Looked(pages[-1].sha256, [page for page in pages if page.sha256 not in staying], staying)


def remove_pages(connection: Connection, hashes: Sequence[str], heeded: Circumspection) -> tuple[int, int]:
    """Judge these pages once more and remove what still may go; return how many went and their stored bytes.

    A settlement that found a page known holds its row until it has committed: such a page is passed over. One that
    comes later finds the page gone, and keeps its own copy.
    """
    wanted = (snapshots.c.sha256, snapshots.c.stored_bytes, snapshots.c.first_seen_at)
    question: Select[Any] = select(*wanted).where(
        snapshots.c.sha256.in_(hashes), snapshots.c.purged_at.is_(None)
    )
    pages = connection.execute(question.with_for_update(skip_locked=True)).all()
    staying = reasons_to_stay(connection, pages, heeded)
    going = [page for page in pages if page.sha256 not in staying]
    names = [page.sha256 for page in going]
    connection.execute(delete(snapshot_frames).where(snapshot_frames.c.sha256.in_(names)))
    gone = {"purged_at": heeded.now, "purged_by": BY_RETENTION}
    connection.execute(update(snapshots).where(snapshots.c.sha256.in_(names)).values(gone))
    return len(going), sum(page.stored_bytes for page in going)
