"""Primary Arms (primaryarms.com): NetSuite SuiteCommerce; the pages are a script, the data is a JSON API."""

from limpet.apps.prices.models.json_api import ask_for_json
from limpet.apps.prices.sites.primary_arms.page import PAGE, VERSION
from limpet.extract import Site

SITE = Site(
    id="primary_arms",
    version=VERSION,
    app="prices",
    domain="primaryarms.com",
    page_model=PAGE,
    route=ask_for_json,
)

__all__ = ["SITE"]
