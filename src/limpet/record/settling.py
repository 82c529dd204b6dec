"""Settles a whole group of jobs in few statements: fences checked once, then every table in one go."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial

from msgspec import Struct
from sqlalchemy import Connection, select
from sqlalchemy.exc import DBAPIError

from limpet.errors import LeaseLost
from limpet.fetch.screenshots import KIND as SCREENSHOTS
from limpet.record.bulk import among, as_list, is_sqlite, moment_writer, rows_of
from limpet.record.entry import Bookkeeper, Settlement
from limpet.record.log_tables import snapshots as snapshot_table
from limpet.record.settled_rows import Pile
from limpet.record.snapshots import NewSnapshot, SnapshotStore, hash_of
from limpet.record.tables import runs


class Prepared(Struct):
    """A settlement whose body is safe; `snapshot` is its evidence."""

    settlement: Settlement
    snapshot: str | None = None
    new_snapshot: NewSnapshot | None = None


class Settling:
    """The writer's way with settlements; everything here runs in the writer thread."""

    def __init__(
        self,
        *,
        snapshots: SnapshotStore,
        bookkeepers: Mapping[str, Bookkeeper],
        scraper_id: str,
    ) -> None:
        self._scraper_id = scraper_id
        self._snapshots = snapshots
        self._bookkeepers = bookkeepers
        self._runs: dict[int, tuple[str, bool]] = {}  # run id: app, dry run

    def prepare(self, connection: Connection, settlements: Sequence[Settlement]) -> list[Prepared]:
        """Put the bodies on the disk, before any transaction is open."""
        prepared = [Prepared(settlement) for settlement in settlements]
        with_page = []
        for item in prepared:
            page, lease = item.settlement.page, item.settlement.lease
            # A document that was kept is its own evidence; a picture of the page stands beside its text.
            if page is None or any(file.kind != SCREENSHOTS for file in page.files):
                continue
            if page.is_unmodified and (lease.last_snapshot or not page.body):
                item.snapshot = lease.last_snapshot  # the origin itself says the old evidence still holds
            else:
                with_page.append((item, page))
        if with_page:
            hashes, new = self._snapshots.keep(
                [page for _, page in with_page], known=partial(_known, connection)
            )
            by_hash = {snapshot.sha256: snapshot for snapshot in new}
            for (item, _), sha in zip(with_page, hashes, strict=True):
                item.snapshot, item.new_snapshot = sha, by_hash.get(sha)
        return prepared

    def apply(self, connection: Connection, group: Sequence[Prepared]) -> list[LeaseLost | None]:
        """Write the group in the caller's transaction; a late settlement is refused, not its neighbours."""
        standing = self._lock_jobs(connection, [item.settlement.lease.job_id for item in group])
        answers: list[LeaseLost | None] = []
        accepted: list[Prepared] = []
        moment = moment_writer(connection)
        for item in group:
            settlement, lease = item.settlement, item.settlement.lease
            state, fence, ended_at = standing.get(lease.job_id, ("missing", -1, None))
            if state == "running" and fence == lease.fence:
                standing[lease.job_id] = (settlement.outcome.value, fence, moment(settlement.settled_at))
                accepted.append(item)
                answers.append(None)
            elif (state, fence, ended_at) == (
                settlement.outcome.value,
                lease.fence,
                moment(settlement.settled_at),
            ):
                answers.append(None)  # said twice, as after a lost answer to COMMIT: once is enough
            else:
                answers.append(LeaseLost(f"Job {lease.job_id} is {state} under another lease."))
        self._keep_again(connection, accepted)
        self._write(connection, accepted)
        return answers

    def committed(self, group: Sequence[Prepared]) -> None:
        """Learn what is now safe."""
        self._snapshots.remember([item.snapshot for item in group if item.snapshot])

    def _keep_again(self, connection: Connection, accepted: Sequence[Prepared]) -> None:
        """Keep our own copy of a page that was known when we looked, and is removed by now.

        The rows of those that are there are held until we have committed, so that retention passes them over.
        """
        known = [item for item in accepted if item.snapshot and item.new_snapshot is None]
        if not known:
            return
        there = _held(connection, sorted({item.snapshot for item in known if item.snapshot}))
        for item in known:
            page = item.settlement.page
            if item.snapshot not in there and page is not None and item.snapshot == hash_of(page):
                item.new_snapshot = self._snapshots.keep_anew(page)

    def _write(self, connection: Connection, accepted: Sequence[Prepared]) -> None:
        by_app: dict[str, list[Settlement]] = defaultdict(list)
        pile = Pile(moment_writer(connection), scraper_id=self._scraper_id)
        for item in accepted:
            app, is_dry_run = self._run(connection, item.settlement.lease.run_id)
            pile.add(item.settlement, item.snapshot, item.new_snapshot, touch_target=not is_dry_run)
            if not is_dry_run:
                by_app[app].append(item.settlement)
        pile.write(connection)
        for app, settled in by_app.items():
            if app in self._bookkeepers:
                self._bookkeepers[app].write(connection, settled)

    def _run(self, connection: Connection, run_id: int) -> tuple[str, bool]:
        known = self._runs.get(run_id)
        if known is None:
            row = connection.execute(select(runs.c.app, runs.c.dry_run).where(runs.c.id == run_id)).one()
            known = self._runs[run_id] = (row.app, row.dry_run)
        return known

    @staticmethod
    def _lock_jobs(connection: Connection, job_ids: Sequence[int]) -> dict[int, tuple[str, int, object]]:
        sql = f"SELECT id, state, fence, ended_at FROM jobs WHERE {among(connection, 'id', of='bigint')}"
        if not is_sqlite(connection):
            sql += " ORDER BY id FOR UPDATE"  # always in the same order: two groups never wait for each other
        found = rows_of(connection, sql, (as_list(connection, job_ids),))
        return {job_id: (state, fence, ended_at) for job_id, state, fence, ended_at in found}


def _held(connection: Connection, hashes: list[str]) -> set[str]:
    """Return which of these pages are there, and hold their rows on Postgres; on SQLite the transaction holds all."""
    where = among(connection, "sha256", of="text")
    sql = f"SELECT sha256 FROM {snapshot_table.name} WHERE {where} AND purged_at IS NULL"
    if not is_sqlite(connection):
        sql += " ORDER BY sha256 FOR KEY SHARE"
    return {row[0] for row in rows_of(connection, sql, (as_list(connection, hashes),))}


def _known(connection: Connection, hashes: list[str]) -> set[str]:
    """Return the hashes the ledger holds. When it cannot say, none: a body kept twice is only a few bytes more."""
    where = among(connection, "sha256", of="text")
    sql = f"SELECT sha256 FROM {snapshot_table.name} WHERE {where} AND purged_at IS NULL"
    values = (as_list(connection, hashes),)
    try:
        if is_sqlite(connection):
            rows = rows_of(connection, sql, values)  # outside any transaction, so that nobody waits for it
        else:
            with connection.begin():
                rows = rows_of(connection, sql, values)
    except DBAPIError:
        return set()
    return {row[0] for row in rows}
