"""Which identities a run has already accepted, and by which job: a page seen twice counts once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from sqlalchemy import Connection


@runtime_checkable
class RemembersIdentities(Protocol):
    """A bookkeeper that can tell which identities a run has recorded, with the job of each."""

    def identities(
        self, connection: Connection, run_id: int, *, lane: str | None = None
    ) -> Iterable[tuple[str, int]]:
        """Yield (identity, job id) of everything recorded in this run; with a lane, at least of what is its."""
        ...


class Identities:
    """First come, first claimed. The same job may claim again: a journey repeated is not a duplicate."""

    def __init__(self, recorded: Iterable[tuple[str, int]] = ()) -> None:
        self._claims: dict[str, int] = dict(recorded)

    def __len__(self) -> int:
        return len(self._claims)

    def claim(self, identity: str, job_id: int) -> bool:
        """Return whether this job is the first of its run to have the identity."""
        return self._claims.setdefault(identity, job_id) == job_id

    def forget(self, identity: str, job_id: int) -> None:
        """Give a claim up: its settlement was refused, or ended as something else than accepted."""
        if self._claims.get(identity) == job_id:
            del self._claims[identity]
