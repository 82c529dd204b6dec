"""What a mended reading should say about the bad page: confirmed by a second reader, never guessed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from limpet.extract import Extraction, Missing, Unreadable, fields_of
from limpet.extract.parse.stock import Availability
from limpet.extract.pinpoint import wanted
from limpet.extract.structured.paths import leaves_of
from limpet.observe.repair.looking import OpenPage

Reading = Extraction[Any] | Unreadable
_CONFIRMED = ("title", "price_cents", "currency", "availability", "retailer_sku")
_NOT_OF_THE_PAGE = ("source_id", "observed_at", "adapter_version", "identity_key", "url")
_SHORTEST = 3
_NO_TEST = (Missing.EMPTY_PAGE, Missing.GONE)
# Then no selector would help: the page says something else than "here is a product".
_SAID_INSTEAD = {
    Missing.OOS_NO_PRICE: "The product is sold out and its page shows no price: the shop's habit, not a drift.",
    Missing.BLOCKED_PAGE: "The bad page blocks us: no selector will help; slow down or ask the site.",
    Missing.LISTING_PAGE: "The bad page is a list of products: the product is probably gone.",
    Missing.EMPTY_PAGE: "The bad page shows no text: it may need a browser now.",
    Missing.GONE: "The bad page says that the product is gone.",
}


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the failing test asks for, or None; the sentences say what is certain and what is not."""

    expected: Mapping[str, Any] | None
    remarks: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


def expectation(
    good: Reading | None, bad: Reading, general: Reading | None, page: OpenPage | None
) -> Expectation:
    """Return what the bad page should be read as."""
    if isinstance(general, Unreadable):
        return _of_no_product(bad, general)
    before = record_of(good) if good is not None else {}
    if general is not None:
        return _of_general(before, _sayings(general.record) | _unsaid(bad), page)
    kept = {name: value for name, value in before.items() if _stands_on(page, name, value, raw=good)}
    missing = sorted(set(before) - set(kept))
    doubts = (f"Not found on the bad page, and left out: {', '.join(missing)}.",) if missing else ()
    return Expectation({"outcome": "extraction", "record": kept} if kept else None, (), doubts)


def record_of(reading: Reading) -> dict[str, Any]:
    """Return the record's plain values as a fixture writes them; nothing when there is no record."""
    if isinstance(reading, Unreadable):
        return {}
    plain: dict[str, Any] = json.loads(json.dumps(fields_of(reading.record), default=str))
    return {
        name: value
        for name, value in plain.items()
        if name not in _NOT_OF_THE_PAGE and isinstance(value, (str, int)) and value != ""
    }


def _sayings(record: Any) -> dict[str, Any]:
    return {name: getattr(record, name, None) for name in _CONFIRMED}


def _unsaid(bad: Reading) -> dict[str, Any]:
    """Leave out what the site itself read and found unsaid: a button that may be pressed is no word about stock."""
    is_unsaid = (
        isinstance(bad, Extraction) and getattr(bad.record, "availability", None) is Availability.UNKNOWN
    )
    return {"availability": Availability.UNKNOWN} if is_unsaid else {}


def _of_no_product(bad: Reading, general: Unreadable) -> Expectation:
    said = _SAID_INSTEAD.get(general.reason)
    if said is None:
        doubt = (
            f"The general rules cannot read the bad page either: {general.reason.value}: {general.details}."
        )
        return Expectation(None, (), (doubt,))
    if isinstance(bad, Unreadable) and bad.reason is general.reason:
        return Expectation(None, (said, "The site reads it so already: there is nothing to mend."))
    is_certain = general.reason not in _NO_TEST
    return Expectation(
        {"outcome": "unreadable", "reason": general.reason.value} if is_certain else None, (said,)
    )


def _of_general(before: Mapping[str, Any], now: Mapping[str, Any], page: OpenPage | None) -> Expectation:
    record, remarks, doubts = {}, [], []
    for name in _CONFIRMED:
        was, seen = before.get(name), now.get(name)
        seen = seen.value if isinstance(seen, Availability) else seen
        if seen == Availability.UNKNOWN.value or seen in (None, ""):
            if was is not None and name != "availability" and _stands_on(page, name, was):
                record[name] = was
            elif was is not None:
                doubts.append(
                    f"{name}: was {was!r}; nothing on the bad page says it for certain, so it is left out."
                )
        elif was == seen or was is None:
            record[name] = seen
        elif name in ("title", "retailer_sku") and _stands_on(page, name, was):
            record[name] = was
        else:
            record[name] = seen
            doubts.append(
                f"{name}: was {was!r}, the general rules read {seen!r} now; look whether that is so."
            )
    if before.get("availability") == "in_stock" and record.get("availability") == "out_of_stock":
        remarks.append("The product was in stock on the good page and is sold out on the bad one.")
    return Expectation(
        {"outcome": "extraction", "record": record} if record else None, tuple(remarks), tuple(doubts)
    )


def _stands_on(page: OpenPage | None, name: str, value: Any, *, raw: Reading | None = None) -> bool:
    """Whether the page still says this value, to people or to machines."""
    if page is None or (isinstance(value, str) and len(value) < _SHORTEST) or isinstance(value, bool):
        return False
    sought = wanted(name, Availability(value) if name == "availability" else value)
    if any(sought.is_it(spot.words or "") for spot in page.layout.spots):
        return True
    stated = (*page.material.stated, page.material.answer)
    return any(
        sought.is_it(str(leaf))
        for each in stated
        for _, leaf in leaves_of(each)
        if isinstance(leaf, (str, int, float))
    )
