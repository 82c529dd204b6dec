"""The nested table of a monitor's config.yaml means what it always meant."""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import dedent

import pytest

from limpet.assembly.match_watch import monitor_terms
from limpet.configuration import load_config
from limpet.configuration.scraper_table import SETTINGS_OF
from limpet.errors import ConfigError, SettingsError
from limpet.settings import Settings, load_settings

WHOLE = """
scraper:
  lifecycle: {max_lifetime_hours: 7, polling_interval: 1.5, staleness_threshold: 200}
  resources:
    memory: {soft_limit_mb: 1000, hard_limit_mb: 1100}
    queue: {max_size: 77, max_size_mb: 3}
  resilience:
    circuit_breaker: {threshold: 6, timeout: 61, success_threshold: 4}
    retry: {max_attempts: 5, base_delay: 2, max_delay: 16}
  browser:
    timeouts: {page: 20, navigation: 31, selector: 5}
    headless: true
  monitoring:
    prometheus: {enabled: false, port: 9191}
    health_check: {enabled: false}
    logging: {level: WARN, structured: true}
"""
MEANT = {
    "scraper_max_lifetime_hours": 7,
    "polling_interval_seconds": 1.5,
    "staleness_threshold_seconds": 200,
    "memory_soft_limit_mb": 1000,
    "memory_hard_limit_mb": 1100,
    "max_queue_size": 77,
    "max_queue_size_mb": 3,
    "circuit_breaker_threshold": 6,
    "circuit_breaker_timeout_seconds": 61,
    "circuit_breaker_success_threshold": 4,
    "retry_max_attempts": 5,
    "retry_base_delay_seconds": 2,
    "retry_max_delay_seconds": 16,
    "page_timeout_seconds": 31,
    "enable_prometheus_metrics": False,
    "prometheus_port": 9191,
    "health_check_enabled": False,
    "log_level": "warning",
    "log_format": "json",
}


@pytest.fixture(autouse=True)
def an_empty_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("LIMPET_")]:
        monkeypatch.delenv(name)


def load(text: str) -> Settings:
    Path("limpet.yaml").write_text(dedent(text))
    return load_settings()


def test_every_key_of_the_table_is_a_setting() -> None:
    settings = load(WHOLE)

    assert {name: getattr(settings, name) for name in MEANT} == MEANT
    assert set(SETTINGS_OF.values()) <= MEANT.keys()
    assert load_config(Path("limpet.yaml")).sources == ()


def test_the_monitor_works_by_what_the_table_says() -> None:
    terms = monitor_terms(load(WHOLE))

    assert (terms.rhythm.base_seconds, terms.bounds.max_size) == (1.5, 77)
    assert terms.session.max_lifetime_seconds == 7 * 3600
    assert terms.session.staleness_seconds == 200


def test_settings_and_environment_are_stronger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_MAX_QUEUE_SIZE", "5")

    settings = load(WHOLE + "settings:\n  polling_interval_seconds: 9\n")

    assert (settings.polling_interval_seconds, settings.max_queue_size) == (9, 5)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("scraper: 3", "scraper must be a table"),
        (
            "scraper:\n  lifecycle: {poling_interval: 2}",
            r'lifecycle.poling_interval is not a known key - did you mean "lifecycle.polling_interval"',
        ),
        ("scraper:\n  browser: {headless: false}", "browser.headless must be true"),
    ],
)
def test_what_cannot_be_had_is_refused_by_its_name(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        load(text)


def test_a_value_that_is_none_is_refused_as_the_setting_it_means() -> None:
    with pytest.raises(SettingsError, match="polling_interval_seconds must be"):
        load("scraper:\n  lifecycle: {polling_interval: soon}")
