"""OpenGraph and other meta tags."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser


def meta_in_tree(tree: LexborHTMLParser) -> dict[str, str]:
    """Return meta tags by property or name, in lower case; the first of a name wins."""
    found: dict[str, str] = {}
    for node in tree.css("meta[content]"):
        attributes = node.attributes
        name = attributes.get("property") or attributes.get("name") or attributes.get("itemprop")
        content = attributes.get("content")
        if name and content is not None:
            found.setdefault(name.strip().lower(), content.strip())
    return found
