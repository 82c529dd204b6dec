"""CSS selection that names itself when it finds nothing."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

from limpet.extract.extraction import Missing
from limpet.extract.failure import CannotRead, SelectorMissed

Tree = LexborHTMLParser | LexborNode
_DAMAGE = "\ufffd"  # stands where bytes meant nothing in the page's charset


def first(
    tree: Tree, selector: str, *, field: str, reason: Missing = Missing.SELECTOR_NOT_FOUND
) -> LexborNode:
    """Return the first match, or break off naming the selector and the field it was for."""
    node = tree.css_first(selector)
    if node is None:
        raise SelectorMissed(selector, field, reason=reason)
    return node


def maybe(tree: Tree, selector: str) -> LexborNode | None:
    """Return the first match where finding none is fine."""
    return tree.css_first(selector)


def every(tree: Tree, selector: str) -> list[LexborNode]:
    """Return all matches, in page order."""
    return tree.css(selector)


def only(tree: Tree, selector: str, *, field: str, reason: Missing) -> LexborNode:
    """Return the single match; none or several break off with `reason`."""
    nodes = tree.css(selector)
    if len(nodes) != 1:
        raise SelectorMissed(
            selector if not nodes else f"{selector} ({len(nodes)} matches)", field, reason=reason
        )
    return nodes[0]


def text_of(node: LexborNode | None) -> str:
    """Return the visible text with every run of white space as one blank; break off when its bytes are damaged."""
    text = " ".join(node.text().split()) if node is not None else ""
    if _DAMAGE in text:
        raise CannotRead(Missing.NOT_PARSABLE, f"damaged characters in {text[:80]!r}")
    return text


def attribute(node: LexborNode, name: str, *, field: str) -> str:
    """Return an attribute that must be there."""
    value = node.attributes.get(name)
    if not value:
        raise SelectorMissed(f"{node.tag}[{name}]", field)
    return value.strip()
