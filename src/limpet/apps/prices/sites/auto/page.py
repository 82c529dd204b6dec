"""How a page of an unknown shop is read."""

from __future__ import annotations

from limpet.apps.prices.models.auto import AutoPage

VERSION = "1.2.0"
PAGE = AutoPage(version=VERSION)
