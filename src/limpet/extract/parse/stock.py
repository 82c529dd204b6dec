"""Stock text and schema.org words become an availability; what is unclear stays UNKNOWN."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache


class Availability(StrEnum):
    """Whether one can buy it now. UNKNOWN is never stored as fact."""

    IN_STOCK = "in_stock"
    OUT_OF_STOCK = "out_of_stock"
    BACKORDER = "backorder"
    UNKNOWN = "unknown"


_SCHEMA_ORG = {
    "instock": Availability.IN_STOCK,
    "instoreonly": Availability.UNKNOWN,  # somebody can buy it, but not through this page
    "onlineonly": Availability.IN_STOCK,
    "limitedavailability": Availability.IN_STOCK,
    "outofstock": Availability.OUT_OF_STOCK,
    "soldout": Availability.OUT_OF_STOCK,
    "discontinued": Availability.OUT_OF_STOCK,
    "reserved": Availability.OUT_OF_STOCK,
    "backorder": Availability.BACKORDER,
    "preorder": Availability.BACKORDER,
    "presale": Availability.BACKORDER,
    "madetoorder": Availability.BACKORDER,
}

# Asked in this order: what denies comes before what affirms, because "Unavailable" contains "available".
_DENIED = re.compile(
    r"\bout[\s-]*of[\s-]*stock\b|\bsold[\s-]*out\b|\bunavailab(?:le|ility)\b|\bdiscontinued\b"
    r"|\b(?:not|no longer|never|isn't|aren't)\b(?:\s+\w+)?\s+(?:available|in stock|sold|orderable|made)\b"
    r"|\bno(?:ne)?\s+(?:in\s+)?stock\b|\b0\s+(?:in stock|available|left)\b|\bnotify me\b|\btemporarily out\b"
    r"|\b(?:e-?mail|tell) me when\b|\bback in stock (?:soon|notification)\b|\bwait(?:ing )?list\b",
    re.I,
)
_LATER = re.compile(
    r"\bback[\s-]*order(?:ed|able)?\b|\bpre[\s-]*order(?:ed)?\b|\bpre[\s-]*sale\b|\bspecial order\b"
    r"|\bmade to order\b|\bcoming soon\b"
    r"|\bships? (?:in|within) \d+\s*(?:-\s*\d+\s*)?(?:weeks?|months?)\b",
    re.I,
)
_AFFIRMED = re.compile(
    r"\bin[\s-]*stock\b|\bavailable\b|\bonly [1-9]\d* (?:\w+ )?left\b|\b[1-9]\d*\+? (?:left|remaining)\b"
    r"|\bready to ship\b|\badd to (?:cart|basket|bag)\b|\blow stock\b|\blimited (?:stock|availability)\b",
    re.I,
)
# "May be in stock", "call for availability": words that take back what the others say.
_UNSURE = re.compile(
    r"\?|\bmay be\b|\bmight\b|\bcheck (?:for )?(?:stock|availability)\b|\bcall for\b|\bselect\b"
    r"|\bif available\b|\bpickup only\b|\bin (?:some )?stores? only\b"
    r"|\bin stock (?:at|in) (?:\d+ )?stores?\b|\bwhen in stock\b",
    re.I,
)


@lru_cache(maxsize=2048)  # a shop says the same few things on every page
def parse_stock(text: str) -> Availability:
    """Return what a stock text says; a text that says two things, or nothing, is UNKNOWN."""
    text = " ".join(text.split())[:300]
    if _UNSURE.search(text):
        return Availability.UNKNOWN
    if _LATER.search(text):
        # "Not available for preorder" denies even that; "Out of stock - available on backorder" does not.
        return (
            Availability.UNKNOWN
            if re.search(r"\b(?:not|no|no longer)\b", text, re.I)
            else Availability.BACKORDER
        )
    if _DENIED.search(text):
        return _unless_also_affirmed(text)
    return Availability.IN_STOCK if _AFFIRMED.search(text) else Availability.UNKNOWN


@lru_cache(maxsize=256)
def parse_schema_availability(value: str | None) -> Availability:
    """Return what a schema.org availability says, as a name or as an address."""
    if not value:
        return Availability.UNKNOWN
    name = value.strip().rstrip("/").rpartition("/")[2].rpartition("#")[2]
    return _SCHEMA_ORG.get(re.sub(r"[^a-z]", "", name.lower()), Availability.UNKNOWN)


def _unless_also_affirmed(text: str) -> Availability:
    rest = _DENIED.sub(" ", text)
    return Availability.UNKNOWN if _AFFIRMED.search(rest) else Availability.OUT_OF_STOCK
