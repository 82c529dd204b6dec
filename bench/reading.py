"""What all peers read from a page: the same five elements, and the same few lines from text to value."""

from __future__ import annotations

from bench.store import Row

_RIGHT = ".tidepool-content-single-product__details__right"
TITLE = "h1.tidepool-content-single-product__title"
PRICE = f"div{_RIGHT}__price span.woocommerce-Price-amount > bdi"
STOCK = f"div{_RIGHT} > p.stock"
SKU = f"p{_RIGHT}__sku > strong"

_CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP"}


def row(url: str, *, title: str, price: str, stock: str, sku: str) -> Row:
    """Turn the four texts of a page (the price text carries the currency) into a row."""
    price = price.strip()
    dollars, _, cents = price[1:].replace(",", "").partition(".")
    return (
        url,
        title.strip(),
        int(dollars) * 100 + int(cents),
        _CURRENCIES[price[0]],
        "in_stock" if stock.strip().endswith("in stock") else "out_of_stock",
        sku.removeprefix("SKU:").strip(),
    )
