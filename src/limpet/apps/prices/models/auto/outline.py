"""A page laid out flat: elements and their visible texts in page order, each with the marks of what it is in.

The tree is walked once; everything after that works on plain lists, because asking a tree of twenty
thousand elements for every question would cost a second a page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from limpet.apps.prices.models.auto import naming

_SILENT = frozenset(
    ("script", "style", "noscript", "template", "svg", "head", "iframe", "object", "math", "video", "audio")
)
_MARKS_OF_TAGS = {
    **dict.fromkeys(("del", "s", "strike"), naming.OLD | naming.STRUCK),
    **dict.fromkeys(("header", "footer", "nav", "dialog"), naming.FRAME | naming.SURELY_FRAME),
    **dict.fromkeys(("option", "select", "button", "label"), naming.OPTION),
    "sup": naming.CENTS,
}
_NAMING = frozenset((
    "class", "id", "itemprop", "property", "name", "data-test", "data-testid", "data-test-id", "data-qa",
    "data-automation-id", "data-automation", "data-hook", "data-role", "data-price-type", "data-auto-id",
    "data-auto", "data-selenium", "data-element", "data-component", "data-tl-id", "data-at", "data-selector",
    "data-ref", "data-action", "data-button-action", "data-button-type", "data-locator", "data-autom", "data-cy",
    "automation-id", "data-type", "data-tid", "data-zone", "data-marker",
))  # fmt: skip
_DEEPEST = 400
_LONGEST_LABEL = 40
_TO_THE_CART = re.compile(r"cart|basket|checkout|warenkorb|panier|carrello|koszyk|add[-_]?to|/buy")


@dataclass(slots=True)
class Element:
    """One element: where it stands, what it is called, and which texts are below it."""

    index: int
    parent: int
    tag: str
    node: LexborNode
    names: str
    own: int  # marks of its own names
    marks: int  # and those it inherits
    depth: int
    has_role: bool  # an ARIA role, such as button
    first_text: int
    end_text: int = 0
    end: int = 0  # index after its last descendant


@dataclass(slots=True)
class Text:
    """One piece of text and the element it stands in."""

    words: str
    owner: int


@dataclass(slots=True)
class Outline:
    """The page: elements and texts in page order."""

    elements: list[Element] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    lengths: list[int] = field(default_factory=lambda: [0])  # of all texts before each
    path: str = ""
    paths: tuple[str, ...] = ()  # every path that leads to this very page

    def ancestry(self, index: int) -> list[int]:
        """Return the element and its ancestors, innermost first."""
        line = []
        while index >= 0:
            line.append(index)
            index = self.elements[index].parent
        return line

    def words_of(self, index: int, *, without: int = 0) -> str:
        """Return the text of an element in one line, leaving out texts that carry any mark of `without`."""
        return " ".join(piece for piece, _ in self.pieces(index, without=without))

    def pieces(self, index: int, *, without: int = 0) -> list[tuple[str, int]]:
        """Return the pieces of text below an element with their owners."""
        element = self.elements[index]
        return [
            (text.words, text.owner)
            for text in self.texts[element.first_text : element.end_text]
            if not self.elements[text.owner].marks & without
        ]

    def length_of(self, index: int) -> int:
        """Return roughly how much text stands below an element."""
        element = self.elements[index]
        return self.lengths[element.end_text] - self.lengths[element.first_text]

    def exempt(self, indices: list[int]) -> None:
        """Take the marks off these elements: what holds the product itself is no frame and no neighbour.

        Nor does a beginning that other names share with the innermost of them say anything: in a shop where the
        title is a `popup__name`, its `popup__price` is not something that pops up.
        """
        lifted = frozenset(indices)
        beginnings = _beginnings(self.elements[indices[0]].names) if indices else ()
        for element in self.elements:
            inherited = self.elements[element.parent].marks if element.parent >= 0 else 0
            if beginnings and element.names and element.own & naming.ELSEWHERE:
                element.own = _marks_without(element, beginnings)
            own = 0 if element.index in lifted else element.own
            element.marks = (inherited & naming.INHERITED) | own


def outline_of(tree: LexborHTMLParser, *, path: str = "/", canonical: str = "") -> Outline:
    """Return the page laid out flat, without scripts, styles and templates; the paths are its own addresses'."""
    own = tuple(each for each in (path.rstrip("/"), canonical.rstrip("/")) if each)
    outline = Outline(path=path.rstrip("/"), paths=own)
    if tree.body is not None:
        _lay_out(outline, tree.body)
    return outline


def _lay_out(outline: Outline, body: LexborNode) -> None:
    node: LexborNode | None = body
    parent, depth = -1, 0
    while node is not None:
        if node.is_element_node and node.tag not in _SILENT:
            element = _element(outline, node, parent, depth)
            child = node.child if depth < _DEEPEST else None
            if child is not None:
                node, parent, depth = child, element.index, depth + 1
                continue
            _finish(outline, element)
        elif node.is_text_node:
            words = " ".join((node.text_content or "").split())
            if words and parent >= 0:
                outline.texts.append(Text(words, parent))
                outline.lengths.append(outline.lengths[-1] + len(words) + 1)
        # Up until somebody has a next sibling.
        while parent >= 0 and node.next is None:
            _finish(outline, outline.elements[parent])
            node, parent, depth = outline.elements[parent].node, outline.elements[parent].parent, depth - 1
        node = node.next if parent >= 0 else None


def _element(outline: Outline, node: LexborNode, parent: int, depth: int) -> Element:
    attributes = node.attributes
    tag = node.tag or ""
    names = " ".join([_name(name, value) for name, value in attributes.items()]) if attributes else ""
    if "-" in tag:
        names = f"{tag} {names}"  # an element of the shop's own making is named as well: `product-price`
    own = naming.marks_of(names) if names else 0
    own |= _MARKS_OF_TAGS.get(tag, 0)
    if attributes:
        own |= _marks_of_attributes(attributes)
        if tag == "a" and _leads_away(attributes.get("href"), outline.paths):
            own |= naming.LINKED
    inherited = outline.elements[parent].marks & naming.INHERITED if parent >= 0 else 0
    element = Element(
        index=len(outline.elements),
        parent=parent,
        tag=tag,
        node=node,
        names=names,
        own=own,
        marks=inherited | own,
        depth=depth,
        has_role="role" in attributes,
        first_text=len(outline.texts),
    )
    outline.elements.append(element)
    return element


def _name(attribute: str, value: str | None) -> str:
    """Return what an attribute contributes to an element's names; `data-product-price` tells that it is a price."""
    if attribute in _NAMING:
        return value or ""
    return "price" if "price" in attribute and attribute.startswith("data-") else ""


def _beginnings(names: str) -> tuple[str, ...]:
    """Return what an element's names begin with, up to their last double underscore."""
    return tuple({f"{name.rpartition('__')[0]}__" for name in names.split() if "__" in name})


def _marks_without(element: Element, beginnings: tuple[str, ...]) -> int:
    kept = [
        next((name.removeprefix(start) for start in beginnings if name.startswith(start)), name)
        for name in element.names.split()
    ]
    own = element.own & ~naming.ELSEWHERE
    return own | (naming.marks_of(" ".join(kept)) & naming.ELSEWHERE) | _MARKS_OF_TAGS.get(element.tag, 0)


def _finish(outline: Outline, element: Element) -> None:
    element.end_text = len(outline.texts)
    element.end = len(outline.elements)


def _marks_of_attributes(attributes: dict[str, str | None]) -> int:
    marks = 0
    style = attributes.get("style")
    if style:
        plain = style.replace(" ", "").lower()
        if "display:none" in plain or "visibility:hidden" in plain:
            marks |= naming.HIDDEN
        if "line-through" in plain:
            marks |= naming.OLD | naming.STRUCK
    if "data-a-strike" in attributes or "data-strike" in attributes:
        marks |= naming.OLD | naming.STRUCK
    label = attributes.get("data-label")
    if label:
        marks |= naming.tax_marks(label[:_LONGEST_LABEL])
    if "hidden" in attributes:
        marks |= naming.HIDDEN
    if attributes.get("role") in ("navigation", "banner", "contentinfo", "dialog"):
        marks |= naming.FRAME | naming.SURELY_FRAME
    return marks


def _leads_away(href: str | None, own_paths: tuple[str, ...]) -> bool:
    """Whether a link goes to another page: not to a place in this one, and not into the cart."""
    target = (href or "").strip().lower()
    if (
        not target
        or target.startswith(("#", "javascript:", "tel:", "mailto:"))
        or _TO_THE_CART.search(target)
    ):
        return False
    path = target.partition("#")[0].partition("?")[0].rstrip("/")
    return not any(path.endswith(own.lower()) for own in own_paths) and bool(path)
