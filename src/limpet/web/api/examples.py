"""Examples of answers, composed from the description itself: what a field says of itself, or what its name means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MOMENT = "2026-01-31T12:00:00Z"
# What these names mean wherever they stand; a field's own example goes before.
_BY_NAME: Mapping[str, Any] = {
    "app": "prices",
    "source_id": "shop",
    "source": "shop",
    "url": "https://shop.example.com/product/1",
    "lane": "example.com",
    "hosts": ["shop.example.com"],
    "title": "A product",
    "name": "The shop",
    "identity_key": "SKU:12345",
    "currency": "USD",
    "availability": "in_stock",
    "price_cents": 1999,
    "before_cents": 2499,
    "counts": {"succeeded": 41, "failed": 1},
    "reasons": {"failed: timeout": 1},
    "outcomes": {"ok": 42},
    "domain": "example.com",
    "version": "1.0.0",
    "site_version": "1.0.0",
    "adapter_version": "1.0.0",
    "site": "shop_site",
    "adapter_id": "shop_site",
    "site_id": "shop_site",
    "status": "active",
    "grade": "healthy",
    "actor": "ann",
    "by": "ann",
    "created_by": "ann",
    "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "media_type": "text/html",
    "next": None,
    "detail": "There is nothing at this address.",
    "fix": "The list shows all there are.",
}
_BY_TYPE: Mapping[str, Any] = {"integer": 1, "number": 1.0, "boolean": True, "null": None}
_BY_FORMAT: Mapping[str, Any] = {
    "date-time": _MOMENT,
    "date": "2026-01-31",
    "binary": "url\nhttps://shop.example.com/",
}
_DEEPEST = 12


def example_of(
    schema: Mapping[str, Any], document: Mapping[str, Any], *, name: str = "", depth: int = 0
) -> Any:
    """Return something the schema would accept."""
    schema = _resolved(schema, document)
    own = schema.get("examples") or ([schema["example"]] if "example" in schema else [])
    if own:
        return own[0]
    for word in ("const", "default"):
        if schema.get(word) is not None:
            return schema[word]
    if schema.get("enum"):
        return _named(name) if _named(name) in schema["enum"] else schema["enum"][0]
    choices = schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf")
    if choices:
        return _chosen(choices, document, name=name, depth=depth)
    return _by_kind(schema, document, name=name, depth=depth)


def _chosen(choices: list[Any], document: Mapping[str, Any], *, name: str, depth: int) -> Any:
    if name in _BY_NAME and _BY_NAME[name] is None:
        return None
    return example_of(choices[0], document, name=name, depth=depth)


def _by_kind(schema: Mapping[str, Any], document: Mapping[str, Any], *, name: str, depth: int) -> Any:
    kind = schema.get("type", "")
    if kind == "object" or "properties" in schema:
        return _object(schema, document, name=name, depth=depth)
    if kind == "array":
        if isinstance(_named(name), list):
            return _named(name)
        return [example_of(schema.get("items", {}), document, depth=depth + 1)] if depth < _DEEPEST else []
    if kind in _BY_TYPE:
        named = _named(name)
        return named if isinstance(named, type(_BY_TYPE[kind])) else _BY_TYPE[kind]
    if (spelling := schema.get("format", "")) in _BY_FORMAT:
        return _BY_FORMAT[spelling]
    named = _named(name)
    return named if isinstance(named, str) else "…"


def _object(schema: Mapping[str, Any], document: Mapping[str, Any], *, name: str, depth: int) -> Any:
    words = _resolved(schema.get("propertyNames", {}), document).get("enum")
    if words:
        return {words[0]: example_of(schema.get("additionalProperties", {}), document, depth=depth + 1)}
    if not schema.get("properties"):
        return _named(name) if isinstance(_named(name), dict) else {}
    return {
        field: example_of(each, document, name=field, depth=depth + 1)
        for field, each in schema["properties"].items()
        if depth < _DEEPEST
    }


def _resolved(schema: Mapping[str, Any], document: Mapping[str, Any]) -> Mapping[str, Any]:
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def _named(name: str) -> Any:
    return _BY_NAME.get(name)
