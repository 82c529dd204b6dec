"""The part of a WooCommerce page that is about its product, field by field."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from limpet.apps.prices.models.asking_price import believed, not_shown
from limpet.apps.prices.models.stated import agreed
from limpet.apps.prices.models.title_facts import maker_in
from limpet.apps.prices.offer import Tier
from limpet.extract import Missing
from limpet.extract.failure import CannotRead
from limpet.extract.parse.price import Price, parse_price
from limpet.extract.parse.stock import Availability, parse_stock
from limpet.extract.select import every, first, maybe, text_of


@dataclass(frozen=True, slots=True)
class WooCommerceSelectors:
    """Where a theme puts things. All but `product` are looked up inside the product."""

    product: str
    title: str
    price: str  # the box; amounts inside it are looked up with `amount`
    stock: str
    sku: str
    tier_rows: str
    maker: str
    # How product and description open in the bytes, for cutting the product out without a tree.
    product_opens: bytes
    description_opens: bytes
    amount: str = "span.woocommerce-Price-amount"
    sale_amount: str = "ins span.woocommerce-Price-amount"
    crossed_out: str = "del"
    variation: str = "input.variation_id"


_SKU_LABEL = re.compile(r"\A\s*SKU\s*[:#]?\s*", re.IGNORECASE)
_POST_ID = re.compile(r"product-(\d{1,12})")
_AT_LEAST = re.compile(r"(\d{1,6})\s*(?:\+|or more|and up)", re.IGNORECASE)
_BY_CLASS = {
    "instock": Availability.IN_STOCK,
    "in-stock": Availability.IN_STOCK,
    "outofstock": Availability.OUT_OF_STOCK,
    "out-of-stock": Availability.OUT_OF_STOCK,
    "onbackorder": Availability.BACKORDER,
    "available-on-backorder": Availability.BACKORDER,
    "available-on-preorder": Availability.BACKORDER,
}


class ProductBox:
    """Answers for one product element; a field that is missing breaks off with its selector's name."""

    def __init__(self, root: LexborNode, selectors: WooCommerceSelectors) -> None:
        self._root = root
        self._find = selectors
        self._classes = frozenset((root.attributes.get("class") or "").split())
        self._is_variable = "product-type-variable" in self._classes

    def title(self) -> str:
        """Return the title as displayed."""
        node = first(self._root, self._find.title, field="title", reason=Missing.TITLE_NOT_FOUND)
        title = text_of(node)
        if not title:
            raise CannotRead(Missing.TITLE_NOT_FOUND, f"title: {self._find.title!r} is empty")
        return title

    def sku(self) -> str | None:
        """Return the SKU without its label."""
        return _SKU_LABEL.sub("", text_of(maybe(self._root, self._find.sku))) or None

    def product_id(self) -> str | None:
        """Return the id of the post, which sold-out pages carry too, or of the variant that was chosen."""
        if self._is_variable:
            return self._chosen_variation()
        found = _POST_ID.fullmatch(self._root.attributes.get("id") or "")
        return found[1] if found else None

    def maker(self) -> str | None:
        """Return the maker; JSON-LD names the retailer as the brand and is not asked."""
        return maker_in(text_of(maybe(self._root, self._find.maker)))

    def availability(self, stated: Iterable[Availability]) -> Availability:
        """Return what every signal on the page agrees on; UNKNOWN when they contradict each other."""
        stock = maybe(self._root, self._find.stock)
        stock_classes = (stock.attributes.get("class") or "").split() if stock is not None else []
        signals = {parse_stock(text_of(stock)), *stated}
        signals.update(_BY_CLASS[name] for name in stock_classes if name in _BY_CLASS)
        if not self._is_variable:  # there the class speaks of the family, not of the chosen one
            signals.update(_BY_CLASS[name] for name in self._classes if name in _BY_CLASS)
        return agreed(signals)

    def price(self, availability: Availability, *, currency_hint: str | None) -> Price:
        """Return what one costs now; a range, a hidden or an unreadable price breaks off."""
        if self._is_variable and self._chosen_variation() is None:
            raise CannotRead(Missing.AMBIGUOUS_VARIANTS, "several variants and none is chosen in the address")
        box = first(self._root, self._find.price, field="price", reason=Missing.PRICE_NOT_FOUND)
        amounts = self._amounts(box)
        if not amounts:
            raise self._hidden(box, availability)
        if len(amounts) > 1:
            raise CannotRead(
                Missing.AMBIGUOUS_PRICE, f"price: {len(amounts)} amounts in {text_of(box)[:80]!r}"
            )
        return believed(parse_price(text_of(amounts[0]), currency_hint=currency_hint))

    def tiers(self) -> tuple[Tier, ...]:
        """Return the quantity prices; they never replace the price of one."""
        rows = (_tier(row, self._find.amount) for row in every(self._root, self._find.tier_rows))
        return tuple(tier for tier in rows if tier is not None)

    def _amounts(self, box: LexborNode) -> list[LexborNode]:
        crossed_out = maybe(box, self._find.crossed_out) is not None
        return every(box, self._find.sale_amount if crossed_out else self._find.amount)

    def _hidden(self, box: LexborNode, availability: Availability) -> CannotRead:
        words = text_of(box)
        # Words in place of the amount ("Call for price") say more than being sold out does.
        silent = availability if not words else Availability.UNKNOWN
        return not_shown(silent, f"no amount matches {self._find.amount!r} in {words[:80]!r}")

    def _chosen_variation(self) -> str | None:
        node = maybe(self._root, self._find.variation)
        value = ((node.attributes.get("value") or "") if node is not None else "").strip()
        return value if value.isascii() and value.isdigit() and value.strip("0") else None


def _tier(row: LexborNode, amount: str) -> Tier | None:
    quantity = _AT_LEAST.search(text_of(row))
    if quantity is None:
        return None
    price = parse_price(text_of(maybe(row, amount)))
    return Tier(int(quantity[1]), price.cents) if isinstance(price, Price) else None
