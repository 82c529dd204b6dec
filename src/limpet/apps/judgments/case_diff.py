"""What one version of an index brought, as the archive took it over."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, select

from limpet.apps.judgments.tables import case_changes, cases, csv_versions

COUNTS = ("new_count", "changed_count", "removed_count", "reappeared_count")


def case_diff_of(connection: Connection, *, version_id: int, limit: int = 1_000) -> dict[str, Any] | None:
    """Return the version with its new, changed, removed and reappeared cases, at most so many of each; or None."""
    version = connection.execute(select(csv_versions).where(csv_versions.c.id == version_id)).first()
    if version is None:
        return None
    fresh = select(cases.c.id, cases.c.action_token_raw, cases.c.title, cases.c.cause_number)
    fresh = fresh.where(cases.c.first_seen_version_id == version_id).order_by(cases.c.id).limit(limit)
    return {
        "csv_version_id": version_id,
        "source": version.source,
        "fetched_at": version.fetched_at.isoformat(timespec="seconds"),
        "valid": bool(version.valid),
        "counts": {name.removesuffix("_count"): version._mapping[name] for name in COUNTS},
        "new": [dict(row._mapping) for row in connection.execute(fresh)],
        **{
            kind: _changes(connection, version_id, kind, limit)
            for kind in ("changed", "removed", "reappeared")
        },
    }


def _changes(connection: Connection, version_id: int, kind: str, limit: int) -> list[dict[str, Any]]:
    question = (
        select(case_changes, cases.c.action_token_raw, cases.c.title)
        .join_from(case_changes, cases, case_changes.c.case_id == cases.c.id)
        .where(case_changes.c.version_id == version_id, case_changes.c.kind == kind)
        .order_by(case_changes.c.case_id, case_changes.c.id)
        .limit(limit)
    )
    return _by_case(row._mapping for row in connection.execute(question))


def _by_case(rows: Iterable[Any]) -> list[dict[str, Any]]:
    """Return one entry a case, its changed fields inside."""
    told: dict[int, dict[str, Any]] = {}
    for row in rows:
        known = {name: row[name] for name in ("action_token_raw", "title")}
        entry = told.setdefault(row["case_id"], {"id": row["case_id"], **known, "fields": {}})
        if row["field"]:
            entry["fields"][row["field"]] = {"old": row["old_value"], "new": row["new_value"]}
    return list(told.values())
