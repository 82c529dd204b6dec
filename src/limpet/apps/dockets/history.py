"""The past of a docket: every change is a new version, of the case and of each entry that changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from limpet.apps.dockets.case_rows import Change
from limpet.apps.dockets.docket import DocketEntry, fingerprint
from limpet.apps.dockets.known_rows import KnownEntry
from limpet.record.bulk import BulkInsert, Row, moment_writer
from limpet.record.database import json_text
from limpet.record.storable import storable, storable_or_none

Moment = Callable[[datetime], Any]

_VERSIONS = BulkInsert(
    "docket_case_versions",
    (
        "docket_case_id",
        "version",
        "style_of_cause",
        "case_type",
        "type_of_action",
        "nature_of_proceeding",
        "filing_date",
        "office",
        "language",
        "entry_count",
        "parties",
        "related_cases",
        "details",
        "url",
        "content_sha256",
        "job_id",
        "adapter_version",
        "recorded_at",
    ),
    skip_known=True,
)
_ENTRIES = BulkInsert(
    "docket_entries",
    (
        "docket_case_id",
        "entry_id",
        "version",
        "case_version",
        "date_filed",
        "office",
        "summary",
        "is_published",
        "is_removed",
        "details",
        "content_sha256",
        "recorded_at",
    ),
    skip_known=True,
)
_GONE = DocketEntry(entry_id=0, date_filed=None, office=None, summary="")


def put_versions(connection: Connection, changes: Sequence[Change]) -> None:
    """Append what is new; nothing that was recorded is touched."""
    moment = moment_writer(connection)
    _VERSIONS.run(connection, [_version_row(change, moment) for change in changes])
    _ENTRIES.run(connection, [row for change in changes for row in _entry_rows(change, moment)])


def _version_row(change: Change, moment: Moment) -> Row:
    docket = change.docket
    return (
        change.case_row,
        change.version,
        storable_or_none(docket.style_of_cause),
        storable_or_none(docket.case_type),
        storable_or_none(docket.type_of_action),
        storable_or_none(docket.nature_of_proceeding),
        docket.filing_date,
        storable_or_none(docket.office),
        storable_or_none(docket.language),
        len(docket.entries),
        _json(change.extras["parties"]),
        _json(change.extras["related_cases"]),
        _json(dict(docket.details)),
        docket.url,
        change.content_sha256,
        change.settlement.lease.job_id,
        docket.adapter_version,
        moment(change.settlement.settled_at),
    )


def _entry_rows(change: Change, moment: Moment) -> Iterator[Row]:
    before = change.before.entries if change.before else {}
    stated = {entry.entry_id: entry for entry in change.docket.entries}
    for entry_id, entry in stated.items():
        held, sha256 = before.get(entry_id), fingerprint(entry.content())
        if held is None or held.is_removed or held.content_sha256 != sha256:
            yield _entry_row(change, entry_id, entry, held=held, moment=moment)
    for entry_id, held in before.items():
        if entry_id not in stated and not held.is_removed:
            yield _entry_row(change, entry_id, _GONE, held=held, moment=moment)


def _entry_row(
    change: Change, entry_id: int, entry: DocketEntry, *, held: KnownEntry | None, moment: Moment
) -> Row:
    return (
        change.case_row,
        entry_id,
        (held.version if held else 0) + 1,
        change.version,
        entry.date_filed,
        storable_or_none(entry.office),
        storable(entry.summary),
        entry.is_published,
        entry is _GONE,
        _json(dict(entry.details)),
        fingerprint(entry.content()),
        moment(change.settlement.settled_at),
    )


def _json(value: Any) -> str | None:
    return None if value is None else json_text(_plain(value))


def _plain(value: Any) -> Any:
    """Return the value with every text in it fit for SQL."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {storable(str(name)): _plain(held) for name, held in value.items()}
    return [_plain(held) for held in value] if isinstance(value, (list, tuple)) else value
