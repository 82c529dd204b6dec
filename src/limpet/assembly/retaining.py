"""The retention rules of this house, and who applies them."""

from __future__ import annotations

from collections.abc import Callable

from limpet.assembly.apps import all_apps
from limpet.configuration import Config
from limpet.engine.retention_keeper import RetentionKeeper
from limpet.observe.alert_sweep import has_unheeded
from limpet.record.ledger import Ledger
from limpet.record.retention.policy import Keep, RetentionPolicy
from limpet.record.retention.work import RetentionWork
from limpet.settings import Settings


def retention_policy(settings: Settings, config: Config) -> RetentionPolicy:
    """Return how long everything is kept: the settings, and what single sources say."""
    house = Keep(
        pages_days=settings.retention_pages_days,
        keep_last_pages=settings.retention_keep_last_pages,
        requests_days=settings.retention_requests_days,
        attempts_days=settings.retention_attempts_days,
        events_days=settings.retention_events_days,
    )
    return RetentionPolicy(house, {each.source.id: each.source.retention for each in config.sources})


def retention_work(
    settings: Settings, config: Config, ledger: Ledger, is_stopping: Callable[[], bool] = lambda: False
) -> RetentionWork:
    """Return one application of the rules, yet to be done."""
    holds = [app.needed_pages for app in all_apps().values() if app.needed_pages is not None]
    return RetentionWork(
        ledger,
        retention_policy(settings, config),
        app_holds=holds,
        events_wait=has_unheeded,
        is_stopping=is_stopping,
    )


def retention_keeper(settings: Settings, config: Config, ledger: Ledger) -> RetentionKeeper:
    """Return who applies them once a day."""
    return RetentionKeeper(
        retention_policy(settings, config),
        lambda is_stopping: retention_work(settings, config, ledger, is_stopping),
    )
