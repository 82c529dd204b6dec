"""A batch's papers as artefacts of the ledger, once nothing is written to them any more."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from limpet.fetch.filing import StoredArtefact
from limpet.record.artefacts import hash_file
from limpet.record.ledger import Ledger

KIND = "docket_account"


async def note_keepsakes(ledger: Ledger, files: Sequence[Path], *, run_id: str) -> None:
    """Let the ledger answer for these files from now on."""
    for path in files:
        await ledger.note_artefact(
            StoredArtefact(
                kind=KIND,
                key=f"{run_id} {path.name}",
                path=str(path.relative_to(ledger.data_dir)),
                sha256=hash_file(path),
                size_bytes=path.stat().st_size,
                media_type="application/x-ndjson" if path.suffix == ".ndjson" else "application/json",
                stored_at=ledger.clock.now(),
            )
        )
