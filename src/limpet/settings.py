"""How this process shall behave: `LIMPET_*`, the file, the defaults. The only reader of the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from limpet import __version__
from limpet.configuration import read_settings_table
from limpet.configuration.complaint import describe, did_you_mean
from limpet.errors import SettingsError

PREFIX = "LIMPET_"
# Read by the test suite and by set-up scripts, never by Limpet itself.
NOT_SETTINGS = frozenset({"LIMPET_REQUIRE_SERVERS"})
DEFAULT_CONFIG_NAMES = ("limpet.toml", "limpet.yaml", "limpet.yml")

_file_table: ContextVar[Mapping[str, Any]] = ContextVar("_file_table")


class _FileTable(PydanticBaseSettingsSource):
    """The `[settings]` table of the config file: weaker than the environment, stronger than the defaults."""

    def get_field_value(self, field: Any, field_name: str) -> tuple[Any, str, bool]:
        return _file_table.get({}).get(field_name), field_name, False

    def __call__(self) -> dict[str, Any]:
        return dict(_file_table.get({}))


class Settings(BaseSettings):
    """Checked at start and never changed afterwards; docs/settings.md explains each field."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, extra="forbid", frozen=True)

    # where things are
    data_dir: Path = Path("data")
    config: Path | None = None
    database_url: Annotated[str | None, Field(repr=False)] = None
    redis_url: Annotated[str | None, Field(repr=False)] = None

    # the portal
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65_535)] = 8787
    public_name: Annotated[str, Field(pattern=r"^[A-Za-z0-9.:\[\]-]*$", max_length=260)] = ""
    enable_prometheus_metrics: bool = True
    prometheus_port: Annotated[int, Field(ge=0, le=65_535)] = 0
    health_check_enabled: bool = True
    session_hours: Annotated[float, Field(gt=0, le=720)] = 12.0
    plain_http: bool = False

    # the webhook of a change watcher
    webhook_secret: Annotated[str | None, Field(repr=False, min_length=16, max_length=512)] = None
    webhook_query_token: bool = False
    webhook_new_limit_max: Annotated[int, Field(ge=1, le=10_000)] = 50
    webhook_burst_seconds: Annotated[float, Field(ge=0, le=3600)] = 10.0
    webhook_replay_seconds: Annotated[float, Field(ge=0, le=86_400)] = 300.0

    # what we say about ourselves
    user_agent: Annotated[str, Field(max_length=300)] = ""
    contact: Annotated[str, Field(max_length=200)] = ""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["text", "json"] = "text"
    debug: bool = False

    # the crew
    concurrency: Annotated[int, Field(ge=1, le=10_000)] = 2_000
    requests_at_once: Annotated[int, Field(ge=1, le=10_000)] = 512
    lease_seconds: Annotated[float, Field(ge=5, le=86_400)] = 120.0
    silence_seconds: Annotated[float, Field(ge=2, le=600)] = 25.0
    drain_seconds: Annotated[float, Field(ge=0, le=3600)] = 30.0
    retry_max_attempts: Annotated[int, Field(ge=1, le=20)] = 3
    retry_base_delay_seconds: Annotated[float, Field(ge=0, le=600)] = 1.0
    retry_max_delay_seconds: Annotated[float, Field(ge=0, le=3600)] = 30.0
    circuit_breaker_threshold: Annotated[int, Field(ge=1, le=1000)] = 5
    circuit_breaker_timeout_seconds: Annotated[float, Field(gt=0, le=86_400)] = 60.0
    circuit_breaker_success_threshold: Annotated[int, Field(ge=1, le=1000)] = 5

    # the queue
    max_pending_per_adapter: Annotated[int, Field(ge=1)] = 1_000
    max_pending_total: Annotated[int, Field(ge=1)] = 10_000
    max_pending_hours: Annotated[float, Field(gt=0)] = 24.0

    # what is kept
    min_free_disk_mb: Annotated[int, Field(ge=0)] = 200
    retention_pages_days: Annotated[float, Field(ge=0, le=36_500)] = 0.0
    retention_keep_last_pages: Annotated[int, Field(ge=1, le=1_000)] = 1
    retention_requests_days: Annotated[float, Field(ge=0, le=36_500)] = 0.0
    retention_attempts_days: Annotated[float, Field(ge=0, le=36_500)] = 0.0
    retention_events_days: Annotated[float, Field(ge=0, le=36_500)] = 0.0

    # the promise of freshness: which part of all visits must bring a page
    freshness_objective: Annotated[float, Field(ge=0.5, le=0.9999)] = 0.95

    # alerts
    alert_urls: Annotated[str, Field(repr=False)] = ""
    alert_paging_urls: Annotated[str, Field(repr=False)] = ""
    alert_quiet_hours: Annotated[str, Field(pattern=r"^(\d{1,2}:\d\d-\d{1,2}:\d\d( +[\w+/-]+)?)?$")] = ""
    alert_private_addresses: bool = False

    # the match monitor
    match_sources: Path | None = None
    polling_interval_seconds: Annotated[float, Field(ge=0.2, le=3600)] = 2.5
    discovery_interval_seconds: Annotated[float, Field(ge=1, le=86_400)] = 60.0
    staleness_threshold_seconds: Annotated[float, Field(ge=10, le=86_400)] = 300.0
    concurrency_cap: Annotated[int, Field(ge=1, le=1_000)] = 40
    max_queue_size: Annotated[int, Field(ge=1)] = 1_000
    max_queue_size_mb: Annotated[float, Field(gt=0)] = 10.0
    page_timeout_seconds: Annotated[float, Field(ge=1, le=600)] = 15.0
    total_timeout_seconds: Annotated[float, Field(ge=1, le=3600)] = 45.0
    monitor_request_hours: Annotated[float, Field(gt=0, le=876_000)] = 24.0
    monitor_note_days: Annotated[float, Field(gt=0, le=36_500)] = 30.0
    enable_adaptive_polling: bool = True
    enable_adaptive_timeouts: bool = True
    enable_match_state_detection: bool = True
    backend_url: str = ""
    backend_user: str = ""
    backend_password: Annotated[str, Field(repr=False)] = ""

    # the browser
    chromium: Path | None = None
    browser_contexts: Annotated[int, Field(ge=1, le=64)] = 4
    browser_sandbox: bool = True
    browser_max_tasks: Annotated[int, Field(ge=1)] = 10_000
    browser_max_pids: Annotated[int, Field(ge=10)] = 200
    scraper_max_lifetime_hours: Annotated[float, Field(gt=0, le=168)] = 6.0
    memory_soft_limit_mb: Annotated[int, Field(ge=128)] = 1536
    memory_hard_limit_mb: Annotated[int, Field(ge=128)] = 2048

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The command line first, then the environment, then the file. A .env file is never read."""
        return init_settings, env_settings, _FileTable(settings_cls)

    @field_validator("log_level", "log_format", mode="before")
    @classmethod
    def _any_case(cls, value: Any) -> Any:
        word = value.lower() if isinstance(value, str) else value
        return {"warn": "warning", "critical": "error"}.get(word, word)

    @field_validator("database_url")
    @classmethod
    def _a_known_database(cls, value: str | None) -> str | None:
        if value and value.partition(":")[0].partition("+")[0] not in {"sqlite", "postgresql", "postgres"}:
            raise ValueError("an address such as postgresql://user@host/name or sqlite:///path")
        return value

    @field_validator("redis_url")
    @classmethod
    def _a_known_redis(cls, value: str | None) -> str | None:
        if value and value.partition("://")[0] not in {"redis", "rediss", "unix"}:
            raise ValueError("an address such as redis://host:6379/0")
        return value

    @field_validator("user_agent", "contact")
    @classmethod
    def _one_line(cls, value: str) -> str:
        if not value.isprintable() or not value.isascii():
            raise ValueError("one line of plain ASCII, because it is sent as a header")
        return value

    @property
    def ledger_place(self) -> str | Path:
        """Where the ledger lives: the database asked for, or a SQLite file in the data directory."""
        return self.database_url or self.data_dir

    @property
    def is_scaled(self) -> bool:
        """Whether several hosts may share the work: a database and a pace that all of them can reach."""
        return bool(self.database_url and self.redis_url)

    @property
    def agent(self) -> str:
        """How we introduce ourselves to every site: a name a robots.txt can address, and whom to write to."""
        contact = f" (+{self.contact})" if self.contact else ""
        return self.user_agent or f"Limpet/{__version__}{contact}"

    @property
    def logs_dir(self) -> Path:
        return self.data_dir / "logs"


def load_settings(**asked: Any) -> Settings:
    """Return the settings, or raise SettingsError or ConfigError with one sentence.

    `asked` is what the command line says; a value of None means that it says nothing.
    """
    asked = {name: value for name, value in asked.items() if value is not None}
    _refuse_unknown_variables(os.environ)
    config = find_config(asked.get("config") or os.environ.get(f"{PREFIX}CONFIG") or None)
    table = read_settings_table(config) if config else {}
    _refuse_unknown_keys(table, config)
    token = _file_table.set(table)
    try:
        return Settings(**(asked | {"config": config}))
    except ValidationError as wrong:
        raise _complaint(wrong, asked, table=table, config=config) from None
    finally:
        _file_table.reset(token)


def find_config(named: str | os.PathLike[str] | None) -> Path | None:
    """Return the config file that was named, or the one that lies here under its usual name."""
    if named:
        return Path(named)
    return next((Path(name) for name in DEFAULT_CONFIG_NAMES if Path(name).is_file()), None)


def _refuse_unknown_variables(environment: Mapping[str, str]) -> None:
    known = {PREFIX + name.upper() for name in Settings.model_fields} | NOT_SETTINGS
    for name in sorted(environment):
        if name.startswith(PREFIX) and name not in known:
            hint = did_you_mean(name.lower(), [each.lower() for each in sorted(known)]).upper()
            hint = hint.replace("DID YOU MEAN", "did you mean")
            sentence = f"The environment variable {name} is not a setting{hint or '.'}"
            raise SettingsError(sentence, fix="Correct or unset it; docs/settings.md lists every setting.")


def _refuse_unknown_keys(table: Mapping[str, Any], config: Path | None) -> None:
    known = [name for name in Settings.model_fields if name != "config"]
    for key in table:
        if key not in known:
            sentence = f"{config}: settings.{key} is not a setting{did_you_mean(key, known) or '.'}"
            raise SettingsError(sentence, fix="Correct or remove it; docs/settings.md lists every setting.")


def _complaint(
    wrong: ValidationError, asked: Mapping[str, Any], *, table: Mapping[str, Any], config: Path | None
) -> SettingsError:
    error = wrong.errors(include_url=False)[0]
    name = str(error["loc"][0]) if error["loc"] else "settings"
    if name in asked:
        place = f"--{name.replace('_', '-')}"
    elif os.environ.get(PREFIX + name.upper()):
        place = PREFIX + name.upper()
    else:
        place = f"{config}: settings.{name}" if name in table else name
    return SettingsError(
        f"{place} {describe(error)}.", fix="docs/settings.md lists every setting with an example."
    )


def wants_debug() -> bool:
    """Whether tracebacks shall be shown; answers even when the settings themselves are broken."""
    return os.environ.get(f"{PREFIX}DEBUG", "").lower() in {"1", "true", "yes", "on"}
