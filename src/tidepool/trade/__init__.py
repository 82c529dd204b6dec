"""What all pretend shops have in common: the same goods, each shop's own prices, and how a shop answers.

shelf.py       how one shop numbers, addresses and prices what it sells
catalogue.py   the goods: invented by seed, the same in every shop, on demand
offer.py       what a shop asks for one of them at a tick
storefront.py  the shop as a site: robots, sitemap, listings, product pages under a tag, truth
sitemap.py, json_ld.py, money.py, templates.py, filler.py   what pages are made of
"""

from __future__ import annotations

from tidepool.trade.catalogue import Catalogue, Category, Kind, Product
from tidepool.trade.offer import Item, Offer, Variant, offer_of
from tidepool.trade.shelf import Shelf
from tidepool.trade.storefront import Storefront

__all__ = [
    "Catalogue",
    "Category",
    "Item",
    "Kind",
    "Offer",
    "Product",
    "Shelf",
    "Storefront",
    "Variant",
    "offer_of",
]
