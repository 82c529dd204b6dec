"""Every court whose registry we can read, listed by hand."""

from limpet.apps.dockets.sites import federal_court

SITES = (federal_court.SITE,)

__all__ = ["SITES"]
