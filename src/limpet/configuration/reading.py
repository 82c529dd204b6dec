"""Reads a TOML or YAML file into plain tables and lists: data only, never code."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from limpet.errors import ConfigError
from limpet.source.source import MEBIBYTE

MAX_BYTES = 8 * MEBIBYTE


_NAMES_ANOTHER = "Write one with `limpet init`, or name another with --config."


def read_tables(path: Path, *, when_missing: str = _NAMES_ANOTHER) -> dict[str, Any]:
    """Return the file's top table, or raise ConfigError with the line at fault, or `when_missing` as its fix."""
    text = read_text(path, when_missing=when_missing)
    tables = _read(path, text)
    if tables is None:
        return {}
    if not isinstance(tables, dict) or not all(isinstance(key, str) for key in tables):
        raise ConfigError(f"{path} must hold a table of keys.", fix="Start from `limpet init`.")
    return tables


def read_text(path: Path, *, when_missing: str = _NAMES_ANOTHER) -> str:
    """Return the text of a file people wrote, or say why it cannot be read."""
    try:
        if path.is_file() and path.stat().st_size > MAX_BYTES:
            raise ConfigError(
                f"{path} is larger than 8 MiB.", fix="Move long target lists to a targets_file."
            )
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ConfigError(f"There is no config file at {path}.", fix=when_missing) from None
    except UnicodeDecodeError as wrong:
        raise ConfigError(f"{path} is not UTF-8 text.", fix="Save it as UTF-8.") from wrong
    except OSError as wrong:
        reason = (wrong.strerror or str(wrong)).lower()
        raise ConfigError(
            f"{path} cannot be read: {reason}.", fix="Check that it is a file you may read."
        ) from wrong


def _read(path: Path, text: str) -> Any:
    if path.suffix.lower() not in {".yaml", ".yml"}:
        return _read_toml(path, text)
    from limpet.configuration.reading_yaml import read_yaml  # noqa: PLC0415 - most files are TOML

    return read_yaml(path, text)


def _read_toml(path: Path, text: str) -> Any:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise ConfigError(f"{path} is not valid TOML: {wrong}.", fix="Correct that line.") from wrong
    except RecursionError as wrong:
        raise ConfigError(f"{path} is nested too deeply.", fix="Start from `limpet init`.") from wrong
