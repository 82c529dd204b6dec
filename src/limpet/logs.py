"""The log: for people or machines on stderr, and always as JSON lines in `<data_dir>/logs/latest.log`.

`open_logs` is called once, by the door. Rooms write with `structlog.get_logger()` or stdlib `logging`.
"""

from __future__ import annotations

import contextlib
import logging
import re
import sys
import traceback
from collections.abc import MutableMapping
from datetime import UTC, datetime
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import Any

from limpet.errors import DataDirUnusable

LATEST = "latest.log"
ROTATE_AT_BYTES = 20 * 1024 * 1024
HIDDEN = "[hidden]"

_QUERY = re.compile(r"""(\bhttps?://[^\s?#"'<>]+)\?[^\s"'<>]*""", re.IGNORECASE)
# In a web address whatever stands before the @ may be a token; a database's user name is no secret.
_WEB_USER = re.compile(r"""(\bhttps?://)[^\s/"'<>]+@""", re.IGNORECASE)
_PASSWORD = re.compile(r"""(\b[a-z][a-z0-9+.-]*://[^\s/@:"'<>]*:)[^\s/"'<>]+@""", re.IGNORECASE)
_SECRET_NAME = re.compile(r"authori[sz]ation|cookie|token|password|passwd|secret|api_?key", re.IGNORECASE)
_SECRET_PAIR = re.compile(
    r"""\b((?:set-)?cookie|authorization|x-webhook-token|password|token|api_?key)(["']?\s*[:=]\s*)[^\s,;]+""",
    re.IGNORECASE,
)


def redact(text: str) -> str:
    """Return the text without queries of addresses, passwords in addresses, and named secrets."""
    text = _PASSWORD.sub(rf"\1{HIDDEN}@", _WEB_USER.sub(rf"\1{HIDDEN}@", text))
    text = _QUERY.sub(r"\1?…", text)
    return _SECRET_PAIR.sub(rf"\1\2{HIDDEN}", text)


def redact_event(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A structlog processor: nothing secret leaves in any field, however deep."""
    for name, value in event.items():
        event[name] = HIDDEN if _SECRET_NAME.search(name) else _redact_value(value)
    return event


def _redact_value(value: Any) -> Any:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {k: HIDDEN if _SECRET_NAME.search(str(k)) else _redact_value(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_redact_value(each) for each in value]
    return value


def open_logs(logs_dir: Path, *, level: str, style: str) -> Path:
    """Send every log line to stderr and to the file; return the file, or raise DataDirUnusable."""
    import structlog  # noqa: PLC0415 - a third of a second, which redact() need not wait for

    file = _open_file(logs_dir)
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
        redact_event,
    ]
    for_machines = structlog.processors.JSONRenderer(ensure_ascii=False, default=str)
    for_people = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    screen = logging.StreamHandler(sys.stderr)
    screen.setFormatter(_formatter(for_people if style == "text" else for_machines, shared))
    file.setFormatter(_formatter(for_machines, shared))
    _replace_handlers(screen, file, level=level)
    structlog.configure(
        processors=[*shared[:-2], structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    return Path(file.baseFilename)


def _formatter(renderer: Any, shared: list[Any]) -> logging.Formatter:
    import structlog  # noqa: PLC0415

    tail = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *shared[-2:], renderer]
    return structlog.stdlib.ProcessorFormatter(processors=tail, foreign_pre_chain=shared[:-2])


def _open_file(logs_dir: Path) -> WatchedFileHandler:
    path = logs_dir / LATEST
    try:
        logs_dir.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > ROTATE_AT_BYTES:
            path.rename(logs_dir / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}.log")
        # Watched: another process of this data directory may move the file away while we write.
        return WatchedFileHandler(path, encoding="utf-8")
    except OSError as wrong:
        reason = (wrong.strerror or str(wrong)).lower()
        fix = "Make the directory writable, or choose another place with --data-dir or LIMPET_DATA_DIR."
        raise DataDirUnusable(f"Cannot write the log {path}: {reason}.", fix=fix) from wrong


def _replace_handlers(*handlers: logging.Handler, level: str) -> None:
    # A full disk must not end the work, nor fill the screen with complaints about the log.
    logging.raiseExceptions = False
    root = logging.getLogger()
    for old in list(root.handlers):
        if getattr(old, "is_limpet", False):
            root.removeHandler(old)
            old.close()
    for handler in handlers:
        handler.is_limpet = True  # type: ignore[attr-defined]
        root.addHandler(handler)
    root.setLevel(level.upper())
    for chatty in ("asyncio", "urllib3", "alembic", "aiohttp.access", "uvicorn.access", "apprise"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


def note_crash(error: BaseException, *, data_dir: Path | None) -> Path | None:
    """Write the whole story of an unexpected error into the log; return where, or None when that failed."""
    story = redact("".join(traceback.format_exception(error)))
    for handler in logging.getLogger().handlers:
        if getattr(handler, "is_limpet", False) and isinstance(handler, WatchedFileHandler):
            return _append(Path(handler.baseFilename), story)
    folder = (data_dir or Path("data")) / "logs"
    return _append(folder / LATEST, story) if folder.is_dir() else None


def _append(path: Path, story: str) -> Path | None:
    with contextlib.suppress(OSError), path.open("a", encoding="utf-8") as log:
        log.write(story)
        return path
    return None
