"""The shop of our own pretend web: the same software, another theme, and every fault on request."""

from limpet.apps.prices.sites.tidepool_shop.page import PAGE, VERSION
from limpet.extract import Site

SITE = Site(
    id="tidepool_shop", version=VERSION, app="prices", domain="shop.tidepool.localhost", page_model=PAGE
)

__all__ = ["SITE"]
