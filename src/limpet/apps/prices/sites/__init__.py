"""Every shop we can read, listed by hand."""

from limpet.apps.prices.sites import sgammo, tidepool_shop

SITES = (sgammo.SITE, tidepool_shop.SITE)

__all__ = ["SITES"]
