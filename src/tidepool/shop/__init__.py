"""A WooCommerce-like shop: product pages with the traps of a real one.

A reader meets two canonical links, two Product blocks of JSON-LD that say things differently
(json_ld.py), and the class `woocommerce-Price-amount` on the price, on tiers, on cards and on prices per
round. What is true on a product page:

    id      body.postid-N, div#product-N, button[name=add-to-cart][value=N] when it can be bought
    name    h1.tidepool-content-single-product__title (with en dashes)
    price   div.tidepool-content-single-product__details__right__price (`del` and `ins` when on sale)
    tiers   table.tidepool-content-single-product__details__right__qty-discounts-table
    stock   p.stock.in-stock "17+ in stock", p.stock.out-of-stock, p.stock.available-on-backorder
    sku     p.tidepool-content-single-product__details__right__sku > strong "SKU: TP00012 - case"

A product with variants shows a price range unless `?variation_id=N` picks one.
"""

from __future__ import annotations

from tidepool.shop.shop import SHELF, Shop
from tidepool.trade import Catalogue, Kind, Offer, Product, offer_of

__all__ = ["SHELF", "Catalogue", "Kind", "Offer", "Product", "Shop", "offer_of"]
