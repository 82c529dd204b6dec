"""A batch's papers as artefacts of the ledger, once nothing is written to them any more."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection, select

from limpet.apps.dockets.account.places import run_key
from limpet.fetch.filing import StoredArtefact
from limpet.record.artefacts import hash_file
from limpet.record.entry import Run
from limpet.record.ledger import Ledger
from limpet.record.log_tables import artefacts
from limpet.record.reading import get_run
from limpet.record.tables import runs

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


def runs_without_keepsakes(connection: Connection, source_id: str) -> list[Run]:
    """Return the source's ended runs whose papers the ledger does not answer for yet, the oldest first."""
    noted = connection.execute(select(artefacts.c.key).where(artefacts.c.kind == KIND)).scalars()
    known = {key.partition(" ")[0] for key in noted}
    ended = select(runs.c.id).where(
        runs.c.app == "dockets",
        runs.c.source_id == source_id,
        runs.c.ended_at.is_not(None),
        runs.c.prepared_at.is_not(None),
    )
    found = [
        get_run(connection, run_id) for run_id in connection.execute(ended.order_by(runs.c.id)).scalars()
    ]
    return [run for run in found if run_key(run) not in known]
