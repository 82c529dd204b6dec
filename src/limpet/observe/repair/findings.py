"""What was found about a breakage: plain values, the same for the bundle, the portal and the API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Candidate:
    """Where a lost value may be now."""

    way: str  # css, json_ld, meta or json_path
    where: str
    says: str  # what stands there
    because: str
    is_steady: bool = True  # no name in it looks made by a machine or for the moment


@dataclass(frozen=True, slots=True)
class PlaceFinding:
    """One place the site reads from, before and now."""

    name: str
    field: str
    way: str
    where: str
    within: str
    before: int | None  # matches on the good page; None when there is none
    now: int
    is_lost: bool
    is_needed: bool
    held: str = ""  # what stood there
    stood: str = ""  # the elements around it
    stands: str = ""  # the elements around the first candidate
    candidates: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """Names of one kind that only one of the pages has; counts are whole, lists are cut."""

    kind: str
    vanished: tuple[str, ...]
    appeared: tuple[str, ...]
    vanished_count: int
    appeared_count: int


@dataclass(frozen=True, slots=True)
class ReadAs:
    """A page, what was made of it then, and what is made of it now."""

    job_id: int
    run_id: int
    source_id: str
    url: str
    fetched_at: datetime | None
    sha256: str
    bytes: int
    then: str
    then_version: str | None
    now: str
    record: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Proof:
    """What the page reads as once every lost place is moved to its first candidate."""

    moved: Mapping[str, str]  # place -> its new selector or path
    reads: str
    is_as_expected: bool


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything that is known; `remarks` says in sentences what must not be guessed from the rest."""

    site_id: str
    site_version: str
    app: str
    good: ReadAs | None
    bad: ReadAs | None
    is_same_target: bool
    reasons: Mapping[str, int]  # how many targets are broken now, by reason
    failing_field: str
    failing_selector: str
    complaint: str
    remarks: tuple[str, ...]
    places: tuple[PlaceFinding, ...]
    differences: tuple[Difference, ...]
    likeness_percent: int | None
    expected: Mapping[str, Any] | None  # what the failing test asks for; None when none can be made
    doubts: tuple[str, ...]  # what of it a person must look at
    general: str  # what the general rules make of the bad page
    proof: Proof | None

    @property
    def lost(self) -> tuple[PlaceFinding, ...]:
        """The places that hold nothing any more."""
        return tuple(each for each in self.places if each.is_lost)
