"""Parquet is read back by DuckDB, value by value: what is written must be what the format says, not what we think."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.record.parquet import Kind, ParquetSheet
from limpet.record.thrift import varint, zigzag

COLUMNS = {"text": Kind.TEXT, "number": Kind.INT64, "flag": Kind.BOOLEAN}


def read_back(data: bytes, folder: Path) -> tuple[list[str], list[dict[str, Any]]]:
    file = folder / "sheet.parquet"
    file.write_bytes(data)
    with duckdb.connect() as reader:
        found = reader.execute("SELECT * FROM read_parquet(?)", [str(file)])
        names = [column[0] for column in found.description]
        return names, [dict(zip(names, row, strict=True)) for row in found.fetchall()]


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
    with TemporaryDirectory() as folder:
        names, found = read_back(written(rows, per_group=per_group), Path(folder))

    assert names == list(COLUMNS)
    assert found == rows


def test_a_sheet_without_rows_is_still_a_file(tmp_path: Path) -> None:
    assert read_back(written([], per_group=10), tmp_path) == (list(COLUMNS), [])


def test_many_columns_fit_into_the_footer(tmp_path: Path) -> None:
    columns = {f"column_{number}": Kind.INT64 for number in range(40)}
    sheet = ParquetSheet(columns)

    data = sheet.begin() + sheet.rows([dict.fromkeys(columns, 7)]) + sheet.end()

    assert read_back(data, tmp_path) == (list(columns), [dict.fromkeys(columns, 7)])


def test_the_file_says_of_itself_what_its_columns_hold(tmp_path: Path) -> None:
    file = tmp_path / "sheet.parquet"
    file.write_bytes(written([{"text": "a", "number": 1, "flag": True}, {}], per_group=1))

    with duckdb.connect() as reader:
        schema = reader.execute("SELECT name, type, converted_type FROM parquet_schema(?)", [str(file)])
        kinds = {name: (kind, converted) for name, kind, converted in schema.fetchall()[1:]}
        facts = "SELECT num_rows, num_row_groups FROM parquet_file_metadata(?)"
        counts = reader.execute(facts, [str(file)]).fetchone()

    assert kinds == {"text": ("BYTE_ARRAY", "UTF8"), "number": ("INT64", None), "flag": ("BOOLEAN", None)}
    assert counts == (2, 2)


@pytest.mark.parametrize(
    ("value", "octets"), [(0, b"\x00"), (127, b"\x7f"), (128, b"\x80\x01"), (300, b"\xac\x02")]
)
def test_varints_are_as_thrift_has_them(value: int, octets: bytes) -> None:
    assert varint(value) == octets


@pytest.mark.parametrize(("value", "unsigned"), [(0, 0), (-1, 1), (1, 2), (-2, 3), (-(2**63), 2**64 - 1)])
def test_signs_are_folded_in(value: int, unsigned: int) -> None:
    assert zigzag(value) == unsigned
