"""The shapes of what can be done through the API, and of what it shows of targets, alerts and the audit log."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from limpet.web.api.shapes import Shape


class TargetShape(Shape):
    """One thing that is watched."""

    id: int
    source_id: str
    url: str
    status: str
    priority: int
    schedule: str | None
    blocked: bool
    last_scraped_at: datetime | None
    last_status: str | None
    consecutive_failures: int
    tags: tuple[str, ...]
    notes: str | None


class ImportLineShape(Shape):
    """What became of one line."""

    number: int
    url: str
    result: str
    target_id: int | None
    detail: str


class ImportShape(BaseModel):
    """What became of every line."""

    lines: list[ImportLineShape]


class AlertShape(Shape):
    """What asks for a person."""

    id: int
    kind: str
    subject: str
    severity: str
    status: str
    title: str
    details: str
    fix: str
    source_id: str | None
    run_id: int | None
    occurrences: int
    first_seen_at: datetime
    last_seen_at: datetime
    acknowledged_by: str | None
    resolved_by: str | None
    note: str | None


class AuditShape(Shape):
    """Something a person or a rule decided."""

    id: int
    at: datetime
    actor: str
    action: str
    subject: str
    reason: str
    details: Mapping[str, Any]


class SettingShape(BaseModel):
    """One setting as it is in force."""

    name: str
    value: str
    is_changed: bool
