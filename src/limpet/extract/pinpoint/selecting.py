"""Selectors for an element: proven to match it and nothing else, the steadiest first. Never by counting children."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

from selectolax.lexbor import LexborHTMLParser, LexborNode

from limpet.extract.pinpoint.naming import is_ornament, is_simple, is_steady

Scope = LexborHTMLParser | LexborNode
_HOOKS = (
    "data-testid",
    "data-test",
    "data-test-id",
    "data-qa",
    "data-hook",
    "data-role",
    "data-automation-id",
    "data-component",
)
_TELLING_TAGS = frozenset(("h1", "main", "article", "bdi", "ins", "strong"))
_ANCESTORS = 6
_MOST_TRIED = 400


@dataclass(frozen=True, slots=True)
class Name:
    """A selector, and whether every name in it looks as if it were to last."""

    selector: str
    is_steady: bool
    points: int


def names_for(node: LexborNode, *, scope: Scope, limit: int = 5) -> list[Name]:
    """Return selectors that match this element alone within the scope, the best first."""
    own = sorted(_parts(node), key=_rank)
    tried = [*own, *_below_ancestors(node, own)]
    sound = (each for each in sorted(tried, key=_rank)[:_MOST_TRIED] if _is_exact(each.selector, node, scope))
    return list(islice(sound, limit))


def _rank(name: Name) -> tuple[int, int]:
    return -name.points, len(name.selector)


def _is_exact(selector: str, node: LexborNode, scope: Scope) -> bool:
    found = scope.css(selector)
    return len(found) == 1 and found[0].mem_id == node.mem_id


def _parts(node: LexborNode) -> Iterator[Name]:
    """Yield what the element can be called by itself."""
    attributes, tag = node.attributes, node.tag or ""
    tag = tag if is_simple(tag) else "*"
    for attribute, points in (("itemprop", 60), *((hook, 54) for hook in _HOOKS)):
        value = attributes.get(attribute) or ""
        if is_simple(value):
            yield _named(f'{tag}[{attribute}="{value}"]', (value,), points)
    name = attributes.get("id") or ""
    if is_simple(name):
        yield _named(f"#{name}", (name,), 50)
    for attribute in attributes:
        if attribute.startswith("data-") and attribute not in _HOOKS and is_simple(attribute):
            yield _named(f"{tag}[{attribute}]", (attribute,), 34)
    classes = [each for each in dict.fromkeys((attributes.get("class") or "").split()) if is_simple(each)]
    for each in classes:
        yield _named(f"{tag}.{each}", (each,), 22 if is_ornament(each) else 44)
    for one, other in pairwise(classes):
        yield _named(f"{tag}.{one}.{other}", (one, other), 36)
    yield Name(tag, is_steady=True, points=40 if tag == "h1" else 26 if tag in _TELLING_TAGS else 12)


def _named(selector: str, names: tuple[str, ...], points: int) -> Name:
    steady = all(is_steady(each) for each in names)
    return Name(selector, steady, points if steady else points - 30)


def _below_ancestors(node: LexborNode, own: list[Name]) -> Iterator[Name]:
    """Yield the element's names below those of what it stands in; the nearer, the better."""
    ancestor, distance = node.parent, 1
    while ancestor is not None and ancestor.tag not in ("body", "html", "-undef") and distance <= _ANCESTORS:
        joint = " > " if distance == 1 else " "
        for outer in sorted(_parts(ancestor), key=_rank)[:4]:
            if outer.points >= 22 or not outer.is_steady:
                for inner in own[:5]:
                    less, more = sorted((outer.points, inner.points))
                    points = (2 * less + more) // 3 - 3 - distance
                    yield Name(
                        f"{outer.selector}{joint}{inner.selector}",
                        outer.is_steady and inner.is_steady,
                        points,
                    )
        ancestor, distance = ancestor.parent, distance + 1
