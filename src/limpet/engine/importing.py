"""Targets from a table people wrote: every line gets its own answer, and a bad one spoils no other."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Literal, TypeVar
from urllib.parse import urlsplit

from sqlalchemy import Connection

from limpet.engine.app import App
from limpet.errors import BadAddress, ConfigError, FileUnreadable, UnknownSource, UsageError
from limpet.record.editing_targets import id_of
from limpet.record.keeping_targets import put_targets
from limpet.record.ledger import Ledger
from limpet.source import Source
from limpet.source.catalogue import Catalogue
from limpet.target import Target
from limpet.target.schedule import parse_schedule

T = TypeVar("T")
COLUMNS = ("url", "source", "priority", "schedule", "tags")
_MOST_PRIORITY = 100
_LINES_AT_ONCE = 200  # in one transaction: a large file is not a file of fsyncs
# Names other tools write for the same columns.
_ALSO_CALLED = {
    "adapterid": "source",
    "adapter_id": "source",
    "source_id": "source",
    "address": "url",
    "link": "url",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table, read but not yet kept."""

    number: int
    url: str  # as it was written
    target: Target
    schedule: str | None
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LineResult:
    """What became of one line: created, a duplicate of a target we know, or an error that says what to do."""

    number: int
    url: str
    result: Literal["created", "duplicate", "error"]
    target_id: int | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Importer:
    """Reads tables and lists of addresses into the ledger."""

    ledger: Ledger
    catalogue: Catalogue
    apps: Mapping[str, App]

    async def bring_in(self, text: str, *, source_id: str | None, by: str) -> list[LineResult]:
        """Keep every good line and say what became of each; nothing is lost on a bad one."""
        results: list[LineResult] = []
        for some in _in_parts(_lines(text)):
            read = [self._try(number, fields, source_id) for number, fields in some]
            good = [each for each in read if isinstance(each, Line)]
            kept = await self.ledger.write(partial(_keep, lines=good, by=by, now=self.ledger.clock.now()))
            results += [kept[each.number] if isinstance(each, Line) else each for each in read]
        return results

    def _try(self, number: int, fields: Mapping[str, str], source_id: str | None) -> Line | LineResult:
        url = fields.get("url", "")
        try:
            return self._read(number, fields, source_id)
        except (UsageError, UnknownSource, BadAddress, ConfigError) as wrong:
            return LineResult(number, url, "error", detail=f"{wrong} {wrong.fix}".strip())

    def _read(self, number: int, fields: Mapping[str, str], source_id: str | None) -> Line:
        source = self._source(fields.get("source") or source_id)
        target = self.apps[source.app].make_target(source, fields.get("url", ""))
        _check_host(source, target)
        schedule = fields.get("schedule") or None
        if schedule:
            parse_schedule(schedule)
        tags = tuple(tag.strip() for tag in fields.get("tags", "").split(";") if tag.strip())
        priority = _priority(fields.get("priority", ""))
        plain = Target(
            target.source_id, target.address, target.url, target.lane, priority=priority, params=target.params
        )
        return Line(number, fields.get("url", ""), plain, schedule, tags)

    def _source(self, source_id: str | None) -> Source:
        if not source_id:
            raise UsageError("No source is named.", fix="Fill in the source column, or use --source.")
        return self.catalogue.get(source_id)


def _keep(connection: Connection, lines: Sequence[Line], *, by: str, now: datetime) -> dict[int, LineResult]:
    """Keep these in one transaction, each by itself, and return what became of each."""
    results = {}
    for line in lines:
        target = line.target
        kept = put_targets(
            connection, [target], now=now, schedule=line.schedule, tags=line.tags, created_by=by
        )
        number = id_of(connection, target.source_id, target.address)
        word: Literal["created", "duplicate"] = "created" if kept.created == 1 else "duplicate"
        results[line.number] = LineResult(line.number, line.url, word, target_id=number)
    return results


def _in_parts(lines: Iterable[T]) -> Iterator[list[T]]:
    going = iter(lines)
    while part := list(islice(going, _LINES_AT_ONCE)):
        yield part


def _check_host(source: Source, target: Target) -> None:
    """Refuse here what every visit would refuse: an address the source may not touch."""
    host = urlsplit(target.address).hostname
    if host and not source.covers(host):
        raise UsageError(
            f"The host {host} is none of those source {source.id!r} may visit.",
            fix=f"Name another source, or list the host under its hosts (now: {', '.join(source.hosts)}).",
        )


def _priority(text: str) -> int:
    if not text:
        return 0
    if not text.isdecimal() or int(text) > _MOST_PRIORITY:
        raise UsageError(
            f"The priority {text[:20]!r} is not a number from 0 to {_MOST_PRIORITY}.",
            fix="Higher goes first.",
        )
    return int(text)


def _lines(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line numbers and fields; a table without a header is a plain list of addresses."""
    text = text.removeprefix("\ufeff")
    first = next(iter(text.splitlines()), "")
    names = [_name(cell) for cell in next(csv.reader([first]), [])]
    has_header = "url" in names
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells) or (has_header and reader.line_num == 1) or cells[0].startswith("#"):
                continue
            yield reader.line_num, _fields(cells, names if has_header else list(COLUMNS))
    except csv.Error as wrong:
        raise FileUnreadable(
            f"The table breaks off at line {reader.line_num}: {wrong}.", fix="Check the quotes on that line."
        ) from wrong


def _fields(cells: list[str], names: list[str]) -> dict[str, str]:
    return dict(zip(names, cells, strict=False))


def _name(cell: str) -> str:
    name = cell.strip().lower().replace(" ", "_")
    return _ALSO_CALLED.get(name, name)
