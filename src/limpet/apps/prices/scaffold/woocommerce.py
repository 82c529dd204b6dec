"""The draft for WooCommerce shops: the software is known, the theme's names are taken from the page."""

from __future__ import annotations

import re
from dataclasses import asdict

from selectolax.lexbor import LexborHTMLParser, LexborNode

from limpet.apps.prices.models.product_box import WooCommerceSelectors
from limpet.apps.prices.models.woocommerce import WooCommercePage
from limpet.apps.prices.offer import Offer
from limpet.apps.prices.scaffold.material import VERSION, Draft, Saved, differing
from limpet.apps.prices.scaffold.spotting import Spotting, first_named, steady_name
from limpet.extract import Extraction
from limpet.extract.pinpoint import Spot, layout_of, names_for
from limpet.extract.places import Material

_AMOUNT = "span.woocommerce-Price-amount"
_INSIDE_A_PRICE = frozenset(("span", "bdi", "ins", "del"))
_PRODUCT_ID = re.compile(r"product-\d+")
_DESCRIPTION = re.compile(rb'<div (?:id|class)="[^"]*description[^"]*"', re.IGNORECASE)
_OF_THE_SOFTWARE = re.compile(
    r"\.(?:product|type-product|taxable|shipping-taxable|purchasable|status-publish|has-post-thumbnail"
    r"|product-type-\w+)(?![\w-])"
)
_NOWHERE = b"<!-- no description -->"
_MAKER = 'a[href*="/manufacturer/"], a[href*="/brand/"]'


def draft_of_woocommerce(saved: Saved, material: Material, truth: Offer) -> Draft | None:
    """Return the draft when the shop runs WooCommerce and its theme's names are steady, else None."""
    tree = material.tree
    if tree is None or tree.css_first(_AMOUNT) is None:
        return None
    spotting = Spotting(layout_of(tree), title=truth.title)
    root = _root(spotting)
    product = _name_of(root.node, tree) if root is not None else None
    if root is None or product is None or spotting.title is None:
        return None
    named = _named(spotting, root, truth)
    if named is None:
        return None
    selectors = WooCommerceSelectors(product=product, **named, **_openings(saved.page.body, root.node))  # type: ignore[arg-type]
    model = WooCommercePage(selectors=selectors, version=VERSION)
    reading = model.read(saved.page, saved.target)
    if not isinstance(reading, Extraction) or differing(
        reading.record, truth, ("price_cents", "availability")
    ):
        return None
    return Draft("woocommerce", model, reading.record, asdict(selectors))


def _root(spotting: Spotting) -> Spot | None:
    """Return the product's own element: the software marks it, whatever the theme."""
    for each in spotting.ancestors(spotting.title) if spotting.title is not None else ():
        attributes = each.node.attributes
        classes = (attributes.get("class") or "").split()
        if _PRODUCT_ID.fullmatch(attributes.get("id") or "") or "type-product" in classes:
            return each
    return None


def _name_of(root: LexborNode, tree: LexborHTMLParser) -> str | None:
    """Return the theme's own name for the product, rather than one the software gives to every card of one."""
    names = [each.selector for each in names_for(root, scope=tree, limit=12) if each.is_steady]
    own = [each for each in names if not _OF_THE_SOFTWARE.search(each)]
    return next(iter(own or names), None)


def _named(spotting: Spotting, root: Spot, truth: Offer) -> dict[str, str] | None:
    scope = root.node
    title = first_named(iter([spotting.title] if spotting.title else ()), scope)
    price = next(
        (name for spot in _price_boxes(spotting, root, truth) if (name := steady_name(spot.node, scope))),
        None,
    )
    stock = first_named(
        spotting.carriers("availability", truth.availability, inside=root),
        scope,
        fits=lambda spot: "stock" in (spot.node.attributes.get("class") or ""),
    ) or first_named(spotting.carriers("availability", truth.availability, inside=root), scope)
    sku = first_named(spotting.carriers("sku", truth.retailer_sku or "\0", inside=root), scope)
    if title is None or price is None or stock is None:
        return None
    rows = _tier_rows(scope)
    return {
        "title": title,
        "price": price,
        "stock": stock,
        "sku": sku or ".sku",
        "tier_rows": rows,
        "maker": _MAKER,
    }


def _price_boxes(spotting: Spotting, root: Spot, truth: Offer) -> list[Spot]:
    """Return the elements right around the amounts that say the price, the nearest first."""
    boxes = []
    for spot in spotting.carriers("price_cents", truth.price_cents, inside=root):
        line = [spot, *spotting.ancestors(spot)]
        outside = next((each for each in line if each.tag not in _INSIDE_A_PRICE), None)
        if outside is not None and outside.node.css_first(_AMOUNT) is not None and outside not in boxes:
            boxes.append(outside)
    return boxes


def _tier_rows(scope: LexborNode) -> str:
    for table in scope.css("table"):
        name = steady_name(table, scope) if table.css_first(_AMOUNT) is not None else None
        if name is not None:
            return f"{name} tr"
    return "table tr"


def _openings(body: bytes, root: LexborNode) -> dict[str, bytes]:
    """Return how product and description open in the bytes, for the quick reading; it may do without."""
    opens = f'<{root.tag} id="product-'.encode()
    start = body.find(opens)
    found = _DESCRIPTION.search(body, start) if start >= 0 else None
    return {"product_opens": opens, "description_opens": found[0] if found is not None else _NOWHERE}
