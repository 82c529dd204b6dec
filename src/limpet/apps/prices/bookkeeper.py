"""The price monitor's pen: writes a whole group of settlements with one statement per table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, select

from limpet.apps.prices.offer import Offer
from limpet.apps.prices.tables import prices, quarantined_records
from limpet.extract import fields_of
from limpet.record.bulk import BulkInsert, Row, moment_writer
from limpet.record.database import json_text
from limpet.record.entry import Settlement
from limpet.record.storable import storable, storable_or_none
from limpet.record.tables import jobs, runs
from limpet.target import JobState, Outcome

INGESTION_RUN_TYPE = "SCRAPE"
_TAKEN = ("accepted", "corrected")  # out of quarantine, by a person
_ATTRIBUTES = (
    "caliber",
    "grain_weight",
    "round_count",
    "case_material",
    "bullet_type",
    "load_type",
    "shell_length",
    "tax_included",
)
_MUTABLE = ("url", "title", "brand", "retailer_sku", "retailer_product_id", "upc", "image_url", "attributes")

_PRODUCTS = BulkInsert(
    "source_products",
    ("source_id", "identity_key", *_MUTABLE, "created_at", "updated_at"),
    on_conflict="ON CONFLICT (source_id, identity_key) DO UPDATE SET "
    + ", ".join(f"{column} = excluded.{column}" for column in (*_MUTABLE, "updated_at")),
)
# A page of the past says what a product was called then: it makes one known, and renames none.
_UNKNOWN_PRODUCTS = BulkInsert(
    "source_products",
    ("source_id", "identity_key", *_MUTABLE, "created_at", "updated_at"),
    skip_known=True,
)
_IDENTIFIERS = BulkInsert(
    "source_product_identifiers",
    ("source_id", "identity_key", "id_type", "id_value", "created_at"),
    skip_known=True,
)
_PRICES = BulkInsert(
    "prices",
    (
        "job_id",
        "ingestion_run_type",
        "ingestion_run_id",
        "source_id",
        "identity_key",
        "price_cents",
        "currency",
        "availability",
        "in_stock",
        "shipping_cents",
        "tiers",
        "observed_at",
        "adapter_version",
        "rereads",
    ),
    skip_known=True,
)
_QUARANTINE = BulkInsert(
    "quarantined_records",
    ("job_id", "source_id", "identity_key", "reason", "details", "record", "url", "status", "created_at"),
    skip_known=True,
)


class PriceBookkeeper:
    """Products are updated in place, prices appended, doubtful records set aside."""

    app = "prices"

    def write(self, connection: Connection, settled: Sequence[Settlement]) -> None:
        """Write the facts of these settlements; unique keys make saying it twice harmless."""
        self._write(connection, settled, products=_PRODUCTS, origins={})

    def write_again(
        self, connection: Connection, settled: Sequence[Settlement], *, origins: Mapping[int, int]
    ) -> None:
        """Write what pages of the past say when they are read again; `origins` names the job that brought each."""
        self._write(connection, settled, products=_UNKNOWN_PRODUCTS, origins=origins)

    @staticmethod
    def _write(
        connection: Connection,
        settled: Sequence[Settlement],
        *,
        products: BulkInsert,
        origins: Mapping[int, int],
    ) -> None:
        moment = moment_writer(connection)
        accepted = [each for each in settled if each.outcome is Outcome.SUCCEEDED]
        # By key: the same product twice in one group is one row, and the later page wins.
        named = {(s.record.source_id, s.record.identity_key): _product_row(s, moment) for s in accepted}
        products.run(connection, list(named.values()))
        _IDENTIFIERS.run(connection, [row for each in accepted for row in _identifier_rows(each, moment)])
        _PRICES.run(
            connection, [(*_price_row(each, moment), origins.get(each.lease.job_id)) for each in accepted]
        )
        _QUARANTINE.run(
            connection,
            [_quarantine_row(each, moment) for each in settled if each.outcome is Outcome.QUARANTINED],
        )

    def identities(
        self, connection: Connection, run_id: int, *, lane: str | None = None
    ) -> Iterable[tuple[str, int]]:
        """Yield the identity of every offer this run has accepted so far, with its job."""
        question = select(prices.c.source_id, prices.c.identity_key, prices.c.job_id)
        if lane is None:
            question = question.where(prices.c.ingestion_run_id == run_id)
        else:  # by the lane's jobs: a run over very many lanes is not read once for each of them
            its_jobs = jobs.c.run_id == run_id, jobs.c.lane == lane
            question = question.join(jobs, jobs.c.id == prices.c.job_id).where(*its_jobs)
        rows = connection.execute(question)
        return [(f"{source_id} {identity_key}", job_id) for source_id, identity_key, job_id in rows]

    def check(self, connection: Connection) -> Iterable[tuple[str, str]]:
        """Yield what must not be: a success without its price, or a price neither a success nor a person stands for."""
        priceless = (
            select(jobs.c.id)
            .join(runs, runs.c.id == jobs.c.run_id)
            .outerjoin(prices, prices.c.job_id == jobs.c.id)
            .where(
                runs.c.app == self.app,
                runs.c.dry_run.is_(False),
                jobs.c.state == JobState.SUCCEEDED.value,
                prices.c.id.is_(None),
            )
        )
        for (job_id,) in connection.execute(priceless):
            yield f"job {job_id}", "it succeeded, but no price was recorded"
        unearned = (
            select(prices.c.id, prices.c.job_id)
            .join(jobs, jobs.c.id == prices.c.job_id)
            .outerjoin(quarantined_records, quarantined_records.c.job_id == jobs.c.id)
            .where(
                jobs.c.state != JobState.SUCCEEDED.value,
                func.coalesce(quarantined_records.c.status, "").not_in(_TAKEN),
            )
        )
        for price_id, job_id in connection.execute(unearned):
            yield f"price {price_id}", f"its job {job_id} did not succeed"


def _product_row(settlement: Settlement, moment: Callable[[datetime], Any]) -> Row:
    offer: Offer = settlement.record
    at = moment(settlement.settled_at)
    attributes = {name: value for name in _ATTRIBUTES if (value := getattr(offer, name)) is not None}
    return (
        offer.source_id,
        storable(offer.identity_key),
        offer.url,
        storable(offer.title),
        storable_or_none(offer.brand),
        storable_or_none(offer.retailer_sku),
        storable_or_none(offer.retailer_product_id),
        storable_or_none(offer.upc),
        storable_or_none(offer.image_url),
        json_text(attributes) if attributes else None,
        at,
        at,
    )


def _identifier_rows(settlement: Settlement, moment: Callable[[datetime], Any]) -> list[Row]:
    offer: Offer = settlement.record
    at = moment(settlement.settled_at)
    named = (("UPC", offer.upc), ("SKU", offer.retailer_sku), ("PID", offer.retailer_product_id))
    key = storable(offer.identity_key)
    return [(offer.source_id, key, kind, storable(value), at) for kind, value in named if value]


def _price_row(settlement: Settlement, moment: Callable[[datetime], Any]) -> Row:
    offer: Offer = settlement.record
    return (
        settlement.lease.job_id,
        INGESTION_RUN_TYPE,
        settlement.lease.run_id,
        offer.source_id,
        storable(offer.identity_key),
        offer.price_cents,
        offer.currency,
        offer.availability.value,
        offer.is_in_stock,
        offer.shipping_cents,
        _tiers(offer),
        moment(offer.observed_at),
        offer.adapter_version,
    )


def _tiers(offer: Offer) -> str | None:
    if not offer.tiers:
        return None
    return json_text(
        [{"min_quantity": tier.min_quantity, "price_cents": tier.price_cents} for tier in offer.tiers]
    )


def _quarantine_row(settlement: Settlement, moment: Callable[[datetime], Any]) -> Row:
    offer: Offer | None = settlement.record
    target = settlement.lease.target
    return (
        settlement.lease.job_id,
        target.source_id,
        storable(offer.identity_key) if offer else None,
        settlement.reason or "validation_failed",
        storable(settlement.details) or None,
        json_text(fields_of(offer)) if offer else None,
        target.address,
        "open",
        moment(settlement.settled_at),
    )
