"""Where the tidepool theme puts things."""

from __future__ import annotations

from limpet.apps.prices.models.product_box import WooCommerceSelectors

_RIGHT = ".tidepool-content-single-product__details__right"

SELECTORS = WooCommerceSelectors(
    product="div.tidepool-content-single-product",
    title="h1.tidepool-content-single-product__title",
    price=f"div{_RIGHT}__price",
    # A direct child: the cards of related products speak of stock as well.
    stock=f"div{_RIGHT} > p.stock",
    sku=f"p{_RIGHT}__sku > strong",
    tier_rows=f"table{_RIGHT}__qty-discounts-table tr",
    maker=f'div{_RIGHT}__categories a[href*="/manufacturer/"]',
    product_opens=b'<div id="product-',
    description_opens=b'<div class="tidepool-content-single-product__product-description"',
)
