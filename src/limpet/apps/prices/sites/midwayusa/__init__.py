"""MidwayUSA (midwayusa.com): the visible page is filled by script; price and stock stand in JSON-LD."""

from limpet.apps.prices.sites.midwayusa.page import PAGE, VERSION
from limpet.extract import Site

SITE = Site(id="midwayusa", version=VERSION, app="prices", domain="midwayusa.com", page_model=PAGE)

__all__ = ["SITE"]
