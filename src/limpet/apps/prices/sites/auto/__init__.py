"""Any shop: read by general rules, for shops nobody wrote an adapter for."""

from limpet.apps.prices.sites.auto.page import PAGE, VERSION
from limpet.extract import Site

# No domain of its own: the reserved name matches no shop, so it never claims one that has an adapter.
SITE = Site(id="auto", version=VERSION, app="prices", domain="auto.invalid", page_model=PAGE)

__all__ = ["SITE"]
