"""The ledger's counter for sources, targets and kept files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from limpet.errors import SnapshotDamaged
from limpet.fetch.filing import StoredArtefact
from limpet.record import keeping_sources, keeping_targets
from limpet.record.artefacts import note_artefact
from limpet.record.keeping_targets import Kept
from limpet.record.ledger_core import LedgerCore
from limpet.record.planning import BATCH, in_batches
from limpet.source import Source
from limpet.target import Target

_LOOKS_AGAIN = 3


class LedgerCatalogue(LedgerCore):
    """Knows who is visited, what is watched there, and what was kept of it."""

    async def put_source(self, source: Source) -> None:
        """Write the source as it is now."""
        await self.write(partial(keeping_sources.put_source, source=source, now=self.clock.now()))

    async def sources(self) -> list[Source]:
        """Return every source, by id."""
        return await self.read(keeping_sources.all_sources)

    async def put_targets(
        self,
        targets: Iterable[Target],
        *,
        kind: str = "page",
        schedule: str | None = None,
        tags: Sequence[str] = (),
        created_by: str | None = None,
    ) -> Kept:
        """Add the targets the ledger does not know yet and return how many were new, how many known."""
        created = duplicate = 0
        for batch in in_batches(targets, BATCH):
            put = partial(
                keeping_targets.put_targets,
                batch=batch,
                now=self.clock.now(),
                kind=kind,
                schedule=schedule,
                tags=tags,
                created_by=created_by,
            )
            kept = await self.write(put)
            created, duplicate = created + kept.created, duplicate + kept.duplicate
        return Kept(created, duplicate)

    async def targets(
        self, source_id: str | None = None, *, status: str | None = None, after: int = 0, limit: int = 1_000
    ) -> list[Target]:
        """Return a page of targets in the order they were added; `after` is the id it starts above."""
        question = keeping_targets.targets_of(source_id, status=status, after=after, limit=limit)
        return await self.read(
            lambda connection: [keeping_targets.target_of(row) for row in connection.execute(question)]
        )

    async def count_targets(self, source_id: str | None = None) -> int:
        """Return how many targets there are."""
        return await self.read(partial(keeping_targets.count_targets, source_id=source_id))

    async def read_snapshot(self, sha256: str) -> bytes:
        """Return a kept body, proven by its hash, or raise SnapshotDamaged."""
        for _ in range(_LOOKS_AGAIN):
            try:
                return await self.read(lambda connection: self.snapshots.read(connection, sha256))
            except SnapshotDamaged as damage:
                # Its pack may have been rewritten between our two steps; its row then names another by now.
                if not isinstance(damage.__cause__, FileNotFoundError):
                    raise
        return await self.read(lambda connection: self.snapshots.read(connection, sha256))

    async def recall(self, sha256: str) -> bytes | None:
        """Return a kept body, or None when we no longer hold it whole."""
        try:
            return await self.read_snapshot(sha256)
        except SnapshotDamaged:
            return None

    async def note_artefact(self, file: StoredArtefact, *, job_id: int | None = None) -> None:
        """Make a stored file ours; files of a settlement are noted by it instead."""
        await self.write(partial(note_artefact, file=file, job_id=job_id))
