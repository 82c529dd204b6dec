"""Every scoreboard we can read, listed by hand."""

from limpet.apps.matches.sites import crex, crex_browser, pavilion

SITES = (crex.SITE, crex_browser.SITE, pavilion.SITE)

__all__ = ["SITES"]
