"""Quarantine: what was set aside, and what a person makes of it. A decision is made once and audited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from msgspec.structs import replace
from sqlalchemy import Connection, Row, Select, func, select, update

from limpet.apps.prices.bookkeeper import PriceBookkeeper
from limpet.apps.prices.offer import Offer, Tier
from limpet.apps.prices.rules import RULES, is_first_in_run
from limpet.apps.prices.tables import prices, quarantined_records
from limpet.errors import NotThere, UsageError
from limpet.extract.parse.stock import Availability
from limpet.record.entry import Lease, Settlement
from limpet.record.logbook import audit
from limpet.record.tables import jobs, targets
from limpet.source import Source
from limpet.target import Outcome, Target
from limpet.target.identity import identity_key
from limpet.validate import Circumstances

Decision = Literal["accepted", "corrected", "rejected"]
# Superseded: its page was read again, and said what was in doubt.
STATUSES = ("open", "accepted", "corrected", "rejected", "superseded")
REVIEWED = "+reviewed"  # of an adapter version: a person had a hand in this price
_TIMELESS = tuple(rule for rule in RULES if rule is not is_first_in_run)  # the run is long over


@dataclass(frozen=True, slots=True)
class Quarantined:
    """One record that waits for a person, or what became of it."""

    id: int
    job_id: int
    run_id: int
    source_id: str
    identity_key: str | None
    reason: str
    details: str | None
    record: Mapping[str, Any] | None  # none when nothing could be read that is worth a record
    url: str
    status: str
    created_at: datetime
    site_id: str | None
    site_version: str | None

    @property
    def title(self) -> str:
        """What the page calls it, or its address."""
        return str((self.record or {}).get("title") or self.url)


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person says the page means; what is left out stays as it was read."""

    price_cents: int | None = None
    availability: Availability | None = None
    title: str | None = None
    currency: str | None = None


def list_quarantined(
    connection: Connection,
    *,
    status: str = "open",
    source_id: str | None = None,
    after: int = 0,
    limit: int = 50,
) -> list[Quarantined]:
    """Return a page of records, newest first; `after` is the id it goes on below."""
    question = _records().where(quarantined_records.c.status == status)
    if source_id is not None:
        question = question.where(quarantined_records.c.source_id == source_id)
    if after:
        question = question.where(quarantined_records.c.id < after)
    rows = connection.execute(question.order_by(quarantined_records.c.id.desc()).limit(limit))
    return [_quarantined(row) for row in rows]


def count_quarantined(connection: Connection) -> dict[str, int]:
    """Return how many records there are, by status."""
    question = select(quarantined_records.c.status, func.count()).group_by(quarantined_records.c.status)
    return {row[0]: row[1] for row in connection.execute(question)}


def find_quarantined(connection: Connection, record_id: int) -> Quarantined:
    """Return one record, or raise NotThere."""
    row = connection.execute(_records().where(quarantined_records.c.id == record_id)).one_or_none()
    if row is None:
        raise NotThere(
            f"There is no quarantined record {record_id}.", fix="`limpet quarantine list` shows them."
        )
    return _quarantined(row)


def reject(connection: Connection, record_id: int, *, by: str, reason: str, now: datetime) -> None:
    """Leave it out for good; the evidence stays."""
    found = _still_open(connection, record_id)
    _decide(connection, found, "rejected", by=by, reason=reason, now=now, details={})


def accept(
    connection: Connection, record_id: int, source: Source, *, by: str, reason: str, now: datetime
) -> Offer:
    """Believe it as it was read and write it as the price that job observed; a rule may still object."""
    return _write(connection, record_id, source, None, by=by, reason=reason, now=now)


def correct(
    connection: Connection,
    record_id: int,
    source: Source,
    correction: Correction,
    *,
    by: str,
    reason: str,
    now: datetime,
) -> Offer:
    """Write what the page means instead of what was read; it is marked as reviewed."""
    return _write(connection, record_id, source, correction, by=by, reason=reason, now=now)


def preview(
    found: Quarantined, target: Target, source: Source, correction: Correction | None, *, now: datetime
) -> Offer:
    """Return the offer a decision would write, or raise UsageError with the rule that objects."""
    offer = _offer(found, target, source, correction)
    circumstances = Circumstances(source=source, target=target, now=now, first_in_run=lambda _: True)
    for rule in _TIMELESS:
        objection = rule(offer, circumstances)
        if objection is not None:
            raise UsageError(
                f"It cannot be taken like this: {objection.reason}, {objection.details}.",
                fix="Correct what is wrong with it, or reject it.",
            )
    return offer


def _write(
    connection: Connection,
    record_id: int,
    source: Source,
    correction: Correction | None,
    *,
    by: str,
    reason: str,
    now: datetime,
) -> Offer:
    found = _still_open(connection, record_id)
    target = target_of_job(connection, found.job_id)
    offer = preview(found, target, source, correction, now=now)
    _write_price(connection, found, target, offer, now=now)
    details = {"identity_key": offer.identity_key, "price_cents": offer.price_cents}
    details |= {"availability": offer.availability.value, "read": dict(found.record or {})}
    decision: Decision = "accepted" if correction is None else "corrected"
    _decide(connection, found, decision, by=by, reason=reason, now=now, details=details)
    return offer


def _write_price(
    connection: Connection, found: Quarantined, target: Target, offer: Offer, *, now: datetime
) -> None:
    """Write it as the price its job observed, or as the newer reading it is of what another job observed."""
    origin = _observed_by_another(connection, found.job_id)
    run_id = found.run_id if origin is None else origin.run_id
    lease = Lease(job_id=found.job_id, run_id=run_id, target=target, fence=0, attempt=0)
    if origin is None:
        PriceBookkeeper().write(connection, [Settlement(lease, Outcome.SUCCEEDED, now, record=offer)])
        return
    # Nothing was read that says when: the page is as old as the visit that brought it.
    dated = offer if found.record else replace(offer, observed_at=origin.observed_at or origin.ended_at)
    settled = [Settlement(lease, Outcome.SUCCEEDED, now, record=dated)]
    PriceBookkeeper().write_again(connection, settled, origins={found.job_id: origin.id})


def _observed_by_another(connection: Connection, job_id: int) -> Row[Any] | None:
    """Return the job that brought the page this one read again, and when a price of it was observed."""
    seen = jobs.alias("seen")
    columns: list[Any] = [seen.c.id, seen.c.run_id, seen.c.ended_at, prices.c.observed_at]
    question = (
        select(*columns)
        .join_from(jobs, seen, seen.c.id == jobs.c.rereads)
        .outerjoin(prices, prices.c.job_id == seen.c.id)
        .where(jobs.c.id == job_id)
    )
    return connection.execute(question.limit(1)).one_or_none()


def target_of_job(connection: Connection, job_id: int) -> Target:
    """Return the target a job was about."""
    question = (
        select(targets.c.id, targets.c.source_id, targets.c.canonical_url, targets.c.url, targets.c.lane)
        .join(jobs, jobs.c.target_id == targets.c.id)
        .where(jobs.c.id == job_id)
    )
    row = connection.execute(question).one()
    return Target(row.source_id, row.canonical_url, row.url, row.lane, id=row.id)


def _offer(found: Quarantined, target: Target, source: Source, correction: Correction | None) -> Offer:
    read = _read_offer(found) if found.record else _bare_offer(found, target, source)
    if correction is None:
        if not found.record:
            raise UsageError(
                "Nothing was read that could be accepted.", fix="Correct it: price, stock and title."
            )
        return read
    said = {name: getattr(correction, name) for name in Correction.__slots__}
    changed = {name: value for name, value in said.items() if value is not None}
    version = read.adapter_version.removesuffix(REVIEWED) + REVIEWED
    return replace(read, **changed, adapter_version=version)


def _read_offer(found: Quarantined) -> Offer:
    fields = dict(found.record or {})
    fields["availability"] = Availability(fields["availability"])
    fields["observed_at"] = datetime.fromisoformat(str(fields["observed_at"]))
    fields["tiers"] = tuple(Tier(**tier) for tier in fields.get("tiers") or ())
    return Offer(**{name: value for name, value in fields.items() if name in Offer.__struct_fields__})


def _bare_offer(found: Quarantined, target: Target, source: Source) -> Offer:
    """Return what is known of a page that was not read: where and when, but neither name nor price."""
    return Offer(
        source_id=found.source_id,
        url=target.address,
        title="",
        price_cents=-1,
        currency="",
        availability=Availability.UNKNOWN,
        observed_at=found.created_at,
        identity_key=found.identity_key or identity_key(url=target.address, http_only=source.http_only),
        adapter_version=found.site_version or "",
    )


def _still_open(connection: Connection, record_id: int) -> Quarantined:
    found = find_quarantined(connection, record_id)
    if found.status != "open":
        raise UsageError(f"Record {record_id} was {found.status} already.", fix="A decision is made once.")
    return found


def _decide(
    connection: Connection,
    found: Quarantined,
    decision: Decision,
    *,
    by: str,
    reason: str,
    now: datetime,
    details: Mapping[str, Any],
) -> None:
    if not reason.strip():
        raise UsageError("A decision needs a reason.", fix="Say in a few words what you saw.")
    still_open = quarantined_records.c.id == found.id, quarantined_records.c.status == "open"
    done = connection.execute(update(quarantined_records).where(*still_open).values(status=decision))
    if not done.rowcount:
        raise UsageError(f"Somebody else decided about record {found.id} just now.", fix="Look at it again.")
    audit(
        connection,
        by,
        f"quarantine_{decision}",
        subject=f"quarantined record {found.id}",
        now=now,
        reason=reason.strip(),
        details=dict(details) | {"job_id": found.job_id},
    )


def _records() -> Select[Any]:
    columns: Sequence[Any] = [quarantined_records.c[column.name] for column in quarantined_records.columns]
    return select(*columns, jobs.c.run_id, jobs.c.site_id, jobs.c.site_version).join(
        jobs, jobs.c.id == quarantined_records.c.job_id
    )


def _quarantined(row: Row[Any]) -> Quarantined:
    return Quarantined(**{name: getattr(row, name) for name in Quarantined.__slots__})
