"""The live match monitor: second-fresh scores, no ball missed, and a health that can be asked for."""

from limpet.apps.matches import care_tables
from limpet.apps.matches.bookkeeper import MatchBookkeeper
from limpet.apps.matches.feed import target_of
from limpet.apps.matches.sites import SITES
from limpet.engine.app import App

APP = App(
    name="matches",
    rules=(),
    bookkeeper=MatchBookkeeper(),
    sites=SITES,
    make_target=target_of,
    is_monitored=True,
    not_reread_because="a score is put together from many answers in a row, and single ones are not kept.",
)

__all__ = ["APP", "care_tables"]
