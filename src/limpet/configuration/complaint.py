"""Turns what pydantic found wrong into one sentence a person can act on."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic_core import ErrorDetails

# Values of these may hold passwords or tokens: they are named, never shown.
SECRET_WORDS = ("url", "header", "token", "secret", "password")

WANTED = {
    "int": "a whole number",
    "float": "a number",
    "decimal": "a number",
    "bool": "true or false",
    "string": "a text",
    "path": "a path",
    "list": "a list",
    "tuple": "a list",
    "dict": "a table",
    "model": "a table",
    "datetime": "a date or time such as 2026-01-31T12:00:00Z",
    "date": "a date such as 2026-01-31",
}
BOUNDS = {
    "greater_than_equal": ("ge", "at least"),
    "greater_than": ("gt", "more than"),
    "less_than_equal": ("le", "at most"),
    "less_than": ("lt", "less than"),
    "too_short": ("min_length", "at least this long:"),
    "string_too_short": ("min_length", "at least this long:"),
}


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ` - did you mean "x"?`, or nothing when no known word is near."""
    near = difflib.get_close_matches(word.lower(), list(known), n=1, cutoff=0.6)
    return f' - did you mean "{near[0]}"?' if near else ""


def describe(error: ErrorDetails, *, known: Iterable[str] = ()) -> str:
    """Return the part of the sentence after the field's name: `must be a number, but is 'two'`."""
    kind = error["type"]
    context: Mapping[str, Any] = error.get("ctx") or {}
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return f"is not a known key{did_you_mean(str(error['loc'][-1]), known)}"
    return f"must be {_wanted(kind, context, error['msg'])}{_but_is(error)}"


def _wanted(kind: str, context: Mapping[str, Any], message: str) -> str:
    if kind == "literal_error":
        return f"one of {context['expected']}"
    if kind in BOUNDS:
        name, words = BOUNDS[kind]
        return f"{words} {context[name]}"
    if kind == "value_error":
        return str(context.get("error", message))
    return WANTED.get(kind.partition("_")[0], message.lower())


def _but_is(error: ErrorDetails) -> str:
    name = str(error["loc"][-1] if error["loc"] else "").lower()
    given = error["input"]
    if any(word in name for word in SECRET_WORDS) or isinstance(given, dict | list):
        return ""
    return f", but is {str(given)[:60]!r}"
