"""`make schema`: write down what all migration scripts together lead to, for ledgers that are new."""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path

from limpet.record.database import open_engine
from limpet.record.layout import TEXT, describe
from limpet.record.migrate import VERSION_TABLE, walk_scripts


def text_of_scripts(folder: Path) -> str:
    """Return the text after walking every script on an empty database in that folder."""
    path = folder / "limpet.db"
    engine = open_engine(path)
    with engine.begin() as connection:
        walk_scripts(connection)
    engine.dispose()
    ledger = sqlite3.connect(path)
    try:
        return describe(ledger, VERSION_TABLE)
    finally:
        ledger.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        TEXT.write_text(text_of_scripts(Path(scratch)), encoding="utf-8")
