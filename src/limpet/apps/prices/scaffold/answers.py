"""The draft for shops that answer with JSON: the paths of the fields, by the names interfaces really use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from limpet.apps.prices.models.json_api import JsonApiPage, JsonFields, availability_of
from limpet.apps.prices.models.variants import parameters_of
from limpet.apps.prices.scaffold.material import VERSION, CannotDraft, Draft, Saved
from limpet.extract import Unreadable
from limpet.extract.parse.price import Price, price_from_json
from limpet.extract.parse.stock import Availability
from limpet.extract.structured.paths import leaves_of, value_at

# In order of how exactly each name means it; compared in lower case without anything but letters and digits.
_NAMES: Mapping[str, Sequence[str]] = {
    "title": ("pagetitle", "producttitle", "producttitle", "title", "productname", "name", "displayname"),
    "prices": (
        "onlinecustomerprice", "saleprice", "currentprice", "finalprice", "sellingprice", "price", "priceamount",
        "pricevalue", "offersprice", "onlinecustomerpriceformatted", "formattedprice",
    ),
    "stock": (
        "isinstock", "instock", "isavailable", "available", "availability", "offersavailability", "stockstatus",
        "quantityavailable", "stockquantity", "inventoryquantity", "stock",
    ),
    "sku": ("sku", "itemid", "itemnumber", "productcode", "partnumber", "articlenumber"),
    "product_id": ("internalid", "productid", "id"),
    "upc": ("upc", "upccode", "gtin", "gtin12", "gtin13", "ean", "barcode"),
    "brand": ("brand", "brandname", "manufacturer", "custitembrand"),
    "image": ("image", "imageurl", "thumbnail"),
}  # fmt: skip
_CURRENCIES = ("currency", "currencycode", "pricecurrency", "offerspricecurrency")
_LIKE_STOCK = re.compile(r"in_?stock|available$|availability$", re.IGNORECASE)
_DEEPEST_FIELD = 2


def draft_of_answer(saved: Saved, answer: Any) -> Draft:
    """Return the draft, or raise CannotDraft naming the field that was not found or is contradicted."""
    items, item = _item(answer, saved)
    paths = {name: _paths(item, known) for name, known in _NAMES.items()}
    paths["prices"] = tuple(path for path in paths["prices"] if _cents(value_at(item, path)) is not None)
    paths["stock"] = tuple(path for path in paths["stock"] if _stock(value_at(item, path)) is not None)
    for field, word in (("title", "title"), ("prices", "price"), ("stock", "availability")):
        if not paths[field]:
            raise CannotDraft(f"{word}: no field of the answer is called by a name that means it.")
    _agree("price", {path: _cents(value_at(item, path)) for path in paths["prices"]})
    _agree("availability", {path: _stock(value_at(item, path)) for path in paths["stock"]})
    currency = tuple(_currencies(answer))[:1]
    fields = JsonFields(**{name: tuple(found)[:4] for name, found in paths.items()}, currency=currency)
    named_by = _named_by(item, saved)
    model = JsonApiPage(version=VERSION, fields=fields, items=items, named_by=named_by)
    reading = model.read(saved.page, saved.target)
    if isinstance(reading, Unreadable):
        raise CannotDraft(f"Read back, the answer is {reading.reason.value}: {reading.details}.")
    places = {"fields": asdict(fields), "items": items, "named_by": named_by}
    return Draft("json_api", model, reading.record, places, _remarks(item, paths["stock"]))


def _item(answer: Any, saved: Saved) -> tuple[str, dict[str, Any]]:
    """Return the path to the item or the list it is in, and the item: what has both a title and a price."""
    for path, value in _objects(answer):
        listed = value if isinstance(value, list) else [value]
        fitting = [each for each in listed if isinstance(each, dict) and _is_item(each)]
        if len(fitting) == 1:
            return path, fitting[0]
        if fitting:
            asked = {value for values in parameters_of(saved.target.address).values() for value in values}
            named = [each for each in fitting if asked & {str(leaf) for leaf in each.values()}]
            if len(named) != 1:
                raise CannotDraft(
                    f"The answer lists {len(fitting)} items at {path!r}, and the address names none."
                )
            return path, named[0]
    raise CannotDraft("title: nothing in the answer has both a title and a price.")


def _is_item(value: dict[str, Any]) -> bool:
    has_price = any(_cents(value_at(value, path)) is not None for path in _paths(value, _NAMES["prices"]))
    return has_price and bool(_paths(value, _NAMES["title"]))


def _objects(answer: Any) -> Iterator[tuple[str, Any]]:
    """Yield objects and lists, the outermost first."""
    waiting = [("", answer)]
    for _ in range(4):
        deeper = []
        for path, value in waiting:
            yield path, value
            if isinstance(value, dict):
                deeper += [
                    (f"{path}.{name}".lstrip("."), each)
                    for name, each in value.items()
                    if isinstance(each, (dict, list))
                ]
        waiting = deeper


def _paths(item: dict[str, Any], known: Sequence[str]) -> tuple[str, ...]:
    """Return the paths whose name is known, in the order of the names; a path of two steps may be one name."""
    found: dict[str, list[str]] = {}
    for path, value in leaves_of(item, deepest=_DEEPEST_FIELD):
        if value in (None, "", "&nbsp;") or path.count(".") >= _DEEPEST_FIELD:
            continue
        for name in (path, path.rpartition(".")[2]) if "detail" in path else (path,):
            found.setdefault(re.sub(r"[^a-z0-9]", "", name.lower()), []).append(path)
    ordered = [path for name in known for path in found.get(name, ())]
    return tuple(
        path for path in dict.fromkeys(ordered) if not isinstance(value_at(item, path), (dict, list))
    )


def _agree(word: str, said: Mapping[str, Any]) -> None:
    if len(set(said.values())) > 1:
        told = ", ".join(f"{path} says {getattr(value, 'value', value)}" for path, value in said.items())
        raise CannotDraft(f"{word}: the answer contradicts itself: {told}.")


def _cents(value: Any) -> int | None:
    read = (
        price_from_json(value, currency=None) if value is not None and not isinstance(value, bool) else None
    )
    return read.cents if isinstance(read, Price) and read.cents > 0 else None


def _stock(value: Any) -> Availability | None:
    read = availability_of(value) if isinstance(value, (bool, int, float, str)) else Availability.UNKNOWN
    return read if read is not Availability.UNKNOWN else None


def _currencies(answer: Any) -> Iterator[str]:
    for path, value in leaves_of(answer):
        name = re.sub(r"[^a-z]", "", path.rpartition(".")[2].lower())
        if name in _CURRENCIES and isinstance(value, str) and re.fullmatch(r"[A-Z]{3}", value):
            yield path


def _named_by(item: dict[str, Any], saved: Saved) -> dict[str, str]:
    """Return which parameter of the address names the item, where one does."""
    leaves = {str(value).casefold(): name for name, value in item.items() if isinstance(value, (str, int))}
    asked = parameters_of(saved.target.address)
    named = {name: leaves.get(values[0].casefold()) for name, values in asked.items() if len(values[0]) > 3}
    return {name: path for name, path in named.items() if path is not None}


def _remarks(item: dict[str, Any], used: Sequence[str]) -> list[str]:
    """Tell of fields that sound like stock and were not asked, when they say otherwise."""
    said = {_stock(value_at(item, path)) for path in used}
    others = [
        name
        for name, value in item.items()
        if _LIKE_STOCK.search(name) and name not in used and _stock(value) not in (None, *said)
    ]
    return [
        f"{name!r} says the opposite of {', '.join(used)}, and is not read: find out what it means."
        for name in others
    ]
