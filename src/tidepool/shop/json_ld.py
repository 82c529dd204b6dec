"""The three JSON-LD blocks of a product page, with the quirks of a real shop left in.

The theme writes a bare Product whose brand is the shop itself and whose price is not padded; the shop
software writes a `@graph` whose Product keeps its price two levels down in `priceSpecification`
and names no brand.
"""

from __future__ import annotations

from markupsafe import Markup, escape

from tidepool.trade import Offer, Variant
from tidepool.trade.json_ld import SCHEMA, Facts, script, step
from tidepool.trade.money import padded, unpadded

SHOP_NAME = "Tidepool Ammo"
VALID_UNTIL = "2027-12-31"


def theme_product(offer: Offer, *, base: str, image: str) -> Markup:
    """Return the theme's block: a bare Product, the retailer as its brand."""
    product = offer.product
    terms: Facts = {"@type": "Offer", "url": base + product.path, "priceCurrency": "USD"}
    if offer.price_cents is not None:
        terms["price"] = unpadded(offer.price_cents)
    terms["availability"] = SCHEMA + offer.availability
    terms["seller"] = {"@type": "Organization", "name": SHOP_NAME}
    return script(
        {
            "@context": SCHEMA,
            "@type": "Product",
            "name": product.name,
            "description": f"{product.name} For Sale",
            "sku": product.sku,
            "brand": {"@type": "Brand", "name": SHOP_NAME},
            "offers": terms,
            "category": "Ammunition",
            "image": image,
        }
    )


def theme_breadcrumbs(offer: Offer, *, base: str) -> Markup:
    """Return the theme's second block: where the page hangs in the menu."""
    category, product = offer.product.category, offer.product
    steps = (
        ("Home", base),
        (category.name, f"{base}/catalog/{category.parent_slug}/{category.slug}/"),
        (_with_entities(product.name), base + product.path),
    )
    trail = [step(number, name, address) for number, (name, address) in enumerate(steps, 1)]
    return script({"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": trail})


def shop_graph(offer: Offer, *, base: str, image: str, chosen: Variant | None, sku: str) -> Markup:
    """Return the shop software's block: a graph of breadcrumbs and a Product with nested price."""
    product = offer.product
    address = base + product.path
    facts: Facts = {
        "@context": SCHEMA,
        "@type": "Product",
        "@id": f"{address}#product",
        "name": product.name,
        "url": address,
        "description": f"{product.name} For Sale",
        "image": image,
        "sku": sku,
    }
    terms = _terms(offer, base=base, chosen=chosen)
    if terms is not None:
        facts["offers"] = [terms]
    # The name is escaped once too often here, as it is in the wild.
    crumbs = [step(1, "Home", base), step(2, str(escape(_with_entities(product.name))), address)]
    trail = {"@context": SCHEMA, "@type": "BreadcrumbList", "itemListElement": crumbs}
    return script({"@context": SCHEMA, "@graph": [trail, facts]})


def _terms(offer: Offer, *, base: str, chosen: Variant | None) -> Facts | None:
    seller = {"@type": "Organization", "name": SHOP_NAME, "url": base}
    address, availability = base + offer.product.path, SCHEMA + offer.availability
    if offer.variants and chosen is None:
        cents = [variant.price_cents for variant in offer.variants]
        return {
            "@type": "AggregateOffer",
            "lowPrice": padded(min(cents)),
            "highPrice": padded(max(cents)),
            "offerCount": len(cents),
            "priceCurrency": "USD",
            "availability": availability,
            "url": address,
            "seller": seller,
        }
    price = chosen.price_cents if chosen else offer.price_cents
    if price is None:  # the software leaves offers out altogether when a product has no price
        return None
    specification = {
        "@type": "UnitPriceSpecification",
        "price": padded(price),
        "priceCurrency": "USD",
        "valueAddedTaxIncluded": False,
        "validThrough": VALID_UNTIL,
    }
    if chosen:
        availability = SCHEMA + chosen.availability
    return {
        "@type": "Offer",
        "priceSpecification": [specification],
        "priceValidUntil": VALID_UNTIL,
        "availability": availability,
        "url": address,
        "seller": seller,
    }


def _with_entities(name: str) -> str:
    return name.replace(" - ", " &#8211; ")
