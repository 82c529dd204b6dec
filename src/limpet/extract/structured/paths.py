"""Paths into JSON: `items.0.price`, names and positions separated by points. A path that leads nowhere is None."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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


def values_along(data: Any, path: str) -> Iterator[Any]:
    """Yield the values at a path; a list that is not asked for a position is walked through."""
    step, _, rest = path.partition(".")
    if isinstance(data, list):
        if step.isascii() and step.isdigit():
            held = data[int(step)] if int(step) < len(data) else None
            yield from values_along(held, rest) if rest else iter((held,))
        else:
            for each in data:
                yield from values_along(each, path)
    elif isinstance(data, dict) and step in data:
        yield from values_along(data[step], rest) if rest else iter((data[step],))


def leaves_of(data: Any, *, numbered: bool = False, deepest: int = 12) -> Iterator[tuple[str, Any]]:
    """Yield every plain value with its path; positions in lists are part of it only when `numbered`."""
    waiting: list[tuple[str, Any, int]] = [("", data, 0)]
    while waiting:
        path, value, depth = waiting.pop()
        if isinstance(value, (dict, list)) and depth < deepest:
            waiting += [(_below(path, step), each, depth + 1) for step, each in _steps(value, numbered)]
        elif not isinstance(value, (dict, list)):
            yield path, value


def _steps(value: Any, numbered: bool) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [(str(name), each) for name, each in reversed(value.items()) if "." not in str(name)]
    return [(str(at) if numbered else "", each) for at, each in reversed(list(enumerate(value)))]


def _below(path: str, step: str) -> str:
    return ".".join(part for part in (path, step) if part)
