"""How a product page is read: the shared WooCommerce reading with this theme's selectors."""

from __future__ import annotations

from limpet.apps.prices.models.woocommerce import WooCommercePage
from limpet.apps.prices.sites.tidepool_shop.selectors import SELECTORS

VERSION = "1.1.0"
PAGE = WooCommercePage(selectors=SELECTORS, version=VERSION)
