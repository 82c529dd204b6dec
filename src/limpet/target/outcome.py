"""The closed vocabulary: how a job stands, and how it can end. Same words in ledger, metrics, API and docs."""

from __future__ import annotations

from enum import StrEnum


class JobState(StrEnum):
    """Every state a job can be in. A crash leaves `running`; the lease expires and it is pending again."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    NO_RECORD = "no_record"
    SKIPPED = "skipped"
    FAILED = "failed"
    DROPPED = "dropped"
    QUARANTINED = "quarantined"


class Outcome(StrEnum):
    """The one word a target ends a run with."""

    SUCCEEDED = "succeeded"
    NO_RECORD = "no_record"
    SKIPPED = "skipped"
    FAILED = "failed"
    DROPPED = "dropped"
    QUARANTINED = "quarantined"


class RunState(StrEnum):
    """How a run stands."""

    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    ABORTED = "aborted"
    QUARANTINED = "quarantined"


class Trigger(StrEnum):
    """What started a run."""

    UI = "ui"
    WEBHOOK = "webhook"
    CLI = "cli"
    SCHEDULE = "schedule"
    RETRY = "retry"
    RECHECK = "recheck"


class Mode(StrEnum):
    """Over which targets a run goes."""

    FULL = "full"
    NEW = "new"
    RESUME = "resume"
    REREAD = "reread"  # pages an earlier run recorded, read again by today's adapter; nobody is visited


# A sold-out page may hide its price, and a page seen twice in a run is our own doing: neither is the site breaking.
REASONS_EXEMPT_FROM_DRIFT = frozenset({"oos_no_price", "duplicate_within_run"})


# A target that failed so often in a row is broken: left out of runs, and rechecked once a week.
FAILURES_UNTIL_BROKEN = 5

# The site itself says no: refused, too fast, or robots.txt kept from us. What robots.txt merely forbids is not
# among them: there we obeyed, and asked for nothing.
BLOCK_REASONS = frozenset({"blocked", "blocked_page", "rate_limited", "robots_blocked"})
# So many within five minutes switch a source off; an app may be shyer.
BLOCKS_UNTIL_STOPPED = 3


def counts_toward_drift(outcome: Outcome, reason: str | None) -> bool:
    """Whether this ending is a sign that the site, or our reading of it, has changed."""
    if outcome is Outcome.DROPPED:
        return reason not in REASONS_EXEMPT_FROM_DRIFT
    return outcome in (Outcome.FAILED, Outcome.QUARANTINED)
