"""Objects as scripts write them by hand: bare keys, single quotes, a comma too many. Read as data, never run."""

from __future__ import annotations

import re
from typing import Any

from limpet.extract.structured.loose_json import BadJson

_DEEPEST = 40
_BLANK = re.compile(r"(?:\s|//[^\n]*\n|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r"\"((?:[^\"\\]|\\.)*+)\"|'((?:[^'\\]|\\.)*+)'|`((?:[^`\\]|\\.)*+)`", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?![\w.])")
_KEY = re.compile(r"[A-Za-z_$][\w$-]*|\d+")
_WORDS = {"true": True, "false": False, "null": None, "undefined": None}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": " ", "f": " "}
_CLOSING = {"{": "}", "[": "]", "(": ")"}


def read_literal(text: str, start: int = 0) -> Any:
    """Return the object or array that opens at `start`; what is computed is None. Raise BadJson when it never ends."""
    value, _ = _value(text, start, _DEEPEST)
    return value


def _value(text: str, at: int, levels: int) -> tuple[Any, int]:
    at = _skip_blank(text, at)
    sign = text[at : at + 1]
    if sign in ("{", "[") and not levels:
        raise BadJson("nested too deep")
    value: Any
    if sign == "{":
        value, end = _object(text, at + 1, levels)
    elif sign == "[":
        value, end = _array(text, at + 1, levels)
    else:
        value, end = _scalar(text, at)
    end = _skip_blank(text, end)
    if text[end : end + 1] in (",", "}", "]", ""):
        return value, end
    # Something is done with it (`"a" + b`, `x ? 1 : 2`): nobody knows the outcome without running it.
    return (value if sign in "{[" and levels == _DEEPEST else None), _end_of_expression(text, end)


def _object(text: str, at: int, levels: int) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    while True:
        at = _skip_blank(text, at)
        if text[at : at + 1] == "}":
            return found, at + 1
        key, at = _key(text, at)
        at = _skip_blank(text, at)
        if key is None or text[at : at + 1] != ":":
            at = _end_of_expression(text, at)  # a method, a spread, a short form
        else:
            found[key], at = _value(text, at + 1, levels - 1)
        if text[at : at + 1] == ",":
            at += 1
        elif text[at : at + 1] != "}":
            raise BadJson("the object never ends")


def _array(text: str, at: int, levels: int) -> tuple[list[Any], int]:
    found: list[Any] = []
    while True:
        at = _skip_blank(text, at)
        if text[at : at + 1] == "]":
            return found, at + 1
        value, at = _value(text, at, levels - 1)
        found.append(value)
        if text[at : at + 1] == ",":
            at += 1
        elif text[at : at + 1] != "]":
            raise BadJson("the array never ends")


def _key(text: str, at: int) -> tuple[str | None, int]:
    quoted = _STRING.match(text, at)
    if quoted is not None:
        return _unescaped(quoted), quoted.end()
    bare = _KEY.match(text, at)
    return (bare[0], bare.end()) if bare is not None else (None, at)


def _scalar(text: str, at: int) -> tuple[Any, int]:
    quoted = _STRING.match(text, at)
    if quoted is not None:
        return _unescaped(quoted), quoted.end()
    number = _NUMBER.match(text, at)
    if number is not None:
        return (float(number[0]) if "." in number[0] else int(number[0][:18])), number.end()
    word = _KEY.match(text, at)
    if word is not None and word[0] in _WORDS:
        return _WORDS[word[0]], word.end()
    return None, _end_of_expression(text, at)


def _end_of_expression(text: str, at: int) -> int:
    """Return where the expression at `at` ends: at a comma or bracket of its own level."""
    waiting: list[str] = []
    while at < len(text):
        quoted = _STRING.match(text, at)
        if quoted is not None:
            at = quoted.end()
            continue
        sign = text[at]
        if sign in _CLOSING:
            waiting.append(_CLOSING[sign])
        elif waiting and sign == waiting[-1]:
            waiting.pop()
        elif not waiting and sign in ",}])":
            return at
        at += 1
    raise BadJson("the expression never ends")


def _skip_blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found is not None else at


def _unescaped(quoted: re.Match[str]) -> str:
    raw: str = next(group for group in quoted.groups() if group is not None)
    return _ESCAPE.sub(_meant, raw) if "\\" in raw else raw


def _meant(escape: re.Match[str]) -> str:
    digits = escape[1] or escape[2]
    return chr(int(digits, 16)) if digits else _PLAIN_ESCAPES.get(escape[3], escape[3])
