"""Examinations of what Limpet leans on: its database, and Redis when it is set."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from limpet.cli.checkup.finding import Finding, fail, ok, warn
from limpet.settings import Settings

if TYPE_CHECKING:
    from sqlalchemy import Engine

REDIS_SECONDS = 3
CLOCKS_MAY_DIFFER_SECONDS = 30
REDIS_FIX = "Start Redis or correct LIMPET_REDIS_URL; without its store the pace refuses every request."


def database(settings: Settings) -> list[Finding]:
    """Look without touching: a ledger that does not exist yet is not created."""
    from limpet.record.database import check_readable, ledger_url, open_engine  # noqa: PLC0415 - brings SQLAlchemy

    url = ledger_url(settings.ledger_place)
    name = url.render_as_string(hide_password=True)
    if url.drivername == "sqlite" and not Path(str(url.database)).exists():
        return [ok("database", f"{url.database} will be created at the first run")]
    engine = open_engine(settings.ledger_place)
    try:
        check_readable(engine)
        return [_schema(engine, name)]
    finally:
        engine.dispose()


def _schema(engine: Engine, name: str) -> Finding:
    from limpet.record.migrate import newest_revision, standing  # noqa: PLC0415

    revision = standing(engine)
    if revision is None:
        return ok("database", f"{name} is empty; the schema will be created at the first run")
    if revision != newest_revision():
        return ok(
            "database", f"{name} has schema {revision}; it will be brought to {newest_revision()} at start"
        )
    return ok("database", f"{name}, schema {revision}")


def redis(settings: Settings) -> list[Finding]:
    if settings.redis_url is None:
        return [ok("redis", "not used: the pace is kept in the data directory")]
    import redis as client  # noqa: PLC0415

    try:
        with client.Redis.from_url(
            settings.redis_url, socket_timeout=REDIS_SECONDS, socket_connect_timeout=REDIS_SECONDS
        ) as server:
            seconds, _ = server.time()
            version = server.info("server").get("redis_version", "?")
    except (client.RedisError, OSError, ValueError) as wrong:
        return [
            fail(
                "redis",
                f"does not answer: {(str(wrong).splitlines() or ['no reason given'])[0]}.",
                fix=REDIS_FIX,
            )
        ]
    return [_same_time(float(seconds), version)]


def _same_time(seconds: float, version: str) -> Finding:
    apart = abs(datetime.now(UTC).timestamp() - seconds)
    if apart > CLOCKS_MAY_DIFFER_SECONDS:
        fix = "Set both clocks by NTP: the pace is counted on the clock of Redis."
        return warn("redis", f"version {version}, but its clock and ours are {apart:.0f} s apart.", fix=fix)
    return ok("redis", f"version {version}")
