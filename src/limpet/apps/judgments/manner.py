"""How a run visits the court: its own wishes may slow it down, never speed it up."""

from __future__ import annotations

from dataclasses import replace

from limpet.fetch.policy.retry import RetryPolicy
from limpet.record.entry import Run
from limpet.source import Source


def manner(run: Run, source: Source, retry: RetryPolicy) -> tuple[Source, RetryPolicy]:
    """Return the source's pace and the patience with errors as this run wants them."""
    pace = source.pace
    delay, at_once = run.params.get("per_download_delay"), run.params.get("concurrency")
    if delay is not None:
        pace = replace(pace, min_delay_seconds=max(pace.min_delay_seconds, float(delay)))
    if at_once is not None:
        pace = replace(pace, max_concurrent=max(1, min(pace.max_concurrent, int(at_once))))
    tries = run.params.get("max_retries")
    patience = retry if tries is None else replace(retry, max_attempts=max(1, int(tries)))
    return replace(source, pace=pace), patience
