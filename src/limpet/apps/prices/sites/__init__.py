"""Every shop we can read, listed by hand."""

from limpet.apps.prices.sites import auto, brownells, midwayusa, primary_arms, sgammo, tidepool_shop

SITES = (sgammo.SITE, midwayusa.SITE, brownells.SITE, primary_arms.SITE, tidepool_shop.SITE, auto.SITE)

__all__ = ["SITES"]
