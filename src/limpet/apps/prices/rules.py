"""The rules an offer must pass, in the order they are asked. Each answers only when it objects."""

from __future__ import annotations

from limpet.apps.prices.offer import MOST_CENTS, Offer
from limpet.apps.prices.reasons import DropReason, QuarantineReason
from limpet.errors import BadAddress
from limpet.extract.parse.stock import Availability
from limpet.target.address import canonicalize
from limpet.validate import Circumstances, Dropped, Quarantined, Rule


def has_required_fields(offer: Offer, _: Circumstances) -> Dropped | None:
    """Title, currency, address and identity are what makes an offer findable again."""
    for name in ("title", "currency", "url", "identity_key", "adapter_version"):
        if not str(getattr(offer, name) or "").strip():
            return Dropped(DropReason.MISSING_REQUIRED_FIELD, offer, f"{name} is empty")
    return None


def has_known_availability(offer: Offer, _: Circumstances) -> Dropped | None:
    """A page that does not say whether it sells is not believed about the price either."""
    if offer.availability is Availability.UNKNOWN:
        return Dropped(DropReason.UNKNOWN_AVAILABILITY, offer, "no explicit stock signal on the page")
    return None


def has_no_zero_price(offer: Offer, _: Circumstances) -> Quarantined | None:
    """A price of nothing is a broken template or a hidden price: a person should look."""
    if offer.price_cents == 0:
        return Quarantined(QuarantineReason.ZERO_PRICE_EXTRACTED, offer, "the page states a price of zero")
    return None


def has_sane_price(offer: Offer, _: Circumstances) -> Dropped | None:
    """Whole cents from 1 to 99,999,999."""
    cents = offer.price_cents
    if type(cents) is not int or not 1 <= cents <= MOST_CENTS:
        return Dropped(DropReason.INVALID_PRICE, offer, f"{cents!r} is not between 1 and {MOST_CENTS} cents")
    return None


def has_valid_url(offer: Offer, circumstances: Circumstances) -> Dropped | None:
    """The stored address must be canonical, or the same product would be found twice."""
    # The target's own address was canonical when it was added; only another one needs to be looked at.
    if offer.url == circumstances.target.address:
        return None
    try:
        canonicalize(offer.url, http_only=circumstances.source.http_only)
    except BadAddress as exc:
        return Dropped(DropReason.INVALID_URL, offer, str(exc))
    return None


def is_first_in_run(offer: Offer, circumstances: Circumstances) -> Dropped | None:
    """Two addresses of one product give one observation per run."""
    if not circumstances.first_in_run(f"{offer.source_id} {offer.identity_key}"):
        return Dropped(
            DropReason.DUPLICATE_WITHIN_RUN, offer, f"{offer.identity_key} was already seen in this run"
        )
    return None


RULES: tuple[Rule, ...] = (
    has_required_fields,
    has_known_availability,
    has_no_zero_price,
    has_sane_price,
    has_valid_url,
    is_first_in_run,
)
