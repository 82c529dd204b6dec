"""Brownells (brownells.com): one page per product family, an offer per variant in its JSON-LD."""

from limpet.apps.prices.sites.brownells.page import PAGE, VERSION
from limpet.extract import Site

SITE = Site(id="brownells", version=VERSION, app="prices", domain="brownells.com", page_model=PAGE)

__all__ = ["SITE"]
