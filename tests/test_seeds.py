"""docs/seeds.md names only what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from limpet.assembly import all_apps
from limpet.record.ledger import Ledger
from limpet.record.tables import metadata

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "seeds.md").read_text(encoding="utf-8")
HERE = re.sub(r"(?m)^\|[^|]*\|", "", TEXT)  # without the first column, whose names are the seeds' own


# "`A`, `B` and `C` in `file.py`": every name of the list is said to be there.
_NAMES_IN_FILES = [
    (name, path)
    for names, path in re.findall(r"((?:`[\w.]+`(?:, | and ))*`[\w.]+`) in `((?:\w+/)*\w+\.py)`", HERE)
    for name in re.findall(r"`([\w.]+)`", names)
]


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:\w+/)*\w+\.(?:py|md))`", HERE))))
def test_a_path_named_there_exists(path: str) -> None:
    places = (ROOT / "src" / "limpet" / path, ROOT / path, ROOT / "src" / path)

    assert any(place.exists() for place in places)


def test_tables_named_there_exist() -> None:
    assert list(all_apps().values()) and Ledger  # their tables are in the metadata once they are imported
    rows = [line for line in TEXT.splitlines() if re.search(r"\| tables? `", line)]
    named = {
        name for line in rows for name in re.findall(r"`([a-z_]+)`", line.split("|")[2].partition(";")[0])
    }
    columns = {column.name for table in metadata.tables.values() for column in table.columns}

    assert named and sorted(named - set(metadata.tables) - columns) == []


@pytest.mark.parametrize(("name", "path"), _NAMES_IN_FILES)
def test_a_name_said_to_be_in_a_file_is_there(name: str, path: str) -> None:
    assert re.search(rf"\b{re.escape(name)}\b", (ROOT / "src" / "limpet" / path).read_text(encoding="utf-8"))
