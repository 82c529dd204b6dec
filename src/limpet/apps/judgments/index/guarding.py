"""The guard against a sudden emptiness: an index that drops too much waits until a person says yes."""

from __future__ import annotations

from limpet.apps.judgments.index.comparing import Comparison
from limpet.apps.judgments.index.survey import Survey

MOST_REMOVED = 0.2
_FEW = 5  # of a handful, one gone is a fifth: too few to judge by share


def reason_to_hold(found: Survey, changes: Comparison, *, most_removed: float = MOST_REMOVED) -> str:
    """Return why this version must not be applied by itself; empty when it may."""
    removed, before = len(changes.removed), changes.active_before
    if removed and not found.ends_with_a_line:
        return f"it ends in the middle of a line, and {removed:,} of {before:,} cases are missing from it"
    if removed > _FEW and changes.removed_share > most_removed:
        return f"{removed:,} of {before:,} cases ({changes.removed_share:.0%}) are missing from it"
    return ""
