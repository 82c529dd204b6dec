"""Records made plain, whatever kind of value they are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Any

import pytest
from msgspec import Struct

from limpet.extract import fields_of


class Kind(StrEnum):
    ONE = "one"


class Inner(Struct, frozen=True):
    kind: Kind
    when: date


@dataclass(frozen=True, slots=True)
class Outer:
    inner: tuple[Inner, ...]
    at: datetime
    price: Decimal
    odd: Any = None


NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


def test_every_field_becomes_plain_down_to_the_last() -> None:
    inner = Inner(Kind.ONE, date(2026, 1, 31))

    plain = fields_of(Outer((inner,), NOON, Decimal("1.50"), Fraction(1, 3)))

    assert plain == {
        "inner": ({"kind": "one", "when": date(2026, 1, 31)},),
        "at": NOON,
        "price": Decimal("1.50"),
        "odd": "1/3",
    }
    assert fields_of(inner) == {"kind": "one", "when": date(2026, 1, 31)}


@pytest.mark.parametrize("record", [None, "text", 7, [Inner(Kind.ONE, NOON.date())]])
def test_what_has_no_fields_has_none(record: Any) -> None:
    assert fields_of(record) == {}
