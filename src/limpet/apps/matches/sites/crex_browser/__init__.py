"""crex by browser: the live page on a pooled context, its own traffic overheard."""

from limpet.apps.matches.sites.crex_browser.adapter import CrexBrowserAdapter
from limpet.apps.matches.sites.crex_browser.page import PAGE, VERSION
from limpet.extract import Site

SITE = Site(
    id="crex_browser",
    version=VERSION,
    app="matches",
    domain="crex.com",
    page_model=PAGE,
    requires_browser=True,
)

__all__ = ["SITE", "CrexBrowserAdapter"]
