"""What the verb `quarantine` does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any

from sqlalchemy import Connection

from limpet.apps.prices import review
from limpet.apps.prices.offer import Offer
from limpet.apps.prices.review import Correction
from limpet.cli.in_ledger import ask, decide
from limpet.cli.listing import Row
from limpet.cli.opening import read_settings
from limpet.configuration import load_config
from limpet.errors import UnknownSource
from limpet.extract.parse.stock import Availability
from limpet.source import Source


def record_rows(status: str, limit: int) -> list[Row]:
    """Return quarantined records as rows."""
    found = ask(partial(review.list_quarantined, status=status, limit=limit))
    return [asdict(each) for each in found]


def accept_record(record_id: int, reason: str) -> str:
    """Accept it and say what was written."""
    return _told(decide(_with_source, verdict=partial(review.accept, reason=reason), record_id=record_id))


def correct_record(
    record_id: int,
    reason: str,
    price_cents: int | None,
    availability: str | None,
    *,
    title: str | None,
    currency: str | None,
) -> str:
    """Correct it and say what was written."""
    stock = Availability(availability) if availability else None
    said = Correction(price_cents, stock, title, currency.upper() if currency else None)
    correct = partial(review.correct, correction=said, reason=reason)
    return _told(decide(_with_source, verdict=correct, record_id=record_id))


def reject_record(record_id: int, reason: str) -> None:
    """Reject it."""
    decide(review.reject, record_id=record_id, reason=reason)


def _with_source(
    connection: Connection, *, verdict: Callable[..., Offer], record_id: int, **act: Any
) -> Offer:
    found = review.find_quarantined(connection, record_id)
    return verdict(connection, record_id=record_id, source=_source(found.source_id), **act)


def _source(source_id: str) -> Source:
    settings = read_settings()
    for each in load_config(settings.config).sources if settings.config else ():
        if each.source.id == source_id:
            return each.source
    raise UnknownSource(f"There is no source {source_id!r} in the config file.", fix="`limpet list sources`.")


def _told(offer: Offer) -> str:
    return f"{offer.identity_key} is written: {offer.price_cents} cents {offer.currency}, {offer.availability.value}."
