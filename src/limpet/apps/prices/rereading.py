"""What the price monitor has on record of a page, and how a newer reading of it is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, func, or_, select, update

from limpet.apps.prices.bookkeeper import PriceBookkeeper
from limpet.apps.prices.market_tables import ignored_runs
from limpet.apps.prices.offer import Offer
from limpet.apps.prices.tables import prices, quarantined_records
from limpet.apps.prices.versions import is_superseded
from limpet.engine.comparing import Reading, Reread, Standing
from limpet.record.entry import Lease, Settlement
from limpet.record.recorded_pages import RecordedPage
from limpet.record.storable import storable
from limpet.record.tables import jobs
from limpet.target import Outcome

_BY_A_PERSON = ("accepted", "corrected", "rejected")
# Said once: to put it together for every page would cost more than to read the page.
_ANOTHER = (
    select(prices.c.id)
    .where(
        prices.c.source_id == bindparam("source"),
        prices.c.identity_key == bindparam("key"),
        prices.c.ingestion_run_id == bindparam("run"),
        func.coalesce(prices.c.rereads, prices.c.job_id) != bindparam("job"),
        ~is_superseded(prices),
    )
    .limit(1)
)


class _Version(NamedTuple):
    """One reading of a page."""

    job_id: int
    run_id: int
    state: str
    reason: str | None
    details: str | None
    site_version: str | None


class PriceRereading:
    """Compares by what a price row holds; a product's title and make belong to its newest page alone."""

    def standing(self, connection: Connection, pages: Sequence[RecordedPage]) -> Mapping[int, Standing]:
        """Return what is in force of each page: its newest reading whose run nobody ignores."""
        versions = _versions(connection, [page.job_id for page in pages])
        ignored = _ignored(connection, {each.run_id for found in versions.values() for each in found[1:]})
        in_force = {
            origin: next(each for each in reversed(found) if each is found[0] or each.run_id not in ignored)
            for origin, found in versions.items()
        }
        ids = [each.job_id for each in in_force.values()]
        facts, decided = facts_by_job(connection, ids), _decided(connection, ids)
        return {
            origin: _standing(versions[origin][-1], each, facts.get(each.job_id), each.job_id in decided)
            for origin, each in in_force.items()
        }

    def facts(self, record: Any) -> Mapping[str, Any]:
        """Return what would stand in its price row."""
        offer: Offer = record
        tiers = [{"min_quantity": tier.min_quantity, "price_cents": tier.price_cents} for tier in offer.tiers]
        return {
            "price_cents": offer.price_cents,
            "currency": offer.currency,
            "availability": offer.availability.value,
            "shipping_cents": offer.shipping_cents,
            "tiers": tiers or None,
            "identity_key": storable(offer.identity_key),
        }

    def is_first(self, connection: Connection, page: RecordedPage, identity: str) -> bool:
        """Whether no other page of its run stands for this product."""
        source_id, _, key = identity.partition(" ")
        asked = {"source": source_id, "key": storable(key), "run": page.run_id, "job": page.job_id}
        return connection.execute(_ANOTHER, asked).first() is None


def rewrite(connection: Connection, made: Mapping[int, Reread], *, now: datetime) -> None:
    """Append the prices of these readings under the dates of their pages; what they replace stays, and is not shown."""
    settled = [_settlement(job_id, each, now) for job_id, each in made.items()]
    origins = {job_id: each.page.job_id for job_id, each in made.items()}
    PriceBookkeeper().write_again(connection, settled, origins=origins)
    _close_quarantined(connection, origins)


def _settlement(job_id: int, each: Reread, now: datetime) -> Settlement:
    # Under the run that saw the page: whatever lies over that run lies over its newer reading too.
    lease = Lease(job_id=job_id, run_id=each.page.run_id, target=each.page.target, fence=0, attempt=0)
    after = each.after
    return Settlement(lease, after.outcome, now, after.reason, after.details, each.record)


def _close_quarantined(connection: Connection, origins: Mapping[int, int]) -> None:
    """What waited for a person is read by now; the question is closed, not answered."""
    earlier = select(jobs.c.id).where(
        or_(jobs.c.id.in_(origins.values()), jobs.c.rereads.in_(origins.values())),
        jobs.c.id.not_in(origins),
    )
    still_open = quarantined_records.c.status == "open", quarantined_records.c.job_id.in_(earlier)
    connection.execute(update(quarantined_records).where(*still_open).values(status="superseded"))


def _versions(connection: Connection, origins: Sequence[int]) -> dict[int, list[_Version]]:
    """Return every reading of these pages, oldest first; the first is the visit itself."""
    columns = [jobs.c.id, jobs.c.run_id, jobs.c.state, jobs.c.reason, jobs.c.details, jobs.c.site_version]
    first = select(*columns, jobs.c.id.label("origin")).where(jobs.c.id.in_(origins))
    again = select(*columns, jobs.c.rereads.label("origin")).where(jobs.c.rereads.in_(origins))
    found: dict[int, list[_Version]] = {}
    for question in (first, again.order_by(jobs.c.id)):
        for *values, origin in connection.execute(question):
            found.setdefault(origin, []).append(_Version(*values))
    return found


def _ignored(connection: Connection, run_ids: Iterable[int]) -> set[int]:
    question = select(ignored_runs.c.run_id).where(
        ignored_runs.c.run_id.in_(list(run_ids)), ignored_runs.c.revoked_at.is_(None)
    )
    return set(connection.execute(question).scalars())


def facts_by_job(
    connection: Connection, job_ids: Sequence[int]
) -> dict[int, tuple[datetime, dict[str, Any]]]:
    """Return when each job's price was observed, and what its row holds; a job without a price is not named."""
    names = ("price_cents", "currency", "availability", "shipping_cents", "tiers", "identity_key")
    columns = [prices.c[name] for name in names]
    question = select(prices.c.job_id, prices.c.observed_at, *columns).where(prices.c.job_id.in_(job_ids))
    return {
        job_id: (observed_at, dict(zip(names, values, strict=True)))
        for job_id, observed_at, *values in connection.execute(question)
    }


def _decided(connection: Connection, job_ids: Sequence[int]) -> set[int]:
    question = select(quarantined_records.c.job_id).where(
        quarantined_records.c.job_id.in_(job_ids), quarantined_records.c.status.in_(_BY_A_PERSON)
    )
    return set(connection.execute(question).scalars())


def _standing(
    newest: _Version, each: _Version, known: tuple[datetime, dict[str, Any]] | None, is_decided: bool
) -> Standing:
    observed_at, facts = known or (None, None)
    reading = Reading(Outcome(each.state), each.reason, facts, each.details or "")
    taken_back = newest.site_version if newest.job_id != each.job_id else None
    return Standing(reading, newest.job_id, observed_at, is_decided, taken_back)
