"""Which sources are silent about their live matches, as whoever watches wrote it down: every process reads the same."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta

from sqlalchemy import Connection, select

from limpet.apps.matches.grading import FAILING_SECONDS
from limpet.apps.matches.lifecycle import MatchState
from limpet.apps.matches.tables import match_monitors, matches
from limpet.clock import Clock
from limpet.observe.standing import Watching

# Written every fifteen seconds while its domain takes part: what is older, nobody watches any more.
_WRITTEN_WITHIN = timedelta(seconds=90)
_WATCHED = (MatchState.DISCOVERED.value, MatchState.ACTIVE.value, MatchState.PAUSED.value)


def watched_sources(connection: Connection, *, clock: Clock) -> dict[str, Watching]:
    """Return how the live matches of each source answer, by its id; none without a match that is watched now."""
    silences: dict[str, list[float]] = defaultdict(list)
    question = (
        select(match_monitors.c.metadata)
        .join_from(matches, match_monitors, match_monitors.c.match_id == matches.c.match_id)
        .where(matches.c.state.in_(_WATCHED), matches.c.scraper_status != "stopped")
        .where(match_monitors.c.updated_at >= clock.now() - _WRITTEN_WITHIN)
    )
    for (known,) in connection.execute(question):
        if known.get("silent_seconds") is not None:
            silences[known["source_id"]].append(known["silent_seconds"])
    return {source_id: _watching(seconds) for source_id, seconds in silences.items()}


def _watching(silences: list[float]) -> Watching:
    silent = [seconds for seconds in silences if seconds >= FAILING_SECONDS]
    return Watching(live=len(silences), silent=len(silent), silent_seconds=min(silent, default=0.0))
