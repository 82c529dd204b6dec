"""Rows as a Parquet file, a row group at a time: flat columns of texts, whole numbers and flags, any of them absent.

Plain encoding, one page a column and row group, compressed with zstd: what every reader of the format understands.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import groupby
from typing import Any

import zstandard

from limpet.record.thrift import Struct, varint

MAGIC = b"PAR1"
ROWS_PER_GROUP = 20_000
_OPTIONAL, _PLAIN, _RLE, _ZSTD, _UTF8 = 1, 0, 3, 6, 0
_CREATED_BY = "limpet"


class Kind(IntEnum):
    """What a column holds, under the format's own numbers."""

    BOOLEAN = 0
    INT64 = 2
    TEXT = 6


@dataclass(frozen=True, slots=True)
class _Chunk:
    """One column of one row group, where it stands in the file."""

    offset: int
    rows: int
    raw_bytes: int
    stored_bytes: int


class ParquetSheet:
    """Written in pieces like any other sheet; each row group is on its way as soon as it is full."""

    media_type = "application/vnd.apache.parquet"

    def __init__(self, columns: Mapping[str, Kind], *, rows_per_group: int = ROWS_PER_GROUP) -> None:
        self._columns = dict(columns)
        self._rows_per_group = rows_per_group
        self._waiting: list[Mapping[str, Any]] = []
        self._groups: list[list[_Chunk]] = []
        self._place = 0

    def begin(self) -> bytes:
        """Return the file's first bytes."""
        return self._passed(MAGIC)

    def rows(self, rows: Iterable[Mapping[str, Any]]) -> bytes:
        """Return what these rows complete; the rest waits for more."""
        out = bytearray()
        for row in rows:
            self._waiting.append(row)
            if len(self._waiting) == self._rows_per_group:
                out += self._group()
        return bytes(out)

    def end(self) -> bytes:
        """Return the last row group and the footer."""
        last = self._group() if self._waiting else b""
        footer = self._footer()
        return last + footer + struct.pack("<I", len(footer)) + MAGIC

    def _passed(self, piece: bytes) -> bytes:
        self._place += len(piece)
        return piece

    def _group(self) -> bytes:
        out, chunks = bytearray(), []
        for name, kind in self._columns.items():
            offset = self._place
            raw, page = _page([row.get(name) for row in self._waiting], kind)
            chunks.append(_Chunk(offset, len(self._waiting), raw, len(page)))
            out += self._passed(page)
        self._groups.append(chunks)
        self._waiting = []
        return bytes(out)

    def _footer(self) -> bytes:
        schema = [Struct().text(4, "schema").i32(5, len(self._columns))]
        schema += [_element(name, kind) for name, kind in self._columns.items()]
        rows = sum(chunks[0].rows for chunks in self._groups)
        groups = [self._group_entry(chunks) for chunks in self._groups]
        footer = Struct().i32(1, 1).structs(2, schema).i64(3, rows).structs(4, groups)
        return footer.text(6, _CREATED_BY).done()

    def _group_entry(self, chunks: Sequence[_Chunk]) -> Struct:
        columns = [
            _chunk_entry(name, kind, chunk)
            for (name, kind), chunk in zip(self._columns.items(), chunks, strict=True)
        ]
        total = sum(chunk.raw_bytes for chunk in chunks)
        return Struct().structs(1, columns).i64(2, total).i64(3, chunks[0].rows)


def _element(name: str, kind: Kind) -> Struct:
    element = Struct().i32(1, kind).i32(3, _OPTIONAL).text(4, name)
    return element.i32(6, _UTF8) if kind is Kind.TEXT else element


def _chunk_entry(name: str, kind: Kind, chunk: _Chunk) -> Struct:
    meta = (
        Struct()
        .i32(1, kind)
        .i32s(2, [_PLAIN, _RLE])
        .texts(3, [name])
        .i32(4, _ZSTD)
        .i64(5, chunk.rows)
        .i64(6, chunk.raw_bytes)
        .i64(7, chunk.stored_bytes)
        .i64(9, chunk.offset)
    )
    return Struct().i64(2, chunk.offset).struct(3, meta)


def _page(values: Sequence[Any], kind: Kind) -> tuple[int, bytes]:
    """Return a column's only page with its header, and how large it is before compression."""
    body = _levels(values) + _values([value for value in values if value is not None], kind)
    packed = zstandard.ZstdCompressor().compress(body)
    about = Struct().i32(1, len(values)).i32(2, _PLAIN).i32(3, _RLE).i32(4, _RLE)
    header = Struct().i32(1, 0).i32(2, len(body)).i32(3, len(packed)).struct(5, about).done()
    return len(header) + len(body), header + packed


def _levels(values: Sequence[Any]) -> bytes:
    """Return which values are there, as runs."""
    runs = bytearray()
    for is_there, run in groupby(value is not None for value in values):
        runs += varint(sum(1 for _ in run) << 1) + bytes([is_there])
    return struct.pack("<I", len(runs)) + bytes(runs)


def _values(values: Sequence[Any], kind: Kind) -> bytes:
    if kind is Kind.INT64:
        return struct.pack(f"<{len(values)}q", *values)
    if kind is Kind.BOOLEAN:
        return _bits(values)
    encoded = (str(value).encode("utf-8", "replace") for value in values)
    return b"".join(struct.pack("<I", len(text)) + text for text in encoded)


def _bits(flags: Sequence[bool]) -> bytes:
    """Return flags eight to a byte, the first in the lowest bit."""
    out = bytearray((len(flags) + 7) // 8)
    for place, flag in enumerate(flags):
        if flag:
            out[place // 8] |= 1 << (place % 8)
    return bytes(out)
