"""What people and programs may read of the archive: every case, and the file it was stored as."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, func, select, text

from limpet.apps.judgments.case_filter import CaseFilter, conditions
from limpet.apps.judgments.tables import case_files, cases
from limpet.record.storable import storable


@dataclass(frozen=True, slots=True)
class ArchivedCase:
    """A case of the index with the newest file it was stored as, if there is one."""

    id: int
    source: str
    action_token_raw: str
    action_token_norm: str
    title: str | None
    neutral_citation: str | None
    cause_number: str | None
    judgment_date: str | None
    judgment_date_raw: str | None
    court: str | None
    category: str | None
    subject: str | None
    is_criminal: bool
    is_active: bool
    run_id: int | None
    downloaded_at: datetime | None
    path: str | None  # below the data directory
    size_bytes: int | None
    sha256: str | None

    @property
    def is_downloaded(self) -> bool:
        return self.path is not None

    def as_row(self) -> dict[str, Any]:
        """Return everything known, for an export."""
        told = self.downloaded_at.isoformat(timespec="seconds") if self.downloaded_at else None
        return asdict(self) | {"downloaded_at": told}

    def as_report(self) -> dict[str, Any]:
        """Return the row of the judgment report, with the names every reader of it expects."""
        return {
            "actions_token": self.action_token_raw,
            "title": self.title or "",
            "subject": self.subject or "",
            "court": self.court or "",
            "category": self.category or "",
            "judgment_date": self.judgment_date or self.judgment_date_raw or "",
            "sort_judgment_date": self.judgment_date or "",
            "cause_number": self.cause_number or "",
            "downloaded_at": self.as_row()["downloaded_at"],
            "saved_path": self.path,
            "filename": PurePosixPath(self.path).name if self.path else None,
            "size_kb": round(self.size_bytes / 1024, 1) if self.size_bytes is not None else None,
            "source": self.source,
        }


_STATED = [column for column in cases.c if column.name in ArchivedCase.__dataclass_fields__]
EXPORTED = tuple(name for name in ArchivedCase.__dataclass_fields__ if name != "id")


def archived_cases(
    connection: Connection, *, wanted: CaseFilter, after: int = 0, limit: int = 500
) -> list[ArchivedCase]:
    """Return a page of cases in the order they were first seen; `after` is the case id it starts above."""
    question = _question().where(cases.c.id > after, *_conditions(wanted)).order_by(cases.c.id).limit(limit)
    return [_case(row._mapping) for row in connection.execute(question)]


def count_cases(connection: Connection, *, wanted: CaseFilter) -> int:
    """Return how many cases there are to show."""
    # Only what a run stored is asked of files; without one they need not be looked at.
    named = select(cases.c.id) if wanted.run_id is None else _question()
    question = named.where(*_conditions(wanted))
    return connection.execute(select(func.count()).select_from(question.subquery())).scalar_one()


def cases_by_id(connection: Connection, ids: Sequence[int]) -> list[ArchivedCase]:
    """Return these cases, in no order."""
    return [_case(row._mapping) for row in connection.execute(_question().where(cases.c.id.in_(ids)))]


def named_cases(
    connection: Connection, *, source_id: str, tokens: Sequence[str]
) -> dict[str, tuple[int, str | None]]:
    """Return id and title of these cases by token; one that never got into the archive is not named."""
    question = select(cases.c.action_token_raw, cases.c.id, cases.c.title)
    asked = (cases.c.source == source_id) & cases.c.action_token_raw.in_(tokens)
    return {row[0]: (row[1], row[2]) for row in connection.execute(question.where(asked))}


def case_of_file(connection: Connection, *, path: str) -> ArchivedCase | None:
    """Return the case whose newest file lies there, or None."""
    row = connection.execute(_question().where(case_files.c.path == storable(path))).first()
    return None if row is None else _case(row._mapping)


def _question() -> Select[Any]:
    any_file = case_files.alias()
    newest = select(func.max(any_file.c.id)).where(any_file.c.case_id == cases.c.id).scalar_subquery()
    stored = ("run_id", "path", "size_bytes", "sha256", "stored_at")
    is_newest = and_(case_files.c.case_id == cases.c.id, case_files.c.id == newest)
    columns = [*_STATED, *(case_files.c[name] for name in stored)]
    return select(*columns).join_from(cases, case_files, is_newest, isouter=True)


def _conditions(wanted: CaseFilter) -> list[ColumnElement[bool]]:
    asked = conditions(wanted)
    if wanted.run_id is not None:
        asked.append(case_files.c.run_id == wanted.run_id)
    return asked


def _case(row: Any) -> ArchivedCase:
    known = {name: row[name] for name in ArchivedCase.__dataclass_fields__ if name != "downloaded_at"}
    flags = {name: bool(row[name]) for name in ("is_criminal", "is_active")}
    return ArchivedCase(**known | flags, downloaded_at=row["stored_at"])


def downloads_of(
    connection: Connection,
    *,
    status: str,
    source_id: str | None = None,
    run_id: int | None = None,
    after: int = 0,
    limit: int = 500,
) -> list[dict[str, Any]]:
    """Return downloads that stand so, oldest first; without a run, only the newest download of each case."""
    asked = [
        "d.status = :status",
        "d.id > :after",
        "c.source = :source" if source_id is not None else "1 = 1",
        "d.run_id = :run"
        if run_id is not None
        else "d.id = (SELECT MAX(n.id) FROM downloads n WHERE n.case_id = d.case_id)",
    ]
    question = text(
        "SELECT d.id AS download_id, d.run_id, d.status, d.attempt_count, d.error_code, d.error_message, "
        "c.action_token_raw AS actions_token, c.title, c.subject, c.court, c.category, c.cause_number, "
        "COALESCE(c.judgment_date, c.judgment_date_raw, '') AS judgment_date, "
        "COALESCE(c.judgment_date, '') AS sort_judgment_date, c.source "
        f"FROM downloads d JOIN cases c ON c.id = d.case_id WHERE {' AND '.join(asked)} ORDER BY d.id LIMIT :limit"
    )
    given = {
        "status": status,
        "after": after,
        "limit": limit,
        "source": storable(source_id or ""),
        "run": run_id,
    }
    used = {name: value for name, value in given.items() if f":{name}" in question.text}
    return [dict(row._mapping) for row in connection.execute(question, used)]


def statuses_of(connection: Connection, run_id: int) -> dict[str, int]:
    """Return how many downloads of a run stand how; every word is named."""
    found = dict.fromkeys(("pending", "in_progress", "downloaded", "failed", "skipped"), 0)
    question = text("SELECT status, COUNT(*) AS downloads FROM downloads WHERE run_id = :run GROUP BY status")
    return found | {row.status: row.downloads for row in connection.execute(question, {"run": run_id})}
