"""The surgical price monitor: known product pages in, trusted offers out."""

from limpet.apps.prices import market_tables
from limpet.apps.prices.bookkeeper import PriceBookkeeper
from limpet.apps.prices.feed import target_of
from limpet.apps.prices.needed_pages import needed_pages
from limpet.apps.prices.rereading import PriceRereading, rewrite
from limpet.apps.prices.resolver import resolve_new
from limpet.apps.prices.rules import RULES
from limpet.apps.prices.sites import SITES
from limpet.engine.app import App

APP = App(
    name="prices",
    rules=RULES,
    bookkeeper=PriceBookkeeper(),
    sites=SITES,
    make_target=target_of,
    after_run=resolve_new,
    needed_pages=needed_pages,
    rereading=PriceRereading(),
    rewrite=rewrite,
)

__all__ = ["APP", "market_tables"]
