"""Paths into JSON: `items.0.price`, names and positions separated by points. A path that leads nowhere is None."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def value_at(data: Any, path: str) -> Any:
    """Return the value at the path, or None; the empty path is the value itself."""
    for step in path.split(".") if path else ():
        if isinstance(data, dict):
            data = data.get(step)
        elif isinstance(data, list) and step.isascii() and step.isdigit() and int(step) < len(data):
            data = data[int(step)]
        else:
            return None
    return data


def first_at(data: Any, paths: Iterable[str]) -> Any:
    """Return the first value any of the paths leads to; an empty text is not one."""
    return next((value for path in paths if (value := value_at(data, path)) not in (None, "")), None)
