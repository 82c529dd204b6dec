"""The one way to the network, with everything that may say no on it."""

from __future__ import annotations

from contextlib import AsyncExitStack

from limpet.clock import Clock
from limpet.fetch.client import Client
from limpet.fetch.gates import Gates
from limpet.fetch.http import HttpTransport
from limpet.fetch.policy.breaker import Breakers, BreakerTerms
from limpet.fetch.policy.rate import Budget
from limpet.fetch.policy.resolver import GuardedResolver
from limpet.fetch.policy.retry import RetryPolicy
from limpet.fetch.policy.robots_keeper import RobotsKeeper
from limpet.record.breaker_file import FileBreakers
from limpet.record.budget_file import FileBudget
from limpet.record.ledger import Ledger
from limpet.record.robots_memory import LedgerRobotsMemory
from limpet.settings import Settings
from limpet.source.catalogue import Catalogue


def client_of(settings: Settings, gates: Gates, clock: Clock, stack: AsyncExitStack) -> Client:
    """Return the client whose every request passes these gates."""
    client = Client(
        gates,
        HttpTransport(_resolver(gates.catalogue)),
        clock=clock,
        user_agent=settings.agent,
        requests_at_once=settings.requests_at_once,
    )
    stack.push_async_callback(client.close)
    return client


def gates_of(
    settings: Settings, catalogue: Catalogue, ledger: Ledger, clock: Clock, stack: AsyncExitStack
) -> Gates:
    """Return the gates, with what they share with every other worker."""
    terms = BreakerTerms(
        failure_threshold=settings.circuit_breaker_threshold,
        rest_seconds=settings.circuit_breaker_timeout_seconds,
        success_threshold=settings.circuit_breaker_success_threshold,
    )
    budget, breakers = _shared_pace(settings, terms, clock, stack)
    robots = RobotsKeeper(agent=settings.agent, clock=clock, memory=LedgerRobotsMemory(ledger))
    return Gates(catalogue, robots, breakers, budget)


def page_retries(settings: Settings) -> RetryPolicy:
    """Return how often a page is tried, and how long apart."""
    return RetryPolicy(
        max_attempts=settings.retry_max_attempts,
        first_delay=settings.retry_base_delay_seconds,
        max_delay=settings.retry_max_delay_seconds,
    )


def _shared_pace(
    settings: Settings, terms: BreakerTerms, clock: Clock, stack: AsyncExitStack
) -> tuple[Budget, Breakers]:
    """One count per domain: in files for all processes of one data directory, in Redis for all hosts."""
    if settings.redis_url:
        # Not before it is asked for: the embedded house starts without this library.
        from limpet.record.breaker_redis import RedisBreakers  # noqa: PLC0415
        from limpet.record.budget_redis import RedisBudget  # noqa: PLC0415
        from limpet.record.redis_client import connect_redis  # noqa: PLC0415

        redis = connect_redis(settings.redis_url)
        stack.push_async_callback(redis.aclose)
        shared = RedisBudget(redis, clock=clock, lease_seconds=settings.silence_seconds)
        stack.callback(shared.close)
        return shared, RedisBreakers(redis, clock=clock, terms=terms)
    budget = FileBudget(settings.data_dir, clock=clock)
    breakers = FileBreakers(settings.data_dir, clock=clock, terms=terms)
    stack.callback(breakers.close)
    stack.callback(budget.close)
    return budget, breakers


def _resolver(catalogue: Catalogue) -> GuardedResolver:
    permitted = (source for source in catalogue.list() if source.allow_private_addresses)
    return GuardedResolver(private_hosts=[host for source in permitted for host in source.hosts])
