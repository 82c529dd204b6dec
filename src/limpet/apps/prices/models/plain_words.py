"""Names and identifiers as structured data gives them, made fit to be shown and compared."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Any

from limpet.apps.prices.fingerprint import valid_upc
from limpet.extract import Missing
from limpet.extract.failure import CannotRead
from limpet.extract.structured.products import text

_DAMAGE = "\ufffd"
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")


def plain(value: Any) -> str | None:
    """Return the text people see: entities resolved, blanks single; None for `&nbsp;`, which means empty."""
    stated = text(value)
    if stated is None:
        return None
    words = " ".join(_TAG.sub(" ", html.unescape(stated)).split())
    if _DAMAGE in words:
        raise CannotRead(Missing.NOT_PARSABLE, f"damaged characters in {words[:80]!r}")
    return words or None


def upc_among(values: Iterable[Any]) -> str | None:
    """Return the first real UPC as its 12 digits (an EAN as 13); a part number that merely looks like one is none."""
    for value in values:
        digits = (text(value) or "").replace(" ", "").replace("-", "")
        if len(digits) == 14 and digits.startswith("0"):  # a GTIN-14 of a single item
            digits = digits[1:]
        checked = valid_upc(digits)
        if checked is not None:
            return checked.removeprefix("0") if checked.startswith("0") else checked
    return None
