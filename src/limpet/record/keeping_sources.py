"""Keeps the sources as the configuration last stated them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select

from limpet.record.tables import sources
from limpet.record.upserting import upsert
from limpet.source import Pace, Source, Terms

# What has no column of its own: the terms of a visit.
_CONFIGURED = (
    "obey_robots",
    "fetcher",
    "http_only",
    "allow_private_addresses",
    "user_agent",
    "patience_seconds",
    "max_bytes",
    "max_redirects",
    "schedule",
    "load_images",
    "base_url",
)


def put_source(connection: Connection, source: Source, *, now: datetime) -> None:
    """Write the source as it is now; when it was first seen stays known."""
    values = _values(source) | {"updated_at": now}
    upsert(connection, sources, values | {"id": source.id, "created_at": now}, key=["id"], changes=values)


def all_sources(connection: Connection) -> list[Source]:
    """Return every source, by id."""
    return [_source_of(row) for row in connection.execute(select(sources).order_by(sources.c.id))]


def _values(source: Source) -> dict[str, Any]:
    config = {name: getattr(source, name) for name in _CONFIGURED}
    return {
        "app": source.app,
        "adapter_id": source.site,
        "name": source.name,
        "hosts": list(source.hosts),
        "enabled": source.enabled,
        "disabled_reason": source.disabled_reason,
        "tos_reviewed_at": source.terms.reviewed_at,
        "tos_approved_by": source.terms.approved_by,
        "tos_notes": source.terms.notes,
        "robots_compliant": source.robots_compliant,
        "scrape_config": config | {"pace": asdict(source.pace), "headers": _without_secrets(source.headers)},
    }


def _without_secrets(headers: Mapping[str, str]) -> dict[str, str]:
    # Cookies and tokens are configured, never remembered.
    secret = ("cookie", "authorization", "proxy-authorization")
    return {
        name: value
        for name, value in headers.items()
        if name.lower() not in secret and "key" not in name.lower() and "token" not in name.lower()
    }


def _source_of(row: Row[Any]) -> Source:
    config = dict(row.scrape_config)
    return Source(
        id=row.id,
        app=row.app,
        site=row.adapter_id,
        hosts=tuple(row.hosts),
        name=row.name,
        enabled=row.enabled,
        disabled_reason=row.disabled_reason,
        terms=Terms(row.tos_reviewed_at, row.tos_approved_by, row.tos_notes),
        robots_compliant=row.robots_compliant,
        pace=Pace(**config.pop("pace")),
        **config,
    )
