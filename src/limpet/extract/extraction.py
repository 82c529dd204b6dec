"""What reading a page gives: a record, or the reason there is none. Never None."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, Generic, TypeVar

from msgspec import Struct, to_builtins

from limpet.fetch.page import Page

R_co = TypeVar("R_co", covariant=True)
_LEFT_AS_THEY_ARE = (datetime, date, Decimal)


class Missing(StrEnum):
    """Why a page could not be read. Closed, so that every reason can be counted."""

    SELECTOR_NOT_FOUND = "selector_not_found"
    PRICE_NOT_FOUND = "price_not_found"
    TITLE_NOT_FOUND = "title_not_found"
    PAGE_STRUCTURE_CHANGED = "page_structure_changed"
    BLOCKED_PAGE = "blocked_page"
    EMPTY_PAGE = "empty_page"
    NOT_PARSABLE = "not_parsable"
    LISTING_PAGE = "listing_page"
    GONE = "gone"  # the answer is that there is no such thing any more: a 404 in other words
    AMBIGUOUS_PRICE = "ambiguous_price"
    AMBIGUOUS_VARIANTS = "ambiguous_variants"
    OOS_NO_PRICE = "oos_no_price"
    NOT_WHAT_WAS_ASKED = "not_what_was_asked"  # a sound page about something else
    NO_RECORD = "no_record"
    ADAPTER_ERROR = "adapter_error"  # our own reading code failed: a defect of ours, shown as one


class Extraction(Struct, Generic[R_co], frozen=True):
    """A record as the page states it, not yet judged."""

    page: Page
    record: R_co


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The page holds no record we may believe; `details` names the selector or field that failed."""

    page: Page
    reason: Missing
    details: str = ""


def fields_of(record: Any) -> dict[str, Any]:
    """Return the record's fields with plain values, down to the last; none when it is nothing with fields."""
    plain = to_builtins(record, builtin_types=_LEFT_AS_THEY_ARE, enc_hook=str)
    return plain if isinstance(plain, dict) else {}
