"""The gates in front of the network, in their one order: source, address, robots, breaker, rate."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from msgspec import Struct

from limpet.errors import (
    AddressForbidden,
    BadAddress,
    BreakerOpen,
    BudgetUnavailable,
    FetchError,
    GateRefused,
    RobotsDisallowed,
    RobotsUnavailable,
)
from limpet.fetch.policy.allowlist import check_source_address
from limpet.fetch.policy.breaker import Breakers
from limpet.fetch.policy.rate import Budget, Permit
from limpet.fetch.policy.robots_keeper import RobotsAnswer, RobotsKeeper, RobotsVerdict
from limpet.fetch.trail import Trail
from limpet.source import Source
from limpet.source.catalogue import Catalogue
from limpet.target.address import lane_of_origin

T = TypeVar("T")
FetchRobots = Callable[[Source, str], Awaitable[RobotsAnswer]]

# When one of these kept us from robots.txt, the site has said nothing: it is that gate which is shut.
_SHUT_FOR_EVERYBODY: Mapping[str, type[GateRefused]] = {
    gate.code: gate for gate in (BreakerOpen, BudgetUnavailable)
}


class Passage(Struct):
    """Leave to send one request now. `leave` must be called once the origin answered, or did not."""

    url: str  # as it must be dialled
    domain: str
    breaker: str
    robots: RobotsVerdict
    permit: Permit


@dataclass(frozen=True, slots=True)
class Gates:
    """Everything that may say no. Each redirect hop and every retry starts again from the top."""

    catalogue: Catalogue
    robots: RobotsKeeper
    breakers: Breakers
    budget: Budget

    async def pass_through(
        self, source: Source, url: str, *, trail: Trail, is_robots: bool, fetch_robots: FetchRobots
    ) -> Passage:
        """Return the passage, or raise the refusal of the first gate that says no."""
        url = self._check_visit(source, url, trail)
        domain = lane_of_origin(url[: url.find("/", len("https://"))])
        robots = await self._check_robots(source, url, trail, is_robots, fetch_robots)
        breaker = f"site:{domain}"
        await self._guarded("breaker", url, trail, self.breakers.check(breaker))
        try:
            permit = await self._guarded(
                "rate",
                url,
                trail,
                self.budget.enter(domain, source.pace, crawl_delay=robots.crawl_delay or 0.0),
            )
        except BaseException:
            await self.breakers.abandoned(breaker)
            raise
        if trail.verbose:
            trail.decide("breaker", url, allowed=True, detail=breaker)
            trail.decide("rate", url, allowed=True, detail=f"{domain}: waited {permit.waited_seconds:.2f} s")
        return Passage(url, domain, breaker, robots, permit)

    def _check_visit(self, source: Source, url: str, trail: Trail) -> str:
        """Return the address in the spelling that was judged: that one is dialled and no other."""
        gate = "source"
        try:
            self.catalogue.gate(source)
            gate = "address"
            checked = check_source_address(source, url)
        except (GateRefused, BadAddress) as refusal:
            trail.decide(gate, url, allowed=False, detail=str(refusal))
            raise _as_forbidden(refusal) from refusal
        if trail.verbose:
            trail.decide("source", url, allowed=True, detail=f"{source.id} is enabled and approved")
            trail.decide("address", url, allowed=True, detail=f"dialled as {checked}")
        return checked

    async def _check_robots(
        self, source: Source, url: str, trail: Trail, is_robots: bool, fetch_robots: FetchRobots
    ) -> RobotsVerdict:
        if is_robots or not source.obey_robots:
            detail = (
                "robots.txt itself" if is_robots else "this source is read by agreement, not by robots.txt"
            )
            return RobotsVerdict(allowed=True, state="not_asked", detail=detail)
        verdict = await self.robots.verdict(source, url, fetch_robots)
        trail.decide("robots", url, allowed=verdict.allowed, detail=verdict.detail or verdict.state)
        if verdict.allowed:
            return verdict
        if verdict.state == "unavailable":
            error = _SHUT_FOR_EVERYBODY.get(verdict.gate, RobotsUnavailable)
            raise error(verdict.detail, retry_after=verdict.retry_after)
        forbidden = RobotsDisallowed(verdict.detail)
        forbidden.rules_sha256 = verdict.sha256
        raise forbidden

    @staticmethod
    async def _guarded(gate: str, url: str, trail: Trail, step: Awaitable[T]) -> T:
        try:
            return await step
        except FetchError as refusal:
            trail.decide(gate, url, allowed=False, detail=str(refusal))
            raise


def _as_forbidden(refusal: GateRefused | BadAddress) -> GateRefused:
    """On the way to the network a malformed address is one more that may not be dialled."""
    if isinstance(refusal, GateRefused):
        return refusal
    return AddressForbidden(str(refusal), fix=refusal.fix)
