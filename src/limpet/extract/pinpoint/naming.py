"""Which names a shop's people gave to last, and which a machine or a moment gave."""

from __future__ import annotations

import re

# What builders of style sheets put before or after a hash of their own.
_BUILT = re.compile(
    r"^(?:css|sc|jss|emotion|svelte|jsx|makeStyles|tw|ng-tns|_ng\w*|v|ember|react)[-_]?\w*\d", re.I
)
_WORD = re.compile(r"[^A-Za-z0-9]+")
_HASH = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9]{3,}$")
_PLAIN_WITH_NUMBER = re.compile(r"[a-z]+\d$|h[1-6]$|\d?(?:xs|sm|md|lg|xl)$", re.I)
_JUMBLED = re.compile(r"[a-z][A-Z][a-z]?[A-Z]|[A-Z]{2,}[a-z][A-Z]|^[bcdfghjklmnpqrstvwxz]{5,}$")
_ORDINAL = re.compile(r"\d{2,}")  # a number of the product, the post or the build
_MOMENT = re.compile(
    r"(?:^|[-_])(?:in-?stock|out-?of-?stock|on-?backorder|on-?sale|instock|outofstock|onbackorder|available|unavailable"
    r"|sold-?out|active|selected|current|open|closed|hidden|visible|first|last|odd|even|loaded|loading|lazy|is|has)(?:[-_]|$)",
    re.I,
)
_OF_ONE_PRODUCT = re.compile(
    r"^(?:product_(?:cat|tag|brand)|pa_|pwb|term|tag|category|brand|post|page-id|postid)[-_]", re.I
)
_ORNAMENT = re.compile(
    r"^(?:col|row|container|wrapper|clearfix|flex|grid|text|font|mb|mt|ml|mr|pb|pt|px|py|p|m|w|h|d|float|pull)(?:[-_].*)?$|(?:^|[-_])[pm][abltrxy]?\d+$",
    re.I,
)
_LONGEST = 100
_SIMPLE = re.compile(r"-?[A-Za-z_][\w-]*")


def is_simple(name: str) -> bool:
    """Whether the name can stand in a selector as it is."""
    return len(name) <= _LONGEST and _SIMPLE.fullmatch(name) is not None


def is_steady(name: str) -> bool:
    """Whether the name tells what a thing is: no hash of a build, no number of a product, no state of today."""
    return not (looks_generated(name) or _MOMENT.search(name) or _OF_ONE_PRODUCT.search(name))


def looks_generated(name: str) -> bool:
    """Whether a machine made the name, or a part of it."""
    if _BUILT.search(name) or _ORDINAL.search(name):
        return True
    return any(_is_hash(part) for part in _WORD.split(name.replace("_", "-")) if part)


def is_ornament(name: str) -> bool:
    """Whether the name only says how a thing looks; the same one stands all over the page."""
    return _ORNAMENT.search(name) is not None


def _is_hash(part: str) -> bool:
    if _PLAIN_WITH_NUMBER.fullmatch(part):
        return False
    return _HASH.fullmatch(part) is not None or _JUMBLED.search(part) is not None
