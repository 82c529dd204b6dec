"""How a journey ends: errors, unreadable pages and verdicts translated into the closed vocabulary."""

from __future__ import annotations

from limpet.errors import DocumentError, FetchError, RobotsDisallowed, SourceRefused, SwitchedOff
from limpet.extract import Missing, Unreadable
from limpet.target import Outcome
from limpet.validate import Dropped, Quarantined, Verdict

Ending = tuple[Outcome, str | None, str]  # outcome, reason, details

# Every reason not named here is a failure.
_UNREADABLE_OUTCOMES = {
    Missing.NO_RECORD: Outcome.NO_RECORD,
    Missing.OOS_NO_PRICE: Outcome.DROPPED,
    Missing.AMBIGUOUS_PRICE: Outcome.QUARANTINED,
    Missing.AMBIGUOUS_VARIANTS: Outcome.QUARANTINED,
}


def ending_of_error(error: FetchError) -> Ending:
    """A disallowed path is dropped, a closed source skipped; everything else is a failure of this target."""
    if isinstance(error, RobotsDisallowed):
        return Outcome.DROPPED, "blocked_by_robots_txt", str(error)
    if isinstance(error, SwitchedOff):
        return Outcome.SKIPPED, error.word, str(error)
    if isinstance(error, SourceRefused):
        return Outcome.SKIPPED, "source_refused", str(error)
    return Outcome.FAILED, _reason_of(error), f"{error.code}: {error}"


def _reason_of(error: FetchError) -> str:
    """Return the word of the request; what a document lacked that has none there is told by its own code."""
    has_no_word = error.outcome == FetchError.outcome
    return error.code if has_no_word and isinstance(error, DocumentError) else error.outcome


def ending_of_unreadable(unreadable: Unreadable) -> Ending:
    """Absence stated by the page is an answer; absence we cannot explain is a failure."""
    outcome = _UNREADABLE_OUTCOMES.get(unreadable.reason, Outcome.FAILED)
    return outcome, unreadable.reason.value, unreadable.details


def ending_of_verdict(verdict: Verdict) -> Ending:
    """Only an accepted record counts as success."""
    if isinstance(verdict, Dropped):
        return Outcome.DROPPED, verdict.reason, verdict.details
    if isinstance(verdict, Quarantined):
        return Outcome.QUARANTINED, verdict.reason, verdict.details
    return Outcome.SUCCEEDED, None, ""
