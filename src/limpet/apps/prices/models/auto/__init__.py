"""Product pages of shops nobody wrote an adapter for: several independent witnesses, one rule book, no guesses."""

from limpet.apps.prices.models.auto.page import AutoPage

__all__ = ["AutoPage"]
