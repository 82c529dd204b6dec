"""Finds addresses of products for a person to look through: from sitemaps and listings, into a file. Never prices."""

from limpet.apps.prices.discovery.discoverer import Discoverer, Discovery, Limits, Wanted

__all__ = ["Discoverer", "Discovery", "Limits", "Wanted"]
