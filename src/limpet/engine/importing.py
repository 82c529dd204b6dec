"""Targets from a table people wrote: every line gets its own answer, and a bad one spoils no other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Literal, TypeVar
from urllib.parse import urlsplit

from sqlalchemy import Connection

from limpet.engine.app import App
from limpet.engine.import_table import TableRow, read_table
from limpet.errors import BadAddress, ConfigError, UnknownSource, UsageError
from limpet.record.editing_targets import id_of
from limpet.record.keeping_targets import put_targets
from limpet.record.ledger import Ledger
from limpet.source import Source
from limpet.source.catalogue import Catalogue
from limpet.target import Target
from limpet.target.schedule import parse_schedule

T = TypeVar("T")
_MOST_PRIORITY = 100
_LINES_AT_ONCE = 200  # in one transaction: a large file is not a file of fsyncs
# A browser leaves these out without a word, and a database cannot hold one of them: two spellings, one look.
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


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
        for some in _in_parts(read_table(text)):
            read = [self._try(row, source_id) for row in some]
            good = [each for each in read if isinstance(each, Line)]
            kept = await self.ledger.write(partial(_keep, lines=good, by=by, now=self.ledger.clock.now()))
            results += [kept[each.number] if isinstance(each, Line) else each for each in read]
        return results

    def _try(self, row: TableRow, source_id: str | None) -> Line | LineResult:
        try:
            return self._read(row, source_id)
        except (UsageError, UnknownSource, BadAddress, ConfigError) as wrong:
            return LineResult(row.number, row.url, "error", detail=f"{wrong} {wrong.fix}".strip())

    def _read(self, row: TableRow, source_id: str | None) -> Line:
        fields = row.fields
        self._check_cells(row)
        source = self._source(fields.get("source", ""), source_id)
        target = self.apps[source.app].make_target(source, row.url)
        _check_host(source, target)
        schedule = fields.get("schedule") or None
        if schedule:
            parse_schedule(schedule)
        tags = tuple(tag.strip() for tag in fields.get("tags", "").split(";") if tag.strip())
        priority = _priority(fields.get("priority", ""))
        plain = Target(
            target.source_id, target.address, target.url, target.lane, priority=priority, params=target.params
        )
        return Line(row.number, row.url, plain, schedule, tags)

    def _check_cells(self, row: TableRow) -> None:
        """Refuse a line that was meant otherwise than it reads: it would become an address nobody wrote."""
        if _CONTROL.search(row.url):
            raise BadAddress(
                "The address has a line break or another control character in it.", fix="Take it out."
            )
        if row.surplus:
            raise UsageError(
                f"The line has more cells than there are columns: {row.surplus[0][:40]!r}.",
                fix="Put what has a comma in it between quotes.",
            )
        _, semicolon, rest = row.url.partition(";")
        if semicolon and rest.split(";")[0] in {each.id for each in self.catalogue.list()}:
            raise UsageError(
                "The line seems to be separated by semicolons.",
                fix="Begin the table with a line of names: url;source;priority.",
            )

    def _source(self, of_line: str, of_all: str | None) -> Source:
        if of_line and of_all and of_line != of_all:
            raise UsageError(
                f"The line belongs to source {of_line[:80]!r}, and {of_all[:80]!r} was named for all of them.",
                fix="Name a source in one place only.",
            )
        if not (of_line or of_all):
            raise UsageError("No source is named.", fix="Fill in the source column, or use --source.")
        return self.catalogue.get(of_line or of_all or "")


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
