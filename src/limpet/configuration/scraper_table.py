"""The nested `scraper:` table monitors have been set up with: read as the settings it means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from limpet.configuration.complaint import did_you_mean
from limpet.errors import ConfigError

# Where each key of the table lives here; docs/settings.md shows the table.
SETTINGS_OF = {
    "lifecycle.max_lifetime_hours": "scraper_max_lifetime_hours",
    "lifecycle.polling_interval": "polling_interval_seconds",
    "lifecycle.staleness_threshold": "staleness_threshold_seconds",
    "resources.memory.soft_limit_mb": "memory_soft_limit_mb",
    "resources.memory.hard_limit_mb": "memory_hard_limit_mb",
    "resources.queue.max_size": "max_queue_size",
    "resources.queue.max_size_mb": "max_queue_size_mb",
    "resilience.circuit_breaker.threshold": "circuit_breaker_threshold",
    "resilience.circuit_breaker.timeout": "circuit_breaker_timeout_seconds",
    "resilience.circuit_breaker.success_threshold": "circuit_breaker_success_threshold",
    "resilience.retry.max_attempts": "retry_max_attempts",
    "resilience.retry.base_delay": "retry_base_delay_seconds",
    "resilience.retry.max_delay": "retry_max_delay_seconds",
    "browser.timeouts.page": "page_timeout_seconds",
    "monitoring.prometheus.enabled": "enable_prometheus_metrics",
    "monitoring.prometheus.port": "prometheus_port",
    "monitoring.health_check.enabled": "health_check_enabled",
    "monitoring.logging.level": "log_level",
}
NAVIGATION, SELECTOR = "browser.timeouts.navigation", "browser.timeouts.selector"
HEADLESS, STRUCTURED = "browser.headless", "monitoring.logging.structured"
KNOWN = (*SETTINGS_OF, NAVIGATION, SELECTOR, HEADLESS, STRUCTURED)


def settings_of_scraper(table: Any, *, path: Path) -> dict[str, Any]:
    """Return the settings a `scraper:` table means, or raise ConfigError naming the key that cannot be had."""
    if not isinstance(table, Mapping):
        raise ConfigError(f"{path}: scraper must be a table.", fix="docs/settings.md shows one.")
    said = dict(_leaves(table))
    for key in said:
        if key not in KNOWN:
            hint = did_you_mean(key, KNOWN) or "."
            raise ConfigError(
                f"{path}: scraper.{key} is not a known key{hint}", fix="docs/settings.md lists them."
            )
    if said.get(HEADLESS, True) is not True:
        raise ConfigError(
            f"{path}: scraper.{HEADLESS} must be true: there is no window here.", fix="Remove it."
        )
    return _translated(said)


def _translated(said: Mapping[str, Any]) -> dict[str, Any]:
    settings = {SETTINGS_OF[key]: value for key, value in said.items() if key in SETTINGS_OF}
    # One deadline for a whole visit: going there and waiting for what one looks for are parts of it.
    parts = [said[key] for key in ("browser.timeouts.page", NAVIGATION) if key in said]
    if NAVIGATION in said and all(isinstance(part, int | float) for part in parts):
        settings["page_timeout_seconds"] = max(parts)
    if STRUCTURED in said:
        settings["log_format"] = "json" if said[STRUCTURED] is True else "text"
    return settings


def _leaves(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value
