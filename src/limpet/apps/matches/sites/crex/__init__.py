"""crex by its own data: sV3 and sC4 asked directly."""

from limpet.apps.matches.sites.crex.adapter import CrexAdapter
from limpet.apps.matches.sites.crex.page import PAGE, VERSION
from limpet.extract import Site

SITE = Site(id="crex", version=VERSION, app="matches", domain="crex.com", page_model=PAGE)

__all__ = ["SITE", "CrexAdapter"]
