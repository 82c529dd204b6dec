"""Microdata, in the shape of JSON-LD, so that one reader serves both."""

from __future__ import annotations

from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

_VALUE_ATTRIBUTE = {
    "meta": "content",
    "a": "href",
    "area": "href",
    "link": "href",
    "img": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "iframe": "src",
    "object": "data",
    "data": "value",
    "meter": "value",
    "time": "datetime",
}


def microdata_in_tree(tree: LexborHTMLParser) -> tuple[dict[str, Any], ...]:
    """Return the top-level items of the tree, nested items inside them."""
    return tuple(_item(node) for node in tree.css("[itemscope]") if "itemprop" not in node.attributes)


def _item(scope: LexborNode) -> dict[str, Any]:
    item: dict[str, Any] = {}
    kind = scope.attributes.get("itemtype")
    if kind:
        item["@type"] = kind.split()[0]
    waiting = list(reversed(_children(scope)))
    while waiting:
        node = waiting.pop()
        names = node.attributes.get("itemprop")
        is_scope = "itemscope" in node.attributes
        if names:
            _add(item, names, _item(node) if is_scope else _value(node))
        if not is_scope:
            waiting.extend(reversed(_children(node)))
    return item


def _children(node: LexborNode) -> list[LexborNode]:
    children, child = [], node.child
    while child is not None:
        if child.is_element_node:
            children.append(child)
        child = child.next
    return children


def _add(item: dict[str, Any], names: str, value: Any) -> None:
    for name in names.split():
        if name not in item:
            item[name] = value
        elif isinstance(item[name], list):
            item[name].append(value)
        else:
            item[name] = [item[name], value]


def _value(node: LexborNode) -> str:
    # Shops put the exact amount into `content` beside the text people see.
    stated = node.attributes.get("content") or node.attributes.get(_VALUE_ATTRIBUTE.get(node.tag or "", ""))
    return stated.strip() if stated else " ".join(node.text().split())
