"""Where docket targets come from: case numbers people wrote down, each under the one address it is asked at."""

from __future__ import annotations

from collections.abc import Sequence

from limpet.apps.dockets.addresses import case_address, case_written
from limpet.extract.parse.case_number import CaseNumber
from limpet.source import Source
from limpet.target import Target
from limpet.target.address import lane_of


def target_of(source: Source, text: str) -> Target:
    """Return the target for a case number, or for the address of one; raise BadCaseNumber when it is neither."""
    return target_of_case(source, case_written(text))


def target_of_case(source: Source, case: CaseNumber, *, extras: Sequence[str] = ()) -> Target:
    """Return the target for a case; extras are what is asked for beside the docket."""
    address = case_address(source, case)
    params = {"extras": list(extras)} if extras else {}
    return Target(source_id=source.id, address=address, url=address, lane=lane_of(address), params=params)
