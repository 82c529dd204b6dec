"""A fixture written from the facts of a page: what is read, the elements around it, and nothing else of it."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from limpet.apps.prices.models.json_api import JsonApiPage
from limpet.apps.prices.scaffold.material import Draft, Saved
from limpet.extract.places import Material, TellsPlaces
from limpet.extract.structured.paths import value_at
from limpet.extract.structured.products import products_in

_STATED = frozenset((
    "@context", "@type", "@id", "name", "sku", "productID", "gtin", "gtin12", "gtin13", "gtin14", "upc", "mpn", "brand",
    "image", "url", "contentUrl", "offers", "hasVariant", "price", "priceCurrency", "availability", "lowPrice",
    "highPrice", "priceSpecification", "itemCondition", "shippingDetails", "shippingRate", "value", "currency",
    "priceType", "referenceQuantity", "eligibleQuantity", "minValue", "unitCode", "valueReference",
    "validForMemberTier",
))  # fmt: skip
_PRICES = frozenset(("price", "lowPrice", "highPrice", "priceSpecification"))
_TAGS = ("product:price", "og:price", "product:sale_price", "product:availability", "og:availability")
_KEPT_ATTRIBUTES = ("id", "class", "itemprop", "itemtype", "itemscope", "value")
_BOX = "product"


def cut(saved: Saved, material: Material, draft: Draft, *, with_price: bool = True) -> bytes:
    """Return a page with the same facts; without a price it is the page of a shop that lost its own."""
    if material.tree is None:
        return _answer(material.answer, draft, with_price=with_price)
    head = "".join(_head(material, with_price=with_price))
    body = _body(material.tree, draft, with_price=with_price)
    return f"<!DOCTYPE html>\n<html><head>\n{head}</head>\n{body}\n</html>\n".encode()


def _head(material: Material, *, with_price: bool) -> Iterator[str]:
    for name, value in material.meta.items():
        if name.startswith(_TAGS) and (with_price or "price" not in name):
            yield f'<meta property="{html.escape(name)}" content="{html.escape(value)}">\n'
    leaving = frozenset[str]() if with_price else _PRICES
    for product in products_in(material.stated):
        # "</" inside a string would end the script.
        text = json.dumps(_reduced(product, leaving), ensure_ascii=False, indent=1).replace("</", "<\\/")
        yield f'<script type="application/ld+json">\n{text}\n</script>\n'


def _reduced(value: Any, leaving: frozenset[str]) -> Any:
    if isinstance(value, dict):
        kept = {name: each for name, each in value.items() if name in _STATED - leaving}
        return {name: _reduced(each, leaving) for name, each in kept.items()}
    if isinstance(value, list):
        return [_reduced(each, leaving) for each in value[:40]]
    return value


def _body(tree: LexborHTMLParser, draft: Draft, *, with_price: bool) -> str:
    carriers = _carriers(tree, draft, with_price=with_price)
    if not carriers or tree.body is None:
        title = html.escape(draft.offer.title)
        return f"<body>\n<h1>{title}</h1>\n</body>"
    on_the_way = {each.mem_id for node in carriers.values() for each in _ancestry(node)}
    return "".join(_emitted(tree.body, carriers, on_the_way))


def _carriers(tree: LexborHTMLParser, draft: Draft, *, with_price: bool) -> dict[int, LexborNode]:
    """Return the elements that are read, by their identity; the product's own box is only on the way to them."""
    model = draft.page_model
    places = model.places() if isinstance(model, TellsPlaces) else ()
    box = next((each for each in places if each.name == _BOX), None)
    scope = tree.css_first(box.where) if box is not None else tree
    lost = {"price", "amount", *(each.name for each in places if each.field == "price_cents")}
    wanted = [each for each in places if each.way == "css" and each.name not in (_BOX, "amount")]
    kept = [each for each in wanted if with_price or each.name not in lost]
    found = [node for each in kept for node in (scope.css(each.where) if scope is not None else [])[:6]]
    return {node.mem_id: node for node in found}


def _ancestry(node: LexborNode) -> Iterator[LexborNode]:
    above = node.parent
    while above is not None:
        yield above
        above = above.parent


def _emitted(node: LexborNode, carriers: Mapping[int, LexborNode], on_the_way: set[int]) -> Iterator[str]:
    if node.mem_id in carriers:
        yield f"{node.html or ''}\n"
    elif node.mem_id in on_the_way:
        attributes = node.attributes
        shown = "".join(
            f' {name}="{html.escape(attributes[name] or "")}"'
            for name in _KEPT_ATTRIBUTES
            if name in attributes
        )
        yield f"<{node.tag}{shown}>\n"
        child = node.child
        while child is not None:
            if child.is_element_node:
                yield from _emitted(child, carriers, on_the_way)
            child = child.next
        yield f"</{node.tag}>\n"


def _answer(answer: Any, draft: Draft, *, with_price: bool) -> bytes:
    """Return the answer with the item's fields that are read, and where its currency stands."""
    model = draft.page_model
    assert isinstance(model, JsonApiPage)
    item = _one_of(value_at(answer, model.items), draft)
    kept: dict[str, Any] = {}
    for place in model.places():
        is_left_out = place.name == "items" or (place.field == "price_cents" and not with_price)
        value = None if is_left_out else value_at(item, place.where)
        if value is not None:
            _put(kept, place.where, value)
    for path in model.named_by.values():
        _put(kept, path, value_at(item, path))
    whole: dict[str, Any] = kept
    if model.items:
        whole = {}
        _put(whole, model.items, [kept] if isinstance(value_at(answer, model.items), list) else kept)
    for path in model.fields.currency:
        if (value := value_at(answer, path)) is not None:
            _put(whole, path, value)
    return (json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode()


def _one_of(held: Any, draft: Draft) -> Any:
    listed = held if isinstance(held, list) else [held]
    paths = draft.places["fields"]["title"]
    named = (each for each in listed if str(value_at(each, paths[0])) and isinstance(each, dict))
    fitting = [each for each in named if draft.offer.title in " ".join(str(value_at(each, paths[0])).split())]
    return fitting[0] if fitting else listed[0]


def _put(data: dict[str, Any], path: str, value: Any) -> None:
    *steps, last = path.split(".")
    for step in steps:
        data = data.setdefault(step, {})
    data[last] = value
