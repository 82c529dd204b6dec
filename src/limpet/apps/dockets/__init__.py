"""Court dockets by case number: every file of a year, with proof of what exists and what does not."""

from limpet.apps.dockets.account.chronicle import accompany
from limpet.apps.dockets.batch import prepare
from limpet.apps.dockets.bookkeeper import DocketBookkeeper
from limpet.apps.dockets.clashing import clashes, is_answered
from limpet.apps.dockets.feed import target_of
from limpet.apps.dockets.lacking import find_lacks
from limpet.apps.dockets.probing import following
from limpet.apps.dockets.rereading import DocketRereading
from limpet.apps.dockets.sites import SITES
from limpet.engine.app import App

APP = App(
    name="dockets",
    rules=(),
    bookkeeper=DocketBookkeeper(),
    sites=SITES,
    make_target=target_of,
    prepare=prepare,
    following=following,
    accompany=accompany,
    find_lacks=find_lacks,
    one_run_at_a_time=True,
    clashes=clashes,
    is_answered=is_answered,
    # A court that says no is left at once: nobody promised us these answers.
    blocks_until_stopped=1,
    rereading=DocketRereading(),
)

__all__ = ["APP"]
