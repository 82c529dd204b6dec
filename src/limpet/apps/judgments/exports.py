"""The archive as files: tables of every case, and a ZIP of the judgments themselves, streamed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, closing
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Literal

from limpet.apps.judgments.case_filter import CaseFilter
from limpet.apps.judgments.views import EXPORTED, ArchivedCase, archived_cases
from limpet.record.ledger import Ledger
from limpet.record.parquet import Kind, ParquetSheet
from limpet.record.sheets import CsvSheet, JsonLines, Workbook
from limpet.record.zipping import StreamedZip

Format = Literal["csv", "jsonl", "parquet", "xlsx", "zip"]
MEDIA_TYPES: Mapping[Format, str] = {
    "csv": CsvSheet.media_type,
    "jsonl": JsonLines.media_type,
    "parquet": ParquetSheet.media_type,
    "xlsx": Workbook.media_type,
    "zip": "application/zip",
}
_KINDS = {
    "is_criminal": Kind.BOOLEAN,
    "is_active": Kind.BOOLEAN,
    "run_id": Kind.INT64,
    "size_bytes": Kind.INT64,
}
_SHEETS = ("All", "Downloaded", "Not downloaded", "Summary_Court", "Summary_Category")
_ROWS_AT_ONCE = 500
_BYTES_AT_ONCE = 256 * 1024


@dataclass(frozen=True, slots=True)
class Archive:
    """Where the cases and their files are."""

    ledger: Ledger
    data_dir: Path

    async def pages(self, wanted: CaseFilter) -> AsyncIterator[list[ArchivedCase]]:
        """Yield the cases a page at a time; what is stored meanwhile is seen or not, never twice."""
        after = 0
        while True:
            look = partial(archived_cases, wanted=wanted, after=after, limit=_ROWS_AT_ONCE)
            page = await self.ledger.read(look)
            if not page:
                return
            after = page[-1].id
            yield page


async def export(
    archive: Archive, form: Format, wanted: CaseFilter, *, packed: Counter[str] | None = None
) -> AsyncGenerator[bytes, None]:
    """Yield the file piece by piece, never more of it in memory than a page of cases.

    For a ZIP `packed` counts the documents by how they stand in it: whole, damaged or missing.
    """
    counted = Counter() if packed is None else packed
    # Closed as soon as we are: whoever breaks off leaves nothing half made behind.
    async with aclosing(_pieces(archive, form, wanted, counted)) as pieces:
        async for piece in pieces:
            if piece:
                yield piece


def _pieces(
    archive: Archive, form: Format, wanted: CaseFilter, packed: Counter[str]
) -> AsyncGenerator[bytes, None]:
    if form == "xlsx":
        return _workbook(archive, wanted)
    if form == "zip":
        return _zip(archive, wanted, packed)
    return _table(archive, wanted, _sheet(form))


def _sheet(form: Format) -> CsvSheet | JsonLines | ParquetSheet:
    if form == "parquet":
        return ParquetSheet({name: _KINDS.get(name, Kind.TEXT) for name in EXPORTED})
    return CsvSheet(EXPORTED) if form == "csv" else JsonLines(EXPORTED)


async def _table(
    archive: Archive, wanted: CaseFilter, sheet: CsvSheet | JsonLines | ParquetSheet
) -> AsyncGenerator[bytes, None]:
    yield sheet.begin()
    async for page in archive.pages(wanted):
        yield sheet.rows(case.as_row() for case in page)
    yield sheet.end()


async def _workbook(archive: Archive, wanted: CaseFilter) -> AsyncGenerator[bytes, None]:
    with closing(Workbook(_SHEETS)) as book:
        async for piece in _sheets(book, archive, wanted):
            yield piece


async def _sheets(book: Workbook, archive: Archive, wanted: CaseFilter) -> AsyncGenerator[bytes, None]:
    courts: Counter[tuple[str, bool]] = Counter()
    categories: Counter[tuple[str, bool]] = Counter()
    yield book.sheet(EXPORTED)
    async for page in archive.pages(wanted):
        courts.update((case.court or "", case.is_downloaded) for case in page)
        categories.update((case.category or "", case.is_downloaded) for case in page)
        yield book.rows(case.as_row() for case in page)
    for is_downloaded in (True, False):
        yield book.sheet(EXPORTED)
        async for page in archive.pages(replace(wanted, is_downloaded=is_downloaded)):
            yield book.rows(case.as_row() for case in page)
    for name, counted in (("court", courts), ("category", categories)):
        yield book.sheet((name, "cases", "downloaded"))
        yield book.rows(
            {
                name: word,
                "cases": counted[word, True] + counted[word, False],
                "downloaded": counted[word, True],
            }
            for word in sorted({word for word, _ in counted})
        )
    yield book.end()


async def _zip(archive: Archive, wanted: CaseFilter, packed: Counter[str]) -> AsyncGenerator[bytes, None]:
    with closing(StreamedZip()) as bundle:
        async for piece in _bundled(bundle, archive, wanted, packed):
            yield piece


async def _bundled(
    bundle: StreamedZip, archive: Archive, wanted: CaseFilter, packed: Counter[str]
) -> AsyncGenerator[bytes, None]:
    """The PDFs under their stable names, and at the end a list that says of each whether it is whole."""
    manifest = CsvSheet((*EXPORTED, "in_this_zip"))
    listed = [manifest.begin()]
    async for page in archive.pages(replace(wanted, is_downloaded=True)):
        for case in page:
            state = "missing"
            async for piece in _file(bundle, archive.data_dir / str(case.path)):
                if isinstance(piece, bytes):
                    yield piece
                else:
                    state = "whole" if piece.digest == case.sha256 else "damaged"
            packed[state] += 1
            listed.append(manifest.rows([case.as_row() | {"in_this_zip": state}]))
    bundle.add("manifest.csv", b"".join(listed))
    yield bundle.end()


@dataclass(frozen=True, slots=True)
class _Packed:
    """A file is in the ZIP; this is what its bytes were."""

    digest: str


async def _file(bundle: StreamedZip, path: Path) -> AsyncIterator[bytes | _Packed]:
    try:
        file = await asyncio.to_thread(path.open, "rb")
    except OSError:
        return
    with file:
        seen = sha256()
        bundle.begin(path.name)
        while piece := await asyncio.to_thread(file.read, _BYTES_AT_ONCE):
            seen.update(piece)
            bundle.write(piece)
            yield bundle.taken()
        bundle.finish()
        yield bundle.taken()
        yield _Packed(seen.hexdigest())
