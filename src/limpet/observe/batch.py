"""How a run went for one adapter, in the figures drift is judged by. Derived from job rows, never incremented."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from limpet.target import JobState

# How many jobs of a run ended how: by JobState and reason.
Endings = Mapping[tuple[str, str | None], int]

_ATTEMPTED = frozenset(
    {JobState.SUCCEEDED, JobState.NO_RECORD, JobState.FAILED, JobState.DROPPED, JobState.QUARANTINED}
)
_OOS, _DUPLICATE, _ROBOTS = "oos_no_price", "duplicate_within_run", "blocked_by_robots_txt"
ZERO_PRICE = "zero_price_extracted"


@dataclass(frozen=True, slots=True)
class ScrapeRunMetrics:
    """What is counted. A sold-out page without a price and a product seen twice are in counts of their own alone."""

    urls_attempted: int = 0
    urls_succeeded: int = 0  # the page came and could be read, whatever was thought of it
    urls_failed: int = 0  # it did not come, or could not be read
    offers_extracted: int = 0
    offers_valid: int = 0
    offers_dropped: int = 0
    offers_quarantined: int = 0
    zero_price_count: int = 0
    lost_price_count: int = 0  # of these, targets that have had a price before
    oos_no_price_count: int = 0
    duplicate_count: int = 0
    no_record_count: int = 0  # the page says that there is nothing: an answer

    @property
    def urls_judged(self) -> int:
        """Attempts that say something about the site; the exempt ones are left out here, and nowhere else."""
        return self.urls_attempted - self.oos_no_price_count - self.duplicate_count

    @property
    def urls_troubled(self) -> int:
        """Attempts that hint at the site, or our reading of it, having changed."""
        return self.urls_failed + self.offers_dropped + self.offers_quarantined


@dataclass(frozen=True, slots=True)
class DerivedMetrics:
    """The rates; zero where nothing was judged."""

    failure_rate: float
    drop_rate: float
    yield_rate: float


def measure(endings: Endings, *, lost_prices: int = 0) -> ScrapeRunMetrics:
    """Count one adapter's part of a run; what was skipped was never attempted."""

    def count(state: JobState, *reasons: str) -> int:
        return sum(
            n for (word, why), n in endings.items() if word == state and (not reasons or why in reasons)
        )

    attempted = sum(n for (word, _), n in endings.items() if word in _ATTEMPTED)
    failed, valid = count(JobState.FAILED), count(JobState.SUCCEEDED)
    oos, twice = count(JobState.DROPPED, _OOS), count(JobState.DROPPED, _DUPLICATE)
    dropped = count(JobState.DROPPED) - oos - twice
    unread = count(JobState.DROPPED, _ROBOTS)  # dropped, but nothing was ever extracted from it
    quarantined = count(JobState.QUARANTINED)
    return ScrapeRunMetrics(
        urls_attempted=attempted,
        urls_succeeded=attempted - failed,
        urls_failed=failed,
        offers_extracted=valid + dropped - unread + twice + quarantined,
        offers_valid=valid,
        offers_dropped=dropped,
        offers_quarantined=quarantined,
        zero_price_count=count(JobState.QUARANTINED, ZERO_PRICE),
        lost_price_count=lost_prices,
        oos_no_price_count=oos,
        duplicate_count=twice,
        no_record_count=count(JobState.NO_RECORD),
    )


def derive(metrics: ScrapeRunMetrics) -> DerivedMetrics:
    """Return the rates of a batch."""
    return DerivedMetrics(
        failure_rate=_share(metrics.urls_troubled, metrics.urls_judged),
        drop_rate=_share(metrics.offers_dropped, metrics.offers_extracted),
        yield_rate=_share(metrics.offers_valid, metrics.urls_judged),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole > 0 else 0.0
