"""SGAmmo (sgammo.com): WooCommerce with a theme of its own, server-rendered."""

from limpet.apps.prices.sites.sgammo.page import PAGE, VERSION
from limpet.extract import Site

SITE = Site(id="sgammo", version=VERSION, app="prices", domain="sgammo.com", page_model=PAGE)

__all__ = ["SITE"]
