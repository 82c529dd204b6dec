"""Column types that mean the same on SQLite and on Postgres."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, DateTime, Integer, Text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator, TypeEngine

# SQLite only numbers rows by itself when the key is exactly INTEGER.
RowId = BigInteger().with_variant(Integer(), "sqlite")

Json = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")


class UtcTime(TypeDecorator[datetime]):
    """An instant: aware datetimes in, aware UTC datetimes out. SQLite keeps ISO text that sorts by time."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(Text() if dialect.name == "sqlite" else DateTime(timezone=True))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        if value is None:
            return None
        return utc_text(value) if dialect.name == "sqlite" else in_utc(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return datetime.fromisoformat(value) if isinstance(value, str) else in_utc(value)


def in_utc(moment: datetime) -> datetime:
    """Return the same instant in UTC; a time without a zone is nobody's time and is refused."""
    if moment.tzinfo is None:
        raise ValueError(f"{moment.isoformat()} has no zone: only aware times reach the ledger")
    return moment if moment.tzinfo is UTC else moment.astimezone(UTC)


def utc_text(moment: datetime) -> str:
    """Return the text SQLite keeps; always 32 characters, so that text order is time order."""
    return in_utc(moment).isoformat(timespec="microseconds")
