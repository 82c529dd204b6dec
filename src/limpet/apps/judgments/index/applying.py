"""Makes the cases what an index says, with the history of every change, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Row, select, update

from limpet.apps.judgments.index.comparing import Comparison, KnownCase
from limpet.apps.judgments.index.reading import IndexFile
from limpet.apps.judgments.index.row import FIELDS, IndexRow
from limpet.apps.judgments.keys import address_of, file_keys
from limpet.apps.judgments.searched import make_findable
from limpet.apps.judgments.tables import case_changes, cases
from limpet.record.bulk import BulkInsert, BulkUpdate, moment_writer
from limpet.record.bulk import Row as Values
from limpet.record.storable import storable, storable_or_none
from limpet.record.tables import targets

_BATCH = 512
_CASES = BulkInsert(
    "cases",
    (
        "action_token_raw",
        "action_token_norm",
        *FIELDS,
        "is_active",
        "source",
        "first_seen_version_id",
        "last_seen_version_id",
        "address",
        "file_key",
        "fingerprint",
    ),
)
_CHANGED = BulkUpdate(
    "cases",
    "action_token_raw = v.token, fingerprint = v.fingerprint, "
    + ", ".join(f"{field} = v.{field}" for field in FIELDS),
    given=(
        ("id", "bigint"),
        ("token", "text"),
        ("fingerprint", "text"),
        *((field, "integer" if field == "is_criminal" else "text") for field in FIELDS),
    ),
)
_CHANGES = BulkInsert(
    "case_changes", ("case_id", "version_id", "kind", "field", "old_value", "new_value", "changed_at")
)


def known_cases(connection: Connection, source: str) -> Iterator[KnownCase]:
    """Yield every case of a source, as far as a comparison needs it."""
    question = select(
        cases.c.id,
        cases.c.action_token_raw,
        cases.c.action_token_norm,
        cases.c.fingerprint,
        cases.c.is_active,
    ).where(cases.c.source == source)
    for row in connection.execute(question, execution_options={"yield_per": 2_000}):
        yield KnownCase(row[0], row[1], row[2], row[3], bool(row[4]))


@dataclass(frozen=True, slots=True)
class Application:
    """One version being applied."""

    connection: Connection
    source: str
    version_id: int
    now: datetime

    def apply(self, file: IndexFile, changes: Comparison) -> None:
        """Write new cases, changed fields, what vanished and what came back."""
        self._insert_and_change(file, changes)
        self._mark("removed", changes.removed, is_active=0)
        self._mark("reappeared", list(changes.reappeared.values()), is_active=1)
        seen = update(cases).where(cases.c.source == self.source, cases.c.is_active == 1)
        self.connection.execute(seen.values(last_seen_version_id=self.version_id))

    def _insert_and_change(self, file: IndexFile, changes: Comparison) -> None:
        waiting_new, waiting_changed = set(changes.new), dict(changes.changed)
        if not waiting_new and not waiting_changed:
            return
        taken = self._taken_keys() if waiting_new else set()
        read = file.rows(only=changes.rows_to_read)
        rows = (row for row in read if row.token in waiting_new or row.token in waiting_changed)
        while batch := list(islice(rows, _BATCH)):
            fresh = [row for row in batch if _take(waiting_new, row.token)]
            self._insert(fresh, taken)
            self._change({case_id: row for row in batch if (case_id := waiting_changed.pop(row.token, None))})
            make_findable(self.connection, self.source, batch)

    def _taken_keys(self) -> set[str]:
        return set(self.connection.execute(select(cases.c.file_key)).scalars())

    def _insert(self, rows: list[IndexRow], taken: set[str]) -> None:
        keyed = file_keys(self.source, (row.token for row in rows), taken)
        _CASES.run(
            self.connection,
            [self._case(row, normal, key) for row, (_, normal, key) in zip(rows, keyed, strict=True)],
        )

    def _case(self, row: IndexRow, normal: str, key: str) -> Values:
        return (
            storable(row.token),
            normal,
            *_said(row),
            1,
            self.source,
            self.version_id,
            self.version_id,
            address_of(key),
            key,
            row.fingerprint,
        )

    def _change(self, rows: dict[int, IndexRow]) -> None:
        if not rows:
            return
        before = self.connection.execute(select(cases).where(cases.c.id.in_(list(rows)))).all()
        moment = moment_writer(self.connection)(self.now)
        history = [
            (old.id, self.version_id, "changed", field, was, becomes, moment)
            for old in before
            for field, was, becomes in _differences(old, rows[old.id])
        ]
        _CHANGES.run(self.connection, history)
        _CHANGED.run(
            self.connection,
            [
                (case_id, storable(row.token), row.fingerprint, *_said(row))
                for case_id, row in sorted(rows.items())
            ],
        )
        for old in before:
            if old.action_token_raw != rows[old.id].token:
                self._respell(old, rows[old.id].token)

    def _respell(self, old: Row[Any], token: str) -> None:
        """The court spells a token otherwise now: its target asks by the new spelling."""
        params = {"case_id": old.id, "token": token, "file_key": old.file_key}
        its_target = (targets.c.source_id == self.source, targets.c.canonical_url == old.address)
        self.connection.execute(update(targets).where(*its_target).values(params=params))

    def _mark(self, kind: str, ids: list[int], *, is_active: int) -> None:
        moment = moment_writer(self.connection)(self.now)
        _CHANGES.run(
            self.connection, [(case_id, self.version_id, kind, None, None, None, moment) for case_id in ids]
        )
        for batch in _batches(ids):
            self.connection.execute(update(cases).where(cases.c.id.in_(batch)).values(is_active=is_active))


def changes_of(connection: Connection, version_id: int, kind: str) -> list[int]:
    """Return the cases a version changed, removed or brought back."""
    question = select(case_changes.c.case_id).where(
        case_changes.c.version_id == version_id, case_changes.c.kind == kind
    )
    return sorted(set(connection.execute(question).scalars()))


def new_in(connection: Connection, version_id: int) -> list[int]:
    """Return the cases first seen in a version."""
    question = select(cases.c.id).where(cases.c.first_seen_version_id == version_id)
    return list(connection.execute(question.order_by(cases.c.id)).scalars())


def _differences(old: Row[Any], row: IndexRow) -> Iterator[tuple[str, str | None, str | None]]:
    if old.action_token_raw != row.token:
        yield "action_token_raw", old.action_token_raw, storable(row.token)
    for field in FIELDS:
        was, becomes = getattr(old, field), storable_or_none(row.value(field))
        was = str(was) if isinstance(was, int) else was
        if was != becomes:
            yield field, was, becomes


def _said(row: IndexRow) -> tuple[Any, ...]:
    return tuple(
        int(row.is_criminal) if field == "is_criminal" else storable_or_none(getattr(row, field))
        for field in FIELDS
    )


def _take(waiting: set[str], token: str) -> bool:
    """Whether this is the token's first row; a later one no longer counts."""
    if token not in waiting:
        return False
    waiting.remove(token)
    return True


def _batches(ids: Iterable[int]) -> Iterator[list[int]]:
    iterator = iter(ids)
    while batch := list(islice(iterator, _BATCH)):
        yield batch
