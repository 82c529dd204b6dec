"""Parquet is read back here by a reader of its own: what is written must be what the format says, not what we think.

Files of this writer were also read back, value by value, by pyarrow, fastparquet and DuckDB.
"""

from __future__ import annotations

import struct
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.record.parquet import Kind, ParquetSheet
from limpet.record.thrift import varint, zigzag

COLUMNS = {"text": Kind.TEXT, "number": Kind.INT64, "flag": Kind.BOOLEAN}


class Wire:
    """Reads Thrift's compact protocol into dictionaries by field id."""

    def __init__(self, data: bytes, place: int = 0) -> None:
        self.data, self.place = data, place

    def number(self) -> int:
        value = shift = 0
        while True:
            octet = self.data[self.place]
            self.place += 1
            value |= (octet & 0x7F) << shift
            if octet < 0x80:
                return value
            shift += 7

    def signed(self) -> int:
        value = self.number()
        return (value >> 1) ^ -(value & 1)

    def struct(self) -> dict[int, Any]:
        found: dict[int, Any] = {}
        field = 0
        while head := self.data[self.place]:
            self.place += 1
            field += head >> 4
            found[field] = self.value(head & 15)
        self.place += 1
        return found

    def value(self, kind: int) -> Any:
        if kind in (5, 6):
            return self.signed()
        if kind == 8:
            size = self.number()
            self.place += size
            return self.data[self.place - size : self.place].decode()
        if kind == 9:
            head = self.data[self.place]
            self.place += 1
            size = head >> 4 if head >> 4 < 15 else self.number()
            return [self.value(head & 15) for _ in range(size)]
        assert kind == 12, kind
        return self.struct()


def read_back(data: bytes) -> tuple[list[str], list[dict[str, Any]]]:
    assert (data[:4], data[-4:]) == (b"PAR1", b"PAR1")
    (size,) = struct.unpack("<I", data[-8:-4])
    footer = Wire(data[-8 - size : -8]).struct()
    names = [element[4] for element in footer[2][1:]]
    rows: list[dict[str, Any]] = []
    for group in footer.get(4, []):
        columns = [read_column(data, chunk[3]) for chunk in group[1]]
        assert {len(column) for column in columns} == {group[3]}
        rows += [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]
    assert footer[3] == len(rows)
    return names, rows


def read_column(data: bytes, meta: dict[int, Any]) -> list[Any]:
    wire = Wire(data, meta[9])
    header = wire.struct()
    packed = data[wire.place : wire.place + header[3]]
    body = zstandard.ZstdDecompressor().decompress(packed, max_output_size=header[2] or 1)
    assert len(body) == header[2]
    assert wire.place + header[3] - meta[9] == meta[7]
    (size,) = struct.unpack("<I", body[:4])
    levels, wire = [], Wire(body[4 : 4 + size])
    while wire.place < size:
        run = wire.number()
        levels += [wire.data[wire.place]] * (run >> 1)
        wire.place += 1
    values = iter(read_values(body[4 + size :], meta[1], sum(levels)))
    assert len(levels) == header[5][1] == meta[5]
    return [next(values) if level else None for level in levels]


def read_values(body: bytes, kind: int, count: int) -> list[Any]:
    if kind == Kind.INT64:
        return list(struct.unpack(f"<{count}q", body))
    if kind == Kind.BOOLEAN:
        return [bool(body[place // 8] >> (place % 8) & 1) for place in range(count)]
    found, place = [], 0
    for _ in range(count):
        (size,) = struct.unpack_from("<I", body, place)
        found.append(body[place + 4 : place + 4 + size].decode())
        place += 4 + size
    assert place == len(body)
    return found


def written(rows: list[dict[str, Any]], *, per_group: int) -> bytes:
    sheet = ParquetSheet(COLUMNS, rows_per_group=per_group)
    half = len(rows) // 2
    return sheet.begin() + sheet.rows(rows[:half]) + sheet.rows(rows[half:]) + sheet.end()


ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
            "number": st.none() | st.integers(-(2**63), 2**63 - 1),
            "flag": st.none() | st.booleans(),
        }
    ),
    max_size=60,
)


@settings(max_examples=60, deadline=None)
@given(rows=ROWS, per_group=st.integers(1, 70))
def test_whatever_is_written_is_read_back(rows: list[dict[str, Any]], per_group: int) -> None:
    names, found = read_back(written(rows, per_group=per_group))

    assert names == list(COLUMNS)
    assert found == rows


def test_a_sheet_without_rows_is_still_a_file() -> None:
    assert read_back(written([], per_group=10)) == (list(COLUMNS), [])


def test_many_columns_fit_into_the_footer() -> None:
    columns = {f"column_{number}": Kind.INT64 for number in range(40)}
    sheet = ParquetSheet(columns)

    data = sheet.begin() + sheet.rows([dict.fromkeys(columns, 7)]) + sheet.end()

    assert read_back(data) == (list(columns), [dict.fromkeys(columns, 7)])


@pytest.mark.parametrize(
    ("value", "octets"), [(0, b"\x00"), (127, b"\x7f"), (128, b"\x80\x01"), (300, b"\xac\x02")]
)
def test_varints_are_as_thrift_has_them(value: int, octets: bytes) -> None:
    assert varint(value) == octets


@pytest.mark.parametrize(("value", "unsigned"), [(0, 0), (-1, 1), (1, 2), (-2, 3), (-(2**63), 2**64 - 1)])
def test_signs_are_folded_in(value: int, unsigned: int) -> None:
    assert zigzag(value) == unsigned
