"""One row per number: how it stands after what was just learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, select

from limpet.apps.dockets.addresses import case_at
from limpet.apps.dockets.docket import Docket, fingerprint
from limpet.apps.dockets.known_rows import Key, KnownCase, key_of
from limpet.apps.dockets.tables import docket_cases
from limpet.record.bulk import BulkInsert, Row, moment_writer
from limpet.record.entry import Settlement
from limpet.record.storable import storable
from limpet.target import Outcome

# What every row of a case begins with, whoever writes it.
STANDING = (
    *("source_id", "case_id", "prefix", "year", "number"),
    *("status", "attempts", "last_error", "version"),
)
_CASES = BulkInsert(
    "docket_cases",
    (
        *STANDING,
        "content_sha256",
        "last_job_id",
        "first_attempt_at",
        "last_attempt_at",
        "last_success_at",
        "vanished_at",
    ),
    on_conflict="ON CONFLICT (source_id, case_id) DO UPDATE SET "
    "status = excluded.status, attempts = docket_cases.attempts + excluded.attempts, "
    "last_error = excluded.last_error, version = excluded.version, "
    "content_sha256 = excluded.content_sha256, last_job_id = excluded.last_job_id, "
    "last_attempt_at = excluded.last_attempt_at, "
    "last_success_at = COALESCE(excluded.last_success_at, docket_cases.last_success_at), "
    "vanished_at = excluded.vanished_at",
)


@dataclass(frozen=True, slots=True)
class Change:
    """A case whose docket is not what we held: its next version."""

    settlement: Settlement
    docket: Docket
    case_row: int
    version: int
    content_sha256: str
    extras: Mapping[str, Any]  # parties and related cases, as known by now
    before: KnownCase | None


def put_cases(
    connection: Connection, settled: Sequence[Settlement], known: Mapping[Key, KnownCase]
) -> list[Change]:
    """Write how every number stands, and return those whose docket has changed."""
    moment = moment_writer(connection)
    _CASES.run(connection, [_row(each, known.get(key_of(each)), moment) for each in settled])
    changed = [each for each in settled if _is_news(each, known.get(key_of(each)))]
    rows = _row_ids(connection, changed)
    return [_change(each, known.get(key_of(each)), rows[key_of(each)]) for each in changed]


def extras_of(docket: Docket, before: KnownCase | None) -> dict[str, Any]:
    """Return parties and related cases: as stated now, else as they were known."""
    parties = before.parties if before else None
    related = before.related_cases if before else None
    if docket.parties is not None:
        parties = [asdict(party) for party in docket.parties]
    if docket.related_cases is not None:
        related = [asdict(case) for case in docket.related_cases]
    return {"parties": parties, "related_cases": related}


def _content_sha256(docket: Docket, before: KnownCase | None) -> str:
    return fingerprint(docket.content() | extras_of(docket, before))


def _is_news(settlement: Settlement, before: KnownCase | None) -> bool:
    if settlement.outcome is not Outcome.SUCCEEDED:
        return False
    return before is None or before.content_sha256 != _content_sha256(settlement.record, before)


def _change(settlement: Settlement, before: KnownCase | None, case_row: int) -> Change:
    docket: Docket = settlement.record
    return Change(
        settlement=settlement,
        docket=docket,
        case_row=case_row,
        version=(before.version if before else 0) + 1,
        content_sha256=_content_sha256(docket, before),
        extras=extras_of(docket, before),
        before=before,
    )


def _row(settlement: Settlement, before: KnownCase | None, moment: Any) -> Row:
    case, at = case_at(settlement.lease.target.address), moment(settlement.settled_at)
    assert case is not None
    has_succeeded = settlement.outcome is Outcome.SUCCEEDED
    is_gone = settlement.outcome is Outcome.NO_RECORD and before is not None and before.version > 0
    version, sha256 = (before.version, before.content_sha256) if before else (0, None)
    if _is_news(settlement, before):
        version, sha256 = version + 1, _content_sha256(settlement.record, before)
    return (
        settlement.lease.target.source_id,
        str(case),
        case.prefix,
        case.year,
        case.number,
        _status(settlement.outcome, before),
        max(1, len(settlement.attempts)),
        _error(settlement),
        version,
        sha256,
        settlement.lease.job_id,
        at,
        at,
        at if has_succeeded else None,
        at if is_gone else None,
    )


def _status(outcome: Outcome, before: KnownCase | None) -> str:
    """A failure says nothing about the case: what was known stays known."""
    if outcome in (Outcome.SUCCEEDED, Outcome.NO_RECORD):
        return outcome.value
    return before.status if before else Outcome.FAILED.value


def _error(settlement: Settlement) -> str | None:
    if settlement.outcome in (Outcome.SUCCEEDED, Outcome.NO_RECORD):
        return None
    return storable(f"{settlement.reason}: {settlement.details}")[:500]


def _row_ids(connection: Connection, settled: Sequence[Settlement]) -> dict[Key, int]:
    columns = docket_cases.c
    question = select(columns.id, columns.source_id, columns.case_id).where(
        columns.source_id.in_({key_of(each)[0] for each in settled}),
        columns.case_id.in_([key_of(each)[1] for each in settled]),
    )
    return {(row.source_id, row.case_id): row.id for row in connection.execute(question)}
