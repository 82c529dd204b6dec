"""What the page's own data say about the product: the objects that bear its name, their price and their number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from selectolax.lexbor import LexborHTMLParser

from limpet.apps.prices.models.auto.scripts import counts_cents, objects_in, values_in, variations_in
from limpet.apps.prices.models.auto.statements import read_stated
from limpet.apps.prices.models.auto.title import likeness
from limpet.extract.parse.currency import minor_digits
from limpet.extract.parse.price import Price

_ALIKE = 0.9
_NAME_KEYS = (
    "name", "title", "productName", "displayName", "product_name", "productTitle", "item_name", "Name", "content_name",
    "prodName", "product_title", "productname", "itemName", "label",
)  # fmt: skip
_SKU_KEYS = (
    "sku", "SKU", "product_sku", "productSku", "itemNumber", "item_number", "productCode", "articleNumber", "skuId",
    "partNumber", "reference", "item_id", "product_code", "productNumber", "modelNumber", "id",
)  # fmt: skip
_STOCK_KEYS = (
    "availability", "availabilityStatus", "inStock", "in_stock", "isInStock", "is_in_stock", "available", "stockStatus",
    "stock_status", "instock", "isAvailable",
)  # fmt: skip
_NAMELESS = ("product_attributes",)  # always about the page's own product
_CURRENCY_KEYS = (
    "currency", "currencyCode", "priceCurrency", "currency_code", "currencyIso", "currencyUnit", "currencyIsoCode",
)  # fmt: skip
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_OF_TODAY = frozenset(
    (
        "sale",
        "sales",
        "current",
        "final",
        "selling",
        "special",
        "now",
        "offer",
        "our",
        "discounted",
        "promo",
        "actual",
    )
)
_OF_SOMETHING_ELSE = frozenset((
    "old", "was", "list", "regular", "original", "compare", "rrp", "msrp", "retail", "unit", "per", "min", "max",
    "full", "shipping", "tax", "discount", "save", "saved", "savings", "range", "tier", "tiers", "currency", "type",
    "label", "id", "valid", "until", "strike", "before", "previous", "suggested", "wholesale", "cost", "difference",
    "drop", "varies", "has", "is", "show", "hide", "low", "high", "lowest", "highest", "installment", "member",
    "percent", "percentage", "minimum", "maximum", "without", "excl", "net", "symbol", "sign", "display", "base",
))  # fmt: skip
_AMOUNT_KEYS = (
    "current", "currentPrice", "sale", "final", "now", "selling", "value", "amount", "price", "raw", "formatted",
    "text", "centAmount", "withTax", "with_tax", "without_tax", "gross",
)  # fmt: skip
_VARIANT_KEYS = ("variants", "skus", "hasVariant", "items", "offers", "variations")


@dataclass(frozen=True, slots=True)
class State:
    """The product as the page's data know it."""

    exact: frozenset[Price] = frozenset()
    perhaps: frozenset[int] = frozenset()  # cents, of whole numbers that may be cents or not
    skus: tuple[str, ...] = ()
    stock: frozenset[str] = frozenset()  # words about it, `true` and `false` among them

    def speaks_of(self, cents: int) -> bool:
        """Whether some object of the product names this amount."""
        return cents in self.perhaps or any(price.cents == cents for price in self.exact)

    @property
    def only(self) -> Price | None:
        """The one exact price, if there is just one."""
        return next(iter(self.exact)) if len({price.cents for price in self.exact}) == 1 else None


def state_of(
    tree: LexborHTMLParser, names: Iterable[str], *, url: str, currency: str | None, markup: bytes
) -> State:
    """Return what the objects that bear one of these names say."""
    known = [name for name in names if name]
    about = _Collected(currency, is_minor=counts_cents(markup), asked=_asked(url))
    for variation in variations_in(tree):
        about.add(variation)
    best = _ALIKE
    for value in values_in(tree):
        for item in objects_in(value):
            nameless = next((item[key] for key in _NAMELESS if isinstance(item.get(key), dict)), None)
            if nameless is not None:
                about.add(nameless)
            name = _one(next((item[key] for key in _NAME_KEYS if item.get(key)), None))
            alike = (
                max((likeness(name, each) for each in known), default=0.0) if isinstance(name, str) else 0.0
            )
            if alike > best + 0.05:
                best = alike
                about.forget()
            if alike >= best:
                about.add(item)
    return about.state()


class _Collected:
    """Prices and numbers as they are found."""

    def __init__(self, currency: str | None, *, is_minor: bool, asked: frozenset[str]) -> None:
        self._currency, self._is_minor, self._asked = currency, is_minor, asked
        self.forget()

    def forget(self) -> None:
        self._exact: set[Price] = set()
        self._perhaps: set[int] = set()
        self._skus: list[str] = []
        self._stock: set[str] = set()

    def add(self, item: dict[str, Any]) -> None:
        variants: list[Any] = next(
            (item[key] for key in _VARIANT_KEYS if isinstance(item.get(key), list)), []
        )
        chosen = [each for each in variants if isinstance(each, dict) and str(each.get("id")) in self._asked]
        own = [] if chosen else list(_values(item))
        for each in chosen or ([item] if own else [one for one in variants[:60] if isinstance(one, dict)]):
            for value, currency, in_cents in _values(each):
                self._take(value, currency or _currency_in(item) or self._currency, in_cents=in_cents)
        stock = (_one(item.get(key)) for key in _STOCK_KEYS)
        self._stock.update(str(each).lower() for each in stock if isinstance(each, bool | str))
        only = variants if len(variants) == 1 else ()
        self._skus.extend(_numbers_of([each for each in (*chosen, item, *only) if isinstance(each, dict)]))

    def _take(self, value: Any, currency: str | None, *, in_cents: bool) -> None:
        whole = isinstance(value, int) or (isinstance(value, str) and value.strip().isdigit())
        if whole and (in_cents or self._is_minor) and minor_digits(currency) == 2:
            self._exact.add(Price(int(value), currency))
        elif whole:
            self._perhaps |= {int(value), int(value) * 10 ** minor_digits(currency)}
        else:
            price, rounded = read_stated(value, currency)
            if price is not None and not rounded and price.cents > 0:
                self._exact.add(price if price.currency else Price(price.cents, currency))

    def state(self) -> State:
        priced = frozenset(price for price in self._exact if price.cents > 0)
        return State(
            priced, frozenset(self._perhaps - {0}), tuple(dict.fromkeys(self._skus)), frozenset(self._stock)
        )


def _numbers_of(items: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the numbers of these objects, the most telling key first."""
    for key in _SKU_KEYS:
        for item in items:
            number = _one(item.get(key))
            if number and isinstance(number, str | int) and not isinstance(number, bool):
                yield str(number)


def _values(item: dict[str, Any], levels: int = 3) -> Iterator[tuple[Any, str | None, bool]]:
    """Yield the amounts an object calls its price: today's where it tells several, never the old one."""
    by_rank: dict[int, list[tuple[Any, str | None, bool]]] = {}
    for key, value in item.items():
        rank = _rank(key, item)
        if rank:
            by_rank.setdefault(rank, []).extend(_amounts(value, _currency_in(item), levels))
    for rank in sorted(by_rank, reverse=True):
        if by_rank[rank]:
            yield from by_rank[rank]
            return


def _rank(key: str, item: dict[str, Any]) -> int:
    words = {word.lower() for word in _WORDS.findall(key)}
    if key == "offers" or (key == "value" and "content_name" in item):
        return 1
    if not words & {"price", "prices", "pricing"} or words & _OF_SOMETHING_ELSE:
        # A display price is what a shop shows, not a switch, once it is a number.
        return 1 if words == {"display", "price"} and not isinstance(item[key], bool) else 0
    return 2 if words & _OF_TODAY else 1


def _amounts(value: Any, currency: str | None, levels: int) -> Iterator[tuple[Any, str | None, bool]]:
    value = _one(value)
    if isinstance(value, dict) and levels:
        currency = _currency_in(value) or currency
        named = list(_values(value, levels - 1))
        if named:
            yield from ((amount, code or currency, in_cents) for amount, code, in_cents in named)
            return
        key = next((each for each in _AMOUNT_KEYS if value.get(each) not in (None, "", 0)), None)
        if key is not None:
            for amount, code, in_cents in _amounts(value[key], currency, levels - 1):
                yield amount, code, in_cents or key == "centAmount"
    elif isinstance(value, (int, float, str)) and not isinstance(value, bool) and value not in ("", 0):
        yield value, currency, False


def _currency_in(item: dict[str, Any]) -> str | None:
    found = (_one(item.get(key)) for key in _CURRENCY_KEYS)
    return next((value.upper() for value in found if isinstance(value, str) and len(value) == 3), None)


def _one(value: Any) -> Any:
    """Return the member of a list of one: tag managers write every value so."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _asked(url: str) -> frozenset[str]:
    return frozenset(value for _, value in parse_qsl(urlsplit(url).query) if len(value) > 1)
