"""The pavilion: the second source, rendered on the server with JSON in the page."""

from limpet.apps.matches.sites.pavilion.adapter import PavilionAdapter
from limpet.apps.matches.sites.pavilion.page import PAGE, VERSION
from limpet.extract import Site

SITE = Site(
    id="pavilion", version=VERSION, app="matches", domain="pavilion.tidepool.localhost", page_model=PAGE
)

__all__ = ["SITE", "PavilionAdapter"]
