"""The guard before the DOM: a linear look at the bytes that foretells what building a tree would cost.

Measured on the parser we use: one tag with 100,000 attributes takes 23 s, 5,000 unclosed `<b id=...>` between
paragraphs 20 s and gigabytes (each paragraph opens them all again), 20,000 nested `<div>` 0.7 s. Pages people
wrote stay far below every limit here. The walk errs on the side of counting too much: it closes only what a
parser must close.
"""

from __future__ import annotations

import re

MAX_BYTES = 8 * 1024 * 1024
MAX_DEPTH = 400
MAX_ATTRIBUTES = 1_000
MAX_TAGS = 150_000
# Upper bound on elements a parser re-creates for formatting tags that were never closed.
MAX_REOPENED = 200_000

# Below both, even a page built to hurt costs less than half a second: no need to walk its tags.
_SMALL_BYTES = 64 * 1024
_FEW_OPENINGS = 500

_VOID = frozenset(
    b"area base br col embed hr img image input link meta param source track wbr "
    b"frame keygen basefont bgsound".split()
)
_NEVER_NESTED = frozenset(b"html head body option optgroup colgroup".split())
_TABLE_PARTS = frozenset(b"td th tr tbody thead tfoot caption".split())
_FORMATTING = frozenset(b"a b big code em font i nobr s small strike strong tt u".split())
_ONE_AT_A_TIME = frozenset((b"a", b"nobr"))
_CLOSED_ALONE = _FORMATTING | {b"form"}
# An end tag does not reach beyond these.
_SCOPE = frozenset(
    b"table template object marquee applet select "
    b"foreignobject desc title mi mo mn ms mtext annotation-xml".split()
)
_SPECIAL = _SCOPE | frozenset(
    b"address article aside blockquote button center details dialog dir div dl fieldset figcaption figure "
    b"footer form frameset h1 h2 h3 h4 h5 h6 header hgroup iframe listing main menu nav noembed noframes "
    b"noscript ol "
    b"plaintext pre script search section style summary textarea ul xmp p li dt dd".split()
)
_ITEM_SCOPE = _SPECIAL - {b"address", b"div", b"p"}
_CLOSED_BY_ITS_LIKE = {
    b"p": ((b"p",), _SPECIAL - {b"p"}),
    b"li": ((b"li",), _ITEM_SCOPE - {b"li"}),
    b"dt": ((b"dt", b"dd"), _ITEM_SCOPE - {b"dt", b"dd"}),
    b"dd": ((b"dt", b"dd"), _ITEM_SCOPE - {b"dt", b"dd"}),
}
_DRAWINGS = frozenset((b":svg", b":math"))
_INTEGRATION = frozenset(b"foreignobject desc title mi mo mn ms mtext annotation-xml".split())
# HTML that ends an svg or math element by appearing in it; everything else becomes part of the drawing.
_BREAKOUT = frozenset(
    b"b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing "
    b"menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var".split()
)

_ATTRIBUTE = rb"""[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?+)?+"""
_TOKEN = re.compile(
    rb"<(?:(/?+)([a-zA-Z][^\s/>]*+)"
    # The usual spelling of attributes first: it is three times quicker to recognise.
    rb"""((?:\s++[a-zA-Z:_-]++="[^"]*+")*+(?:""" + _ATTRIBUTE + rb""")*+)([\s/]*+)(?:>|\Z)"""
    rb"|!--(?:.*?(?:-->|--!>)|.*+))",
    re.DOTALL,
)
_ATTRIBUTES = re.compile(_ATTRIBUTE)
# What stands in these is text, whatever it looks like - except somewhere inside a drawing.
_END_OF_TEXT = {
    name: re.compile(rb"</" + name + rb"[\s/>]", re.IGNORECASE)
    for name in b"script style textarea title xmp iframe noembed noframes".split()
}


def objection_to(body: bytes) -> str | None:
    """Return why no tree may be built of these bytes, or None when building one is safe."""
    size = len(body)
    if size > MAX_BYTES:
        return f"{size} bytes are more than the {MAX_BYTES} a tree may be built of"
    tags = body.count(b"<")
    if size <= _SMALL_BYTES and (tags <= _FEW_OPENINGS or tags - body.count(b"</") <= _FEW_OPENINGS):
        return None
    if tags > MAX_TAGS:
        return f"{tags} tags are more than the {MAX_TAGS} a tree may be built of"
    return _Walk().through(body)


class _Walk:
    """Follows opening and closing tags as a parser would, as long as the limits hold.

    Elements of a drawing (svg, math) stand on the stack with a colon before their name.
    """

    def __init__(self) -> None:
        self._open: list[bytes] = []
        self._active: dict[tuple[bytes, bytes], int] = {}  # formatting not closed yet, by name and attributes
        self._active_total = 0
        self._reopened = 0

    def through(self, body: bytes) -> str | None:
        """Return the first limit these bytes exceed, or None."""
        position = 0
        while token := _TOKEN.search(body, position):
            position = token.end()
            slash, name, attributes, ending = token.groups()
            if name is None:
                continue
            self._reopened += self._active_total
            name = name.lower()
            if slash:
                self._close(name)
                continue
            if name in _END_OF_TEXT and _DRAWINGS.isdisjoint(self._open):
                end = _END_OF_TEXT[name].search(body, position)
                position = end.start() if end else len(body)
            self._start(name, attributes, closes_itself=b"/" in ending)
            if problem := self._exceeded(attributes):
                return problem
        return None

    def _in_drawing(self) -> bool:
        return bool(self._open) and self._open[-1][:1] == b":"

    def _exceeded(self, attributes: bytes) -> str | None:
        if len(self._open) > MAX_DEPTH:
            return f"tags are nested more than {MAX_DEPTH} deep"
        if self._reopened > MAX_REOPENED:
            return f"unclosed formatting tags would make more than {MAX_REOPENED} elements"
        if len(attributes) > 2 * MAX_ATTRIBUTES:
            found = sum(1 for _ in _ATTRIBUTES.finditer(attributes))
            if found > MAX_ATTRIBUTES:
                return f"one tag holds {found} attributes"
        return None

    def _start(self, name: bytes, attributes: bytes, *, closes_itself: bool) -> None:
        stack = self._open
        if self._in_drawing() and not self._leaves_drawing(name):
            if name in _INTEGRATION:
                stack.append(name)
            elif not closes_itself or b":math" in stack:
                stack.append(b":" + name)
        elif name in (b"svg", b"math"):
            if not closes_itself:
                stack.append(b":" + name)
        elif name in _VOID:
            # We may be mistaken about being back in HTML; then a void element could hold the whole rest.
            if b":svg" in stack or b":math" in stack:
                stack.append(name)
        elif name in _TABLE_PARTS:
            self._next_table_part()
        elif name not in _NEVER_NESTED:
            self._push(name, attributes)

    def _push(self, name: bytes, attributes: bytes) -> None:
        if name in _CLOSED_BY_ITS_LIKE:
            likes, barrier = _CLOSED_BY_ITS_LIKE[name]
            position = self._nearest(likes, barrier)
            if position is not None:
                del self._open[position:]
        elif name in _FORMATTING:
            self._format(name, attributes)
        self._open.append(name)

    def _leaves_drawing(self, name: bytes) -> bool:
        if name not in _BREAKOUT:
            return False
        while self._in_drawing():
            self._open.pop()
        return True

    def _next_table_part(self) -> None:
        """A new cell or row ends whatever the one before left open."""
        position = self._nearest((b"table",), frozenset((b"template",)))
        if position is not None:
            del self._open[position + 1 :]

    def _format(self, name: bytes, attributes: bytes) -> None:
        alone = name in _ONE_AT_A_TIME
        key = (name, b"" if alone else attributes)
        held = self._active.get(key, 0)
        # A parser remembers at most three alike, and one link.
        if held < (1 if alone else 3):
            self._active[key] = held + 1
            self._active_total += 1
        if alone and (position := self._nearest((name,), _SCOPE)) is not None:
            del self._open[position]

    def _close(self, name: bytes) -> None:
        reaches_far = (name in _SPECIAL and name not in _INTEGRATION) or name in _CLOSED_ALONE
        position = self._nearest((name, b":" + name), _SCOPE if reaches_far else _SPECIAL)
        if position is None:
            if name in _FORMATTING and not _SCOPE.intersection(self._open):
                self._forget(name)
        elif name in _CLOSED_ALONE and self._open[position] == name:
            del self._open[position]
            if name in _FORMATTING:
                self._forget(name)
        else:
            del self._open[position:]

    def _nearest(self, names: tuple[bytes, ...], barrier: frozenset[bytes]) -> int | None:
        stack = self._open
        for position in range(len(stack) - 1, -1, -1):
            if stack[position] in names:
                return position
            if stack[position] in barrier or stack[position] in _DRAWINGS:
                return None
        return None

    def _forget(self, name: bytes) -> None:
        for key in reversed(self._active):
            if key[0] == name:
                self._active[key] -= 1
                self._active_total -= 1
                if not self._active[key]:
                    del self._active[key]
                return
