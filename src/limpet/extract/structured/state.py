"""State that scripts carry: `window.__STATE__ = {...}`, `JSON.parse("...")`, JSON blocks. Never evaluated."""

from __future__ import annotations

import re
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from limpet.extract.structured.loose_json import BadJson, loads

_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\]]', re.DOTALL)
_ASSIGNED = re.compile(r"\s*[=:(]?\s*")
_PARSED = re.compile(r"JSON\.parse\(\s*(?P<quote>[\"'`])(?P<text>(?:[^\\]|\\.)*?)(?P=quote)\s*\)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{2})|(\r\n|.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}
_NEW_ARRAY = re.compile(r"new\s+Array\(\s*")
_BETWEEN = re.compile(r"\s*,\s*")
_DEEPEST = 200


def state_after(script: str, marker: str) -> Any:
    """Return the JSON value assigned after `marker`, or raise BadJson when there is none we can read."""
    at = script.find(marker)
    if at < 0:
        raise BadJson(f"{marker!r} does not occur")
    start = _after_assignment(script, at + len(marker))
    parsed = _PARSED.match(script, start)
    if parsed is not None:
        return loads(_unescaped(parsed["text"]).encode("utf-8", "replace"))
    array = _NEW_ARRAY.match(script, start)
    value = _members(script, array.end()) if array is not None else _balanced(script, start)
    return loads(value.encode("utf-8", "replace"))


def script_json(tree: LexborHTMLParser, selector: str) -> Any:
    """Return the value of a `<script type="application/json">`, or raise BadJson."""
    node = tree.css_first(selector)
    if node is None:
        raise BadJson(f"nothing matches {selector!r}")
    return loads(node.text(deep=True).encode("utf-8", "replace"))


def _after_assignment(script: str, position: int) -> int:
    found = _ASSIGNED.match(script, position)
    return found.end() if found else position


def _balanced(script: str, start: int) -> str:
    """Return the object or array that opens at `start`, up to its own closing bracket."""
    if script[start : start + 1] not in ("{", "["):
        raise BadJson("no object or array is assigned")
    depth = 0
    for token in _STRING_OR_BRACKET.finditer(script, start):
        if token[0] in "{[":
            depth += 1
            if depth > _DEEPEST:
                raise BadJson(f"nested more than {_DEEPEST} deep")
        elif token[0] in "}]":
            depth -= 1
            if depth == 0:
                return script[start : token.end()]
    raise BadJson("the value never ends")


def _members(script: str, position: int) -> str:
    """Return the arguments of `new Array({...}, {...})` as a JSON array."""
    members = [_balanced(script, position)]
    position += len(members[0])
    while (comma := _BETWEEN.match(script, position)) is not None:
        members.append(_balanced(script, comma.end()))
        position = comma.end() + len(members[-1])
    return f"[{','.join(members)}]"


def _unescaped(text: str) -> str:
    """Undo the escapes of a JavaScript string literal; surrogate pairs become one character."""
    plain = _ESCAPE.sub(_meant, text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _meant(escape: re.Match[str]) -> str:
    digits = escape[1] or escape[2] or escape[3]
    if digits is None:
        return _ESCAPED.get(escape[4], escape[4])
    code = int(digits, 16)
    return chr(code) if code <= 0x10FFFF else "\ufffd"
