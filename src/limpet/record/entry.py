"""What passes over the ledger's counter: jobs handed out, and settlements handed in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from msgspec import Struct
from sqlalchemy import Connection

from limpet.fetch.filing import StoredArtefact
from limpet.fetch.page import Page
from limpet.fetch.trail import RequestNote
from limpet.target import Outcome, Target
from limpet.target.outcome import Mode, RunState, Trigger

# Whether a run with the first params must wait for an unfinished one with the second.
Clashes = Callable[[Mapping[str, Any], Mapping[str, Any]], bool]


@dataclass(frozen=True, slots=True)
class NewRun:
    """A run about to be planned."""

    app: str
    source_id: str | None  # None when the run spans several sources
    trigger: Trigger = Trigger.CLI
    mode: Mode = Mode.FULL
    dry_run: bool = False
    params: Mapping[str, Any] = field(default_factory=dict)
    due_at: datetime | None = None  # which fire of the source's schedule this run answers
    is_prepared: bool = True  # False when the app finds out what it goes over once it is walked
    is_exclusive: bool = False  # no other run of this source may be unfinished
    clashes: Clashes | None = None  # which others are in its way; none: every one


@dataclass(frozen=True, slots=True)
class Run:
    """A run as the ledger knows it; the counts are derived from its job rows."""

    id: int
    app: str
    source_id: str | None
    trigger: Trigger
    mode: Mode
    state: RunState
    planned: int
    started_at: datetime
    ended_at: datetime | None = None
    dry_run: bool = False
    error_code: str | None = None
    error_message: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)  # by JobState
    is_prepared: bool = True


class Lease(Struct, frozen=True):
    """The right to work on one job. `fence` grows with every lease: a late writer is refused."""

    job_id: int
    run_id: int
    target: Target
    fence: int
    attempt: int  # how many attempts earlier leases already used
    last_snapshot: str | None = None  # sha256 of the body we hold for this target, if any
    withdrawn: str | None = None  # why a person took the target out since the run was planned


class AttemptNote(Struct):
    """One try of a job; how long its page took to read is filled in once it is read."""

    number: int
    started_at: datetime
    elapsed_ms: float
    outcome: str  # a FetchOutcome word, or an Outcome word when the page was read
    error_code: str | None = None
    error_message: str | None = None
    status: int | None = None
    extract_ms: float | None = None  # of the try whose page was read


class Settlement(Struct, frozen=True):
    """How one job ended, with everything that must become durable in the same transaction."""

    lease: Lease
    outcome: Outcome
    settled_at: datetime
    reason: str | None = None
    details: str = ""
    record: Any = None  # the app's record when accepted, or the one set aside when quarantined
    page: Page | None = None  # kept as a content-addressed snapshot: the evidence of the verdict
    site_id: str = ""
    site_version: str = ""
    attempts: Sequence[AttemptNote] = ()
    requests: Sequence[RequestNote] = ()
    artefacts: Sequence[StoredArtefact] = ()


class Bookkeeper(Protocol):
    """An app's own pen: writes its tables inside the ledger's transaction, a whole group at a time."""

    app: str

    def write(self, connection: Connection, settled: Sequence[Settlement]) -> None:
        """Write the facts of these settlements; must be idempotent by unique keys."""
        ...
