"""Writes each request down on the trail, for the politeness report and for people who ask what happened."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from limpet.errors import BadAddress, FetchError, GateRefused, RobotsDisallowed, RobotsUnavailable
from limpet.fetch.ask import Ask
from limpet.fetch.outcome import FetchOutcome
from limpet.fetch.trail import RequestNote, Trail
from limpet.source import Source
from limpet.target.address import lane_of, without_secret

if TYPE_CHECKING:
    from limpet.fetch.exchange import Exchange

_ROBOTS_VERDICTS = {RobotsDisallowed.code: "disallowed", RobotsUnavailable.code: "unavailable"}


def note_of_exchange(source: Source, url: str, ask: Ask, exchange: Exchange) -> RequestNote:
    """Return the note of a request that left."""
    answer, problem, passage = exchange.answer, exchange.problem, exchange.passage
    status = answer.status if answer else None
    return RequestNote(
        source_id=source.id,
        domain=passage.domain,
        url=without_secret(url) if ask.has_secret_query else url,
        kind=ask.kind,
        started_at=exchange.started_at,
        elapsed_ms=exchange.elapsed_ms,
        outcome=_word(problem, status),
        status=status,
        error_code=problem.code if problem else None,
        bytes_received=answer.size if answer else 0,
        waited_ms=passage.permit.waited_seconds * 1000,
        robots_verdict=passage.robots.state,
        robots_hash=passage.robots.sha256,
        retry_after_seconds=problem.retry_after if problem else None,
    )


def note_of_refusal(source: Source, url: str, ask: Ask, refusal: GateRefused, now: datetime) -> RequestNote:
    """Return the note of a request that one of our own gates kept back."""
    return RequestNote(
        source_id=source.id,
        domain=_domain(url),
        url=without_secret(url) if ask.has_secret_query else _without_query(url),
        kind=ask.kind,
        started_at=now,
        elapsed_ms=0.0,
        outcome=FetchOutcome(refusal.outcome),
        error_code=refusal.code,
        robots_verdict=_ROBOTS_VERDICTS.get(refusal.code),
        robots_hash=refusal.rules_sha256 if isinstance(refusal, RobotsDisallowed) else None,
    )


def decide_sent(trail: Trail, url: str, exchange: Exchange) -> None:
    """Add the last decision: what became of the request on the wire."""
    problem, answer = exchange.problem, exchange.answer
    size = f"{answer.size:,} bytes" if answer else "no answer"
    status = f"HTTP {answer.status}, " if answer else ""
    detail = f"{problem.code}: {problem}" if problem else f"{status}{size}, {exchange.elapsed_ms:.0f} ms"
    trail.decide("send", url, allowed=problem is None, detail=detail)


def _word(problem: FetchError | None, status: int | None) -> FetchOutcome:
    if problem is not None:
        return FetchOutcome(problem.outcome)
    return FetchOutcome.NOT_MODIFIED if status == 304 else FetchOutcome.OK


def _without_query(url: str) -> str:
    return url.partition("?")[0]


def _domain(url: str) -> str:
    """What is no address has no domain that could have been bothered."""
    try:
        return lane_of(url)
    except BadAddress:
        return ""
