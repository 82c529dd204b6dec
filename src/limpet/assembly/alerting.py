"""Who keeps the alerts, and whom they are told to."""

from __future__ import annotations

from functools import partial

from limpet.apps.matches.silence import watched_sources
from limpet.engine.alert_keeper import AlertKeeper
from limpet.errors import SettingsError
from limpet.observe.alert_sending import Audience, Destination
from limpet.observe.quiet_hours import parse_quiet_hours
from limpet.observe.standing import Surveyor
from limpet.record.alert_tables import Severity
from limpet.record.ledger import Ledger
from limpet.settings import Settings
from limpet.source.catalogue import Catalogue
from limpet.source.source import MEBIBYTE


def alert_keeper(settings: Settings, ledger: Ledger, catalogue: Catalogue) -> AlertKeeper:
    """Return who keeps the alerts of this ledger."""
    needed = settings.min_free_disk_mb * MEBIBYTE
    surveyor = Surveyor(partial(watched_sources, clock=ledger.clock))
    return AlertKeeper(ledger, catalogue, ledger.clock, audience_of(settings), needed, surveyor)


def audience_of(settings: Settings) -> Audience:
    """Whom alerts are told to: `alert_urls` hear everything, `alert_paging_urls` only what cannot wait."""
    everything = [Destination(url) for url in settings.alert_urls.split()]
    paging = [Destination(url, (Severity.P1.value,)) for url in settings.alert_paging_urls.split()]
    try:
        quiet = parse_quiet_hours(settings.alert_quiet_hours)
    except ValueError as wrong:
        sentence = f"LIMPET_ALERT_QUIET_HOURS is {settings.alert_quiet_hours!r}."
        raise SettingsError(sentence, fix=f"Write {wrong}.") from None
    return Audience((*everything, *paging), quiet, allow_private=settings.alert_private_addresses)
