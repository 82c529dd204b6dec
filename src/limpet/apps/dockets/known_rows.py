"""What the ledger holds about cases just before they are written again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, select

from limpet.apps.dockets.addresses import case_at
from limpet.apps.dockets.tables import docket_case_versions, docket_cases, docket_entries
from limpet.record.entry import Settlement

Key = tuple[str, str]  # source id, case id


@dataclass(slots=True)
class KnownCase:
    """A case on record: its newest version, and the newest version of each entry."""

    id: int
    status: str
    version: int
    content_sha256: str | None
    parties: Any = None
    related_cases: Any = None
    entries: dict[int, KnownEntry] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KnownEntry:
    """An entry's newest version."""

    version: int
    content_sha256: str
    is_removed: bool


def key_of(settlement: Settlement) -> Key:
    """Return under which name a settlement's case is on record."""
    return settlement.lease.target.source_id, str(case_at(settlement.lease.target.address))


def known_rows(connection: Connection, settled: Sequence[Settlement]) -> dict[Key, KnownCase]:
    """Return the cases these settlements are about, locked until the transaction ends."""
    by_source: dict[str, list[str]] = defaultdict(list)
    for source_id, case_id in map(key_of, settled):
        by_source[source_id].append(case_id)
    found: dict[Key, KnownCase] = {}
    for source_id, case_ids in by_source.items():
        for row in connection.execute(_cases(source_id, case_ids)):
            found[source_id, row.case_id] = KnownCase(row.id, row.status, row.version, row.content_sha256)
    on_record = {known.id: known for known in found.values() if known.version}
    if on_record:
        _add_extras(connection, on_record)
        _add_entries(connection, on_record)
    return found


def _cases(source_id: str, case_ids: Sequence[str]) -> Any:
    columns = docket_cases.c
    return (
        select(columns.id, columns.case_id, columns.status, columns.version, columns.content_sha256)
        .where(columns.source_id == source_id, columns.case_id.in_(case_ids))
        .order_by(columns.id)
        .with_for_update()
    )


def _add_extras(connection: Connection, cases: Mapping[int, KnownCase]) -> None:
    """Extras that were not asked for this time are still what we know."""
    versions = docket_case_versions.c
    question = select(
        versions.docket_case_id, versions.version, versions.parties, versions.related_cases
    ).where(versions.docket_case_id.in_(list(cases)))
    for row in connection.execute(question):
        known = cases[row.docket_case_id]
        if row.version == known.version:
            known.parties, known.related_cases = row.parties, row.related_cases


def _add_entries(connection: Connection, cases: Mapping[int, KnownCase]) -> None:
    entries = docket_entries.c
    question = (
        select(
            entries.docket_case_id,
            entries.entry_id,
            entries.version,
            entries.content_sha256,
            entries.is_removed,
        )
        .where(entries.docket_case_id.in_(list(cases)))
        .order_by(entries.version)
    )
    for case_row, entry_id, *rest in connection.execute(question):
        cases[case_row].entries[entry_id] = KnownEntry(*rest)
